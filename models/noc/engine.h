/* Private to models/noc: the state of a network, which net.c makes and step.c moves on. */
#pragma once

#include "models/noc/net.h"

/* Numbering: `in` is an input port among all, `out` an output port among all (links and ways out to end points of
 * routers first, then one for each end point: its way in); channel v of a port p is (p << shift) + v. */
typedef struct fs_noc_packet {
    fs_noc_header header;
    uint32_t flits, sent, tag, routers;
    uint32_t lag; /* of the approximation: cycles by which its tail is behind others' flits */
    bool fixed;   /* takes the first channel of those that it may take */
    uint64_t offered, injected;
    uint32_t next; /* in its source's queue, or among the free ones */
} fs_noc_packet;

/* What leaves by a way out: a packet's number, and whether it is its last flit. */
#define FLIT(packet, tail) ((packet) << 1 | (uint32_t)(tail))

/* Flits are counted, not kept: those of a channel are of its packets one after another. */
typedef struct fs_noc_in_channel {
    uint32_t since;   /* cycle, modulo 2^32, since which it has a flit and no credit, or a head that stands */
    uint32_t channel; /* the output channel given to it last */
    uint32_t packet;  /* at the front */
    uint32_t next;    /* the input channel it leads to, NONE: an end point; standing: the next that stands */
    uint16_t left;    /* flits of it that have not left; 0: there is none */
    uint16_t pointer; /* of rule 2, over the channels of the router's outputs */
    uint8_t head, behind;  /* of the packets behind it, whose heads are here */
    uint8_t out, next_out; /* the port of the router that it goes to; the one after it, around */
    uint8_t first, count;  /* of the channels that it may be given */
    uint8_t flits;         /* in the buffer */
    bool whole, starved;   /* its head is at the front; there is no credit for it */
    bool waits;            /* the head, for an output channel */
} fs_noc_in_channel;

typedef struct fs_noc_out_channel {
    uint32_t owner;   /* input channel; an end point for ways in; FS_NOC_NONE: free */
    uint16_t pointer; /* of rule 2, over the channels of the router's inputs */
    uint16_t credits;
} fs_noc_out_channel;

typedef struct fs_noc_in_port {
    _Alignas(32) uint32_t upstream; /* channel 0 of the output port */
    uint32_t router;
    uint32_t first_out;  /* of the router's */
    uint16_t latency;    /* of a credit's way back, and 2 */
    uint8_t place, next; /* among the router's; of the one after it, around */
    uint8_t ins, outs;   /* of the router */
    uint8_t channel;     /* pointers of rule 3: over its channels, over outputs */
    uint8_t output;
} fs_noc_in_port;

typedef struct fs_noc_out_port {
    uint32_t to;      /* input port; end point */
    uint16_t latency; /* of a flit's way, and 2 */
    uint16_t free;    /* channels without an owner */
    uint32_t asked;   /* rule 3 in its turn: the grant of those that ask for it, and 1; 0: nobody did */
    uint8_t pointer;  /* of rule 3, over inputs */
    bool leaves;
    uint64_t flits, lost; /* of its use */
} fs_noc_out_port;

/* An output channel that is to be given. */
typedef struct fs_noc_grant {
    uint32_t in, out;
    uint32_t far; /* how far behind its pointer the input lies */
} fs_noc_grant;

typedef struct fs_noc_event {
    uint32_t where,
        flit; /* input channel, and the packet whose head it is or FS_NOC_NONE; output channel, FLIT */
} fs_noc_event;

/* Events of a cycle to come. */
typedef struct fs_noc_slot {
    fs_noc_event *flits, *taken; /* into input channels; out to end points */
    uint32_t *credits;           /* output channels */
    uint32_t flit_count, taken_count, credit_count;
} fs_noc_slot;

typedef struct fs_noc_source {
    uint32_t first, last; /* packets */
    uint32_t channel;     /* of the packet under way; FS_NOC_NONE: none has begun */
    uint8_t latest;       /* channel of the packet before */
} fs_noc_source;

struct fs_noc_net {
    const fs_noc_graph *graph;
    uint32_t channels, depth, of_kind; /* of_kind: channels of each kind of message */
    uint32_t shift;                    /* 2 to the power of which is at least `channels` */
    uint64_t now, under_way;           /* cycle; flits, credits and packets that are not over */
    fs_noc_packet *packets;
    fs_arena *arena;
    uint32_t packet_count, packet_room, packet_free, numbers;
    fs_noc_source *sources;
    uint64_t *sending; /* bit for each end point that has something to send */
    uint64_t *stalled; /* bit for each that has no credit for it */
    fs_noc_in_channel *in;
    fs_noc_out_channel *out;
    fs_noc_in_port *in_ports;
    fs_noc_out_port *out_ports;
    fs_noc_use *waits; /* [output ports] the rest of their use, so that two ports are a line of the cache */
    uint32_t *queue;   /* [input channels][depth] packets behind the one at the front */
    uint16_t *ready;   /* [input ports] a bit for each channel with a flit, an output channel and a credit */
    /* Lists, so that what has nothing to do costs nothing. */
    uint32_t *active;     /* input ports with a channel that is ready */
    uint32_t *again;      /* input channels whose flit left and that have another one of the packet */
    uint32_t *waiting;    /* input channels whose heads wait for an output channel, or did before */
    uint32_t *one, *more; /* of a cycle: channels alone ready at their port; ports with several */
    uint32_t active_count, again_count, waiting_count;
    uint32_t *stands;   /* [output ports] input channel whose head waits for a free one; FS_NOC_NONE */
    uint32_t ins, outs; /* ports of routers */
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

enum { FS_NOC_RESERVE_SLOTS = 1 << 17 }; /* above latency and flits of any packet */

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
