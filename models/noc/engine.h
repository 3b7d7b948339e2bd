/* Private to models/noc: the state of a network, which net.c makes and step.c moves on. */
#pragma once

#include "models/noc/net.h"

/* A way leads from a router's output port to the input port behind it, or in from an end point, or out to one. Those that leave
 * routers come first, in the order of their ports, then one for each end point, its way in. A way's channels are the output
 * channels of the port before it and the input channels of the one behind it, under one number.
 *
 * Both sides have a block for each way, of words of 8 bytes: 1 << shift of the port, then one for each channel. Channel v of way w
 * is word (2 w + 1 << shift) + v. Of four channels a block is a line of the cache, and two of them, of the way it comes by and of
 * the one it takes, are all that most flits need: what heads need, and what is asked for at the end, lies elsewhere. */
typedef struct fs_noc_packet {
    fs_noc_header header;
    uint32_t flits, sent, tag, routers;
    uint32_t lag;  /* of the approximation: cycles by which its tail is behind others' flits */
    uint32_t next; /* in its source's queue, or among the free ones */
    bool fixed;    /* takes the first channel of those that it may take */
    uint64_t offered, injected;
} fs_noc_packet;

/* What leaves by a way out: a packet's number, and whether it is its last flit. */
#define FLIT(packet, tail) ((packet) << 1 | (uint32_t)(tail))

/* Behind the way. Flits are counted, not kept: those of a channel are of its packets one after another. */
typedef struct fs_noc_in_channel {
    uint32_t to;    /* the channel given to it last */
    uint32_t state; /* of the packet at the front, and flits: FS_NOC_LEFT ... */
} fs_noc_in_channel;

enum {
    FS_NOC_LEFT = 1,          /* a flit of the packet that has not left; none: there is no packet */
    FS_NOC_BODY = 1 << 16,    /* its head has left */
    FS_NOC_STAYS = 1 << 17,   /* it goes to a router */
    FS_NOC_FLIT = 1 << 18,    /* a flit in the buffer, also of packets behind it */
    FS_NOC_ALL_LEFT = 0xffff, /* masks */
    FS_NOC_ALL_FLITS = 0xff << 18
};
#define FS_NOC_OUT     (1u << 26) /* times the port of the router that it goes to */
#define FS_NOC_ALL_OUT (63u << 26)

typedef struct fs_noc_in_port {
    uint32_t router;
    uint32_t won;   /* state of the channel that won last by rule 3: the pointer over outputs is behind its */
    uint16_t ready; /* a bit for each channel with a flit, an output channel and a credit */
    uint16_t latency;  /* of a credit's way back, and 2 */
    uint8_t channel;   /* that won last: the pointer over channels is behind it */
    uint8_t place;     /* among the router's */
    uint8_t ins, outs; /* of the router */
    uint32_t since[]; /* [1 << shift] cycle, modulo 2^32, from which a flit has no credit, or a head stands */
} fs_noc_in_port;

/* Before the way. */
typedef struct fs_noc_out_channel {
    uint32_t owner;   /* input channel; FS_NOC_NONE: free, or a way in */
    uint16_t pointer; /* of rule 2, over the channels of the router's inputs */
    uint16_t credits;
} fs_noc_out_channel;

typedef struct fs_noc_out_port {
    uint64_t lost, no_credit; /* of its use */
    uint32_t asked;           /* in a cycle: the move of the best input that asks, and 1; 0: none did */
    uint16_t latency;         /* of a flit's way, and 2 */
    uint16_t free;            /* channels without an owner */
    uint8_t place;            /* of the input that won last by rule 3: the pointer is behind it */
    bool leaves;
} fs_noc_out_port;

/* What only heads need of an input channel. */
typedef struct fs_noc_front {
    uint32_t packet;      /* at the front */
    uint32_t stands;      /* the next that stands */
    uint16_t pointer;     /* of rule 2, over the channels of the router's outputs */
    uint8_t head, behind; /* of the packets behind it, whose heads are here */
    uint8_t first, count; /* of the channels that it may be given */
    bool waits;           /* for an output channel */
} fs_noc_front;

/* An output channel that is to be given. */
typedef struct fs_noc_grant {
    uint32_t in, out;
    uint32_t far; /* how far behind its pointer the input lies */
} fs_noc_grant;

typedef struct fs_noc_event {
    uint32_t where, flit; /* channel, packet whose head it is; channel, FLIT */
} fs_noc_event;

/* Events of a cycle to come. */
typedef struct fs_noc_slot {
    uint32_t *flits, *credits;   /* channels: flits of packets whose heads came before; credits */
    fs_noc_event *heads, *taken; /* into routers; out to end points */
    uint32_t flit_count, credit_count, head_count, taken_count;
} fs_noc_slot;

typedef struct fs_noc_source {
    uint32_t first, last; /* packets */
    uint32_t channel;     /* of the packet under way; FS_NOC_NONE: none has begun */
    uint8_t latest;       /* channel of the packet before */
    bool stalled;         /* waits for a credit */
} fs_noc_source;

