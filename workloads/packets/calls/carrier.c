#include "workloads/packets/calls/carrier.h"

#include "sim/base/arith.h"
#include "sim/host/signals.h"

#include <stdlib.h>

enum { REQUEST, ANSWER };            /* kinds of messages */
#define RESERVES ((uint32_t)1 << 31) /* in the tag of a multicast's empty message */

/* What a packet under way belongs to: kept by its tag. */
typedef struct transfer {
    uint64_t owner;
    uint64_t left, coming;  /* packets of its data that are not over, not there */
    uint64_t bytes, packet; /* of data, of a read; of its packets */
    uint32_t next;          /* among the free ones */
    uint8_t kind;           /* fs_load_kind */
    bool quiet;
} transfer;

/* A packet of a multicast at one of its group: answered then. */
typedef struct copy {
    uint64_t cycle;
    struct network *plane;
    uint32_t node, to, number;
} copy;

/* What a node has still to send to another: a message of one flit, or data. */
typedef struct sending {
    uint64_t bytes, packet; /* of data that the source has not been offered; of a packet */
    uint32_t to, kind, number;
    uint32_t next; /* of the node's, or among the free ones */
    bool data;
} sending;

/* What nodes have still to send: their sources are offered a packet when they have none, so that a call takes as little
 * room with all of its packets as with one. */
typedef struct senders {
    sending *item;
    uint32_t count, free;
    uint32_t *first, *last; /* [ends] */
    uint64_t *waiting;      /* bit for each end point that has some */
} senders;

/* A network and the multicast that holds its tree. */
typedef struct network {
    fs_carrier_plane of;
    senders senders;
    bool held;             /* by: */
    fs_load load;          /* its bytes: what has not left */
    uint32_t node, number; /* its sender; transfer */
    uint64_t until;        /* cycle in which its flits have left; UINT64_MAX: they have not begun */
    uint64_t *copied;      /* [links + ends] */
    double *through;       /* [links + ends], of a tree */
} network;

struct fs_carrier {
    network *nets; /* [planes] */
    copy *copies;
    uint32_t copy_count, planes;
    fs_carrier_costs costs;
    fs_carrier_user user;
    transfer *transfers;
    uint32_t transfer_count, transfer_free;
    uint64_t open, now, moved;
};

fs_carrier *fs_carrier_create(const fs_carrier_plane *of, uint32_t planes, const fs_carrier_costs *costs,
                              const fs_carrier_user *user) {
    fs_carrier *a = fs_calloc(1, sizeof *a);
    *a = (fs_carrier){.nets = fs_calloc(planes, sizeof *a->nets),
                      .planes = planes,
                      .costs = *costs,
                      .user = *user,
                      .transfer_free = FS_NOC_NONE};
    for (uint32_t p = 0; p < planes; p++) {
        const size_t links = (size_t)of[p].graph->links + of[p].graph->ends;
        const uint32_t ends = of[p].graph->ends;
        a->nets[p] = (network){.of = of[p],
                               .senders = {.free = FS_NOC_NONE,
                                           .first = fs_calloc(ends, sizeof(uint32_t)),
                                           .last = fs_calloc(ends, sizeof(uint32_t)),
                                           .waiting = fs_calloc(ends / 64 + 1, sizeof(uint64_t))},
                               .copied = fs_calloc(links, sizeof(uint64_t)),
                               .through = fs_calloc(links, sizeof(double))};
    }
    return a;
}

void fs_carrier_free(fs_carrier *a) {
    if (a == NULL)
        return;
    for (uint32_t p = 0; p < a->planes; p++) {
        const senders *s = &a->nets[p].senders;
        free(s->item);
        free(s->first);
        free(s->last);
        free(s->waiting);
        free(a->nets[p].copied);
        free(a->nets[p].through);
    }
    free(a->nets);
    free(a->copies);
    free(a->transfers);
    free(a);
}

static uint32_t flits_of(const fs_carrier *a, uint64_t bytes) {
    return (uint32_t)fs_most(1, a->costs.header + fs_up(bytes, a->costs.width));
}

/* Data bytes of a packet. */
static uint64_t part_of(const fs_carrier *a, uint64_t packet) {
    return packet > 0 && packet < a->costs.packet ? packet : a->costs.packet;
}

static uint64_t packets_of(uint64_t bytes, uint64_t packet) {
    return fs_most(1, fs_up(bytes, packet));
}

/* ---- sending ---- */

/* The next packet of what a node has to send goes to its source; what is sent whole goes. */
static void offer_next(const fs_carrier *a, network *n, uint32_t from) {
    senders *q = &n->senders;
    const uint32_t number = q->first[from];
    sending *s = &q->item[number];
    const uint64_t part = fs_least(s->bytes, s->packet);
    fs_noc_offer(n->of.net, from, s->to, s->data ? flits_of(a, part) : 1, s->kind, s->number);
    s->bytes -= part;
    if (s->bytes > 0)
        return;
    q->first[from] = s->next;
    if (number == q->last[from])
        q->waiting[from / 64] &= ~((uint64_t)1 << from % 64);
    s->next = q->free;
    q->free = number;
}

/* Every source that has sent its packet gets the next one, in the cycle in which it can begin. */
static void feed(const fs_carrier *a, network *n) {
    const uint64_t *busy = fs_noc_sending(n->of.net);
    for (uint32_t w = 0; w <= n->of.graph->ends / 64; w++)
        for (uint64_t bits = n->senders.waiting[w] & ~busy[w]; bits != 0; bits &= bits - 1)
            offer_next(a, n, w * 64 + (uint32_t)__builtin_ctzll(bits));
}

/* Behind what the node has to send already. */
static void send(const fs_carrier *a, network *n, uint32_t from, sending what) {
    senders *q = &n->senders;
    uint32_t number = q->free;
    if (number == FS_NOC_NONE) {
        q->item = fs_grow(q->item, q->count, sizeof *q->item);
        number = q->count++;
    } else {
        q->free = q->item[number].next;
    }
    const uint64_t bit = (uint64_t)1 << from % 64;
    const bool first = (q->waiting[from / 64] & bit) == 0;
    q->item[number] = what;
    if (first)
        q->first[from] = number;
    else
        q->item[q->last[from]].next = number;
    q->last[from] = number;
    q->waiting[from / 64] |= bit;
    if (first && (fs_noc_sending(n->of.net)[from / 64] & bit) == 0)
        offer_next(a, n, from);
}

/* A message of one flit. */
static void send_one(const fs_carrier *a, network *n, uint32_t from, uint32_t to, uint32_t kind,
                     uint32_t number) {
    send(a, n, from, (sending){.to = to, .kind = kind, .number = number});
}

/* Sends data in packets; all with the transfer's number. */
static void send_data(fs_carrier *a, network *n, uint32_t from, uint32_t to, uint64_t bytes, uint64_t packet,
                      uint32_t kind, uint32_t number) {
    transfer *t = &a->transfers[number];
    t->left = t->coming = packets_of(bytes, packet);
    send(a, n, from,
         (sending){.bytes = bytes, .packet = packet, .to = to, .kind = kind, .number = number, .data = true});
}

static uint32_t open_transfer(fs_carrier *a, const fs_load *load) {
    uint32_t number = a->transfer_free;
    if (number == FS_NOC_NONE) {
        a->transfers = fs_grow(a->transfers, a->transfer_count, sizeof *a->transfers);
        number = a->transfer_count++;
    } else {
        a->transfer_free = a->transfers[number].next;
    }
    a->transfers[number] = (transfer){.owner = load->owner,
                                      .bytes = load->bytes,
                                      .packet = part_of(a, load->packet),
                                      .kind = (uint8_t)load->kind,
                                      .quiet = load->quiet};
    a->open++;
    return number;
}