struct fs_noc_net {
    const fs_noc_graph *graph;
    uint32_t channels, depth, of_kind; /* of_kind: channels of each kind of message */
    uint32_t shift;                    /* 2 to the power of which is at least `channels`; at least 2 */
    uint64_t now, under_way;           /* cycle; flits, credits and packets that are not over */
    fs_noc_packet *packets;
    fs_arena *arena;
    uint32_t packet_count, packet_room, packet_free, numbers;
    fs_noc_source *sources;
    uint64_t *sending;       /* bit for each end point that has something to send */
    fs_noc_in_channel *in;   /* [ways] blocks: fs_noc_in_of gives their ports */
    fs_noc_out_channel *out; /* [ways] */
    uint32_t *in_way;        /* [input ports] */
    fs_noc_front *front;     /* [ways << shift], fs_noc_front_at */
    uint32_t *queue;         /* [ways << shift][depth] packets behind the one at the front */
    fs_noc_use *use; /* [ways] flits of packets that are over there, heads' waits; blocks have the rest */
    /* Lists, so that what has nothing to do costs nothing. */
    uint32_t *senders;    /* end points that have something to send, and a credit as far as known */
    uint32_t *active;     /* blocks of input ports with a channel that is ready */
    uint32_t *waiting;    /* input channels whose heads wait for an output channel, or did before */
    uint32_t *one, *more; /* of a cycle: channels alone ready at their port; ports with several */
    uint32_t sender_count, active_count, waiting_count;
    uint32_t *stands;             /* [outs] input channel whose head waits for a free one; FS_NOC_NONE */
    uint32_t ins, outs;           /* ports of routers */
    fs_noc_grant *channels_given; /* of the cycle */
    uint32_t *moves;              /* input channels that have won */
    uint32_t alike;               /* latency of all links and ways to end points; 0: they differ */
    fs_noc_slot *wheel;
    uint32_t slots;    /* a power of two */
    fs_noc_use *uses;  /* [links + ends], as they were asked for last */
    uint32_t *port_of; /* [links + ends] output ports */
    fs_noc_arrival *arrivals;
    uint64_t sent, taken, hops;
    void *block;
    bool free;                          /* routers for free; has the approximation's queues */
    bool reserve;                       /* the approximation, which alone has the rest */
    uint32_t *holder;                   /* [output ports] the packet that took one last */
    uint64_t *until;                    /* [output ports] cycle from which one is free */
    uint32_t *queue_first, *queue_last; /* [output ports of routers] packets that wait for one */
    uint64_t *queued;                   /* bit for each of them that has some */
    uint32_t *due; /* [FS_NOC_RESERVE_SLOTS] packets that come to a router or an end point in a cycle */
};

enum { FS_NOC_LEAST_SHIFT = 2 };
_Static_assert(sizeof(fs_noc_in_channel) == 8 && sizeof(fs_noc_out_channel) == 8, "words of blocks");
_Static_assert(sizeof(fs_noc_in_port) + (4 << FS_NOC_LEAST_SHIFT) <= 8 << FS_NOC_LEAST_SHIFT &&
                   sizeof(fs_noc_out_port) <= 8 << FS_NOC_LEAST_SHIFT,
               "a port fits into its words");
enum { FS_NOC_RESERVE_SLOTS = 1 << 17 }; /* above latency and flits of any packet */

/* shift: as of the net, where it may be known as a constant. */
static inline uint32_t fs_noc_channel(uint32_t shift, uint32_t way, uint32_t channel) {
    return (2 * way + 1) << shift | channel;
}

static inline uint32_t fs_noc_way_at(uint32_t shift, uint32_t i) {
    return i >> (shift + 1);
}

/* A channel among those of its way. */
static inline uint32_t fs_noc_among(uint32_t shift, uint32_t i) {
    return i & ((1u << shift) - 1);
}

/* The first word of its block. */
static inline uint32_t fs_noc_block(uint32_t shift, uint32_t i) {
    return i & ~((2u << shift) - 1);
}

/* The port of any word of its block. */
static inline fs_noc_in_port *fs_noc_in_of(fs_noc_in_channel *in, uint32_t shift, uint32_t i) {
    return (fs_noc_in_port *)(void *)&in[fs_noc_block(shift, i)];
}

static inline fs_noc_out_port *fs_noc_out_of(fs_noc_out_channel *out, uint32_t shift, uint32_t i) {
    return (fs_noc_out_port *)(void *)&out[fs_noc_block(shift, i)];
}

/* Of a way, for what is not in a hurry. */
static inline fs_noc_out_port *fs_noc_out_at(const fs_noc_net *net, uint32_t way) {
    return (fs_noc_out_port *)(void *)&net->out[2 * way << net->shift];
}

static inline fs_noc_in_port *fs_noc_in_at(const fs_noc_net *net, uint32_t way) {
    return (fs_noc_in_port *)(void *)&net->in[2 * way << net->shift];
}

/* Of the state of an input channel. */
static inline uint32_t fs_noc_flits(uint32_t state) {
    return (state & FS_NOC_ALL_FLITS) / FS_NOC_FLIT;
}

static inline uint32_t *fs_noc_since(const fs_noc_net *net, uint32_t shift, uint32_t i) {
    return &fs_noc_in_of(net->in, shift, i)->since[fs_noc_among(shift, i)];
}

/* A channel's place where ways have as many words as channels. */
static inline uint32_t fs_noc_front_at(uint32_t shift, uint32_t i) {
    return fs_noc_way_at(shift, i) << shift | fs_noc_among(shift, i);
}

/* A packet is over: what is told of it. */
static inline fs_noc_arrival fs_noc_arrive(fs_noc_net *net, uint32_t number) {
    fs_noc_packet *p = &net->packets[number];
    p->next = net->packet_free;
    net->packet_free = number;
    net->under_way--;
    return (fs_noc_arrival){.src = p->header.src,
                            .dst = p->header.dst,
                            .flits = p->flits,
                            .kind = p->header.kind,
                            .tag = p->tag,
                            .routers = p->routers,
                            .offered = p->offered,
                            .injected = p->injected,
                            .arrived = net->now};
}
/* A cycle of the approximation. */
const fs_noc_arrival *fs_noc_step_reserve(fs_noc_net *net, uint32_t *count);
/* A cycle with routers for free. */
const fs_noc_arrival *fs_noc_step_free(fs_noc_net *net, uint32_t *count);