/* A packet of a transfer came to its end: its data, or the answer to them. */
static void end_packet(fs_carrier *a, uint32_t number) {
    transfer *t = &a->transfers[number];
    if (--t->left > 0)
        return;
    const uint64_t owner = t->owner;
    t->next = a->transfer_free;
    a->transfer_free = number;
    a->open--;
    a->user.over(a->user.self, owner);
}

/* ---- multicasts ---- */

static uint64_t alone(const network *n, uint32_t to, uint32_t flits, double *through) {
    const fs_noc_params params = {.channels = n->of.channels, .buffer = FS_NOC_MOST_DEPTH};
    fs_noc_way_of(n->of.graph, n->of.channels, n->node, to, n->number, through, 1);
    return fs_noc_alone(n->of.graph, &params, n->node, to, n->number, flits);
}

/* The empty message of the next packet, to the farthest of the group. */
static void reserve(const fs_carrier *a, network *n) {
    uint32_t farthest = n->load.group->node[0];
    uint64_t most = 0;
    for (uint32_t m = 0; m < n->load.group->members; m++) {
        const uint64_t cycles = alone(n, n->load.group->node[m], 1, NULL);
        farthest = cycles > most ? n->load.group->node[m] : farthest;
        most = fs_most(most, cycles);
    }
    n->until = UINT64_MAX;
    send_one(a, n, n->node, farthest, REQUEST, n->number | RESERVES);
}

static bool begin_multicast(fs_carrier *a, const fs_load *load) {
    network *n = &a->nets[load->plane];
    if (n->held)
        return false;
    n->held = true;
    n->load = *load;
    n->load.packet = part_of(a, load->packet);
    n->node = load->from;
    n->number = open_transfer(a, load);
    a->transfers[n->number].left = load->group->members * packets_of(load->bytes, n->load.packet);
    reserve(a, n);
    return true;
}

/* The way is reserved: a packet leaves now, and is at each of the group when its way says. */
static void cast(fs_carrier *a, network *n) {
    const uint64_t begin = a->now + 1; /* as what is offered behind a step */
    const uint64_t part = fs_least(n->load.bytes, n->load.packet);
    const uint32_t flits = flits_of(a, part);
    const size_t links = (size_t)n->of.graph->links + n->of.graph->ends;
    for (uint32_t m = 0; m < n->load.group->members; m++) {
        const uint32_t to = n->load.group->node[m];
        a->copies = fs_grow(a->copies, a->copy_count, sizeof *a->copies);
        a->copies[a->copy_count++] =
            (copy){begin + alone(n, to, flits, n->through) + 1, n, to, n->node, n->number};
    }
    for (size_t l = 0; l < links; l++) {
        n->copied[l] += n->through[l] > 0 ? flits : 0;
        n->through[l] = 0;
    }
    a->moved += (uint64_t)(flits - a->costs.header) * a->costs.width * n->load.group->members;
    n->load.bytes -= part;
    n->until = begin + flits;
}

/* Copies that have arrived are answered; a tree whose flits have left is free, or reserved for the next packet. */
static void go_on_with_multicasts(fs_carrier *a) {
    uint32_t left = 0;
    for (uint32_t k = 0; k < a->copy_count; k++) {
        const copy c = a->copies[k];
        if (c.cycle > a->now)
            a->copies[left++] = c;
        else if (a->transfers[c.number].quiet)
            end_packet(a, c.number);
        else
            send_one(a, c.plane, c.node, c.to, ANSWER, c.number);
    }
    a->copy_count = left;
    for (network *n = a->nets; n < a->nets + a->planes; n++)
        if (n->held && n->until <= a->now) {
            n->held = n->load.bytes > 0;
            if (n->held)
                reserve(a, n);
        }
}

/* ---- cycles ---- */

bool fs_carrier_begin(fs_carrier *a, const fs_load *load) {
    network *n = &a->nets[load->plane];
    const uint64_t packet = part_of(a, load->packet);
    if (load->kind == FS_LOAD_CAST)
        return begin_multicast(a, load);
    const uint32_t number = open_transfer(a, load), fixed = a->costs.fixed ? FS_NOC_FIXED : 0;
    if (load->kind == FS_LOAD_READ)
        send_one(a, n, load->from, load->to, REQUEST, number);
    else
        send_data(a, n, load->from, load->to, load->bytes, packet,
                  load->kind == FS_LOAD_POST && load->answer ? ANSWER : REQUEST | fixed, number);
    return true;
}

/* A packet arrived: data of a write are answered, a read's request by its data. */
static void arrive(fs_carrier *a, uint32_t plane, const fs_noc_arrival *p) {
    const bool reserves = (p->tag & RESERVES) != 0;
    transfer *t = &a->transfers[p->tag & ~RESERVES];
    const uint64_t bytes = (uint64_t)(p->flits - a->costs.header) * a->costs.width;
    if (t->kind == FS_LOAD_POST) {
        a->moved += bytes;
        end_packet(a, p->tag);
        return;
    }
    if (p->kind == REQUEST) {
        if (t->kind == FS_LOAD_READ) {
            send_data(a, &a->nets[plane], p->dst, p->src, t->bytes, t->packet, ANSWER, p->tag);
            return;
        }
        a->moved += reserves ? 0 : bytes;
        send_one(a, &a->nets[plane], p->dst, p->src, ANSWER, p->tag);
        if (!reserves && --t->coming == 0 && a->user.there != NULL)
            a->user.there(a->user.self, t->owner);
        return;
    }
    if (reserves) {
        cast(a, &a->nets[plane]);
        return;
    }
    if (t->kind == FS_LOAD_READ)
        a->moved += bytes;
    end_packet(a, p->tag);
}

/* The next cycle in which something happens while all networks are idle. */
static uint64_t next_cycle(const fs_carrier *a) {
    uint64_t next = a->user.next(a->user.self);
    for (uint32_t k = 0; k < a->copy_count; k++)
        next = fs_least(next, a->copies[k].cycle);
    for (uint32_t p = 0; p < a->planes; p++)
        next = a->nets[p].held ? fs_least(next, a->nets[p].until) : next;
    return next;
}

/* A cycle of all networks; false: they are idle. */
static bool step(fs_carrier *a) {
    bool moves = false;
    for (uint32_t plane = 0; plane < a->planes; plane++) {
        uint32_t count = 0;
        fs_noc_net *net = a->nets[plane].of.net;
        if (fs_noc_is_idle(net)) {
            fs_noc_skip(net, a->now + 1);
            continue;
        }
        const fs_noc_arrival *p = fs_noc_step(net, &count);
        feed(a, &a->nets[plane]);
        for (uint32_t k = 0; k < count; k++)
            arrive(a, plane, &p[k]);
        moves = true;
    }
    return moves;
}

void fs_carrier_run(fs_carrier *a, uint64_t until) {
    while (!a->user.done(a->user.self) && a->now < until && !fs_interrupted()) {
        go_on_with_multicasts(a);
        a->user.advance(a->user.self);
        const bool moves = step(a);
        a->now++;
        if (moves)
            continue;
        const uint64_t next = fs_least(next_cycle(a), until);
        if (next != UINT64_MAX && next > a->now) {
            a->now = next;
            for (uint32_t plane = 0; plane < a->planes; plane++)
                fs_noc_skip(a->nets[plane].of.net, next);
        }
    }
}

uint64_t fs_carrier_now(const fs_carrier *a) {
    return a->now;
}

uint64_t fs_carrier_open(const fs_carrier *a) {
    return a->open;
}

uint64_t fs_carrier_moved(const fs_carrier *a) {
    return a->moved;
}

const uint64_t *fs_carrier_copied(const fs_carrier *a, uint32_t plane) {
    return a->nets[plane].copied;
}
