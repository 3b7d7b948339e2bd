#include "workloads/packets/agents.h"

#include "sim/base/arith.h"
#include "sim/host/signals.h"

#include <stdlib.h>

enum { REQUEST, ANSWER };            /* kinds of messages */
#define RESERVES ((uint32_t)1 << 31) /* in the tag of a multicast's empty message */

typedef struct agent {
    uint32_t node, latest; /* latest: destination of the call before */
    uint32_t open;         /* transfers that are not over */
    uint64_t ready;        /* cycle at which its next call may begin */
    uint64_t over;         /* at which the last of its transfers was over */
    fs_call call;
    bool has_call, done;
} agent;

/* What a packet under way belongs to: kept by its tag. */
typedef struct transfer {
    uint32_t agent, next; /* next: among the free ones */
    uint64_t left;        /* packets of its data that are not over */
    uint64_t bytes;       /* of data, of a read */
    bool read;
} transfer;

/* A packet of a multicast at one of its group: answered then. */
typedef struct copy {
    uint64_t cycle;
    struct network *plane;
    uint32_t node, to, number;
} copy;

/* What a node has still to send to another: a message of one flit, or data. */
typedef struct sending {
    uint64_t bytes; /* of data that the source has not been offered */
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
    fs_agent_plane of;
    senders senders;
    bool held;             /* by: */
    fs_call call;          /* its bytes: what has not left */
    uint32_t node, number; /* its sender; transfer */
    uint64_t until;        /* cycle in which its flits have left; UINT64_MAX: they have not begun */
    uint64_t *copied;      /* [links + ends] */
    double *through;       /* [links + ends], of a tree */
} network;

struct fs_agents {
    network *nets; /* [planes] */
    copy *copies;
    uint32_t copy_count;
    uint32_t planes, count, waiting; /* waiting: programs that are not done */
    uint64_t open;                   /* transfers that are not over */
    fs_agent_costs costs;
    fs_agent_program *program;
    void *self;
    agent *agents;
    transfer *transfers;
    uint32_t transfer_count, transfer_free;
    uint64_t now, moved, end;
};

fs_agents *fs_agents_create(const fs_agent_plane *of, uint32_t planes, const uint32_t *node, uint32_t count,
                            const fs_agent_costs *costs, fs_agent_program *program, void *self) {
    fs_agents *a = fs_calloc(1, sizeof *a);
    *a = (fs_agents){.nets = fs_calloc(planes, sizeof *a->nets),
                     .planes = planes,
                     .count = count,
                     .waiting = count,
                     .costs = *costs,
                     .program = program,
                     .self = self,
                     .agents = fs_calloc(count + 1, sizeof *a->agents),
                     .transfer_free = FS_NOC_NONE};
    for (uint32_t i = 0; i < count; i++)
        a->agents[i] = (agent){.node = node[i], .latest = FS_NOC_NONE};
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

void fs_agents_free(fs_agents *a) {
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
    free(a->agents);
    free(a->transfers);
    free(a);
}

static uint32_t flits_of(const fs_agents *a, uint64_t bytes) {
    return (uint32_t)fs_most(1, a->costs.header + fs_up(bytes, a->costs.width));
}

static uint64_t packets_of(const fs_agents *a, uint64_t bytes) {
    return fs_most(1, fs_up(bytes, a->costs.packet));
}

/* ---- sending ---- */

/* The next packet of what a node has to send goes to its source; what is sent whole goes. */
static void offer_next(const fs_agents *a, network *n, uint32_t from) {
    senders *q = &n->senders;
    const uint32_t number = q->first[from];
    sending *s = &q->item[number];
    const uint64_t part = fs_least(s->bytes, a->costs.packet);
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
static void feed(const fs_agents *a, network *n) {
    const uint64_t *busy = fs_noc_sending(n->of.net);
    for (uint32_t w = 0; w <= n->of.graph->ends / 64; w++)
        for (uint64_t bits = n->senders.waiting[w] & ~busy[w]; bits != 0; bits &= bits - 1)
            offer_next(a, n, w * 64 + (uint32_t)__builtin_ctzll(bits));
}

/* Behind what the node has to send already. */
static void send(const fs_agents *a, network *n, uint32_t from, sending what) {
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
static void send_one(const fs_agents *a, network *n, uint32_t from, uint32_t to, uint32_t kind,
                     uint32_t number) {
    send(a, n, from, (sending){.to = to, .kind = kind, .number = number});
}

/* Sends data in packets; all with the transfer's number. */
static void send_data(fs_agents *a, network *n, uint32_t from, uint32_t to, uint64_t bytes, uint32_t kind,
                      uint32_t number) {
    a->transfers[number].left = packets_of(a, bytes);
    send(a, n, from, (sending){.bytes = bytes, .to = to, .kind = kind, .number = number, .data = true});
}

static uint32_t open_transfer(fs_agents *a, uint32_t of, const fs_call *call) {
    uint32_t number = a->transfer_free;
    if (number == FS_NOC_NONE) {
        a->transfers = fs_grow(a->transfers, a->transfer_count, sizeof *a->transfers);
        number = a->transfer_count++;
    } else {
        a->transfer_free = a->transfers[number].next;
    }
    a->transfers[number] = (transfer){.agent = of, .bytes = call->bytes, .read = call->kind == FS_CALL_READ};
    a->agents[of].open++;
    a->open++;
    return number;
}

static void begin_call(fs_agents *a, uint32_t i) {
    agent *g = &a->agents[i];
    const fs_call *call = &g->call;
    const uint32_t number = open_transfer(a, i, call);
    if (call->kind == FS_CALL_READ)
        send_one(a, &a->nets[call->plane], g->node, call->to, REQUEST, number);
    else
        send_data(a, &a->nets[call->plane], g->node, call->to, call->bytes,
                  REQUEST | (a->costs.fixed ? FS_NOC_FIXED : 0), number);
}

/* ---- multicasts ---- */

static uint64_t alone(const network *n, uint32_t to, uint32_t flits, double *through) {
    const fs_noc_params params = {.channels = n->of.channels, .buffer = FS_NOC_MOST_DEPTH};
    fs_noc_way_of(n->of.graph, n->of.channels, n->node, to, n->number, through, 1);
    return fs_noc_alone(n->of.graph, &params, n->node, to, n->number, flits);
}

/* The empty message of the next packet, to the farthest of the group. */
static void reserve(const fs_agents *a, network *n) {
    uint32_t farthest = n->call.group[0];
    uint64_t most = 0;
    for (uint32_t m = 0; m < n->call.members; m++) {
        const uint64_t cycles = alone(n, n->call.group[m], 1, NULL);
        farthest = cycles > most ? n->call.group[m] : farthest;
        most = fs_most(most, cycles);
    }
    n->until = UINT64_MAX;
    send_one(a, n, n->node, farthest, REQUEST, n->number | RESERVES);
}

/* A processor's multicast: false, while another one holds its tree. */
static bool begin_multicast(fs_agents *a, uint32_t i) {
    const agent *g = &a->agents[i];
    network *n = &a->nets[g->call.plane];
    if (n->held)
        return false;
    n->held = true;
    n->call = g->call;
    n->node = g->node;
    n->number = open_transfer(a, i, &g->call);
    a->transfers[n->number].left = g->call.members * packets_of(a, g->call.bytes);
    reserve(a, n);
    return true;
}

/* The way is reserved: a packet leaves now, and is at each of the group when its way says. */
static void cast(fs_agents *a, network *n) {
    const uint64_t begin = a->now + 1; /* as what is offered behind a step */
    const uint64_t part = fs_least(n->call.bytes, a->costs.packet);
    const uint32_t flits = flits_of(a, part);
    const size_t links = (size_t)n->of.graph->links + n->of.graph->ends;
    for (uint32_t m = 0; m < n->call.members; m++) {
        const uint32_t to = n->call.group[m];
        a->copies = fs_grow(a->copies, a->copy_count, sizeof *a->copies);
        a->copies[a->copy_count++] =
            (copy){begin + alone(n, to, flits, n->through) + 1, n, to, n->node, n->number};
    }
    for (size_t l = 0; l < links; l++) {
        n->copied[l] += n->through[l] > 0 ? flits : 0;
        n->through[l] = 0;
    }
    a->moved += (uint64_t)(flits - a->costs.header) * a->costs.width * n->call.members;
    n->call.bytes -= part;
    n->until = begin + flits;
}

/* Copies that have arrived are answered; a tree whose flits have left is free, or reserved for the next packet. */
static void go_on_with_multicasts(fs_agents *a) {
    uint32_t left = 0;
    for (uint32_t k = 0; k < a->copy_count; k++) {
        const copy c = a->copies[k];
        if (c.cycle > a->now)
            a->copies[left++] = c;
        else
            send_one(a, c.plane, c.node, c.to, ANSWER, c.number);
    }
    a->copy_count = left;
    for (network *n = a->nets; n < a->nets + a->planes; n++)
        if (n->held && n->until <= a->now) {
            n->held = n->call.bytes > 0;
            if (n->held)
                reserve(a, n);
        }
}

/* Lets a processor do what it can in this cycle. */
static void advance(fs_agents *a, uint32_t i) {
    agent *g = &a->agents[i];
    while (!g->done) {
        if (!g->has_call && !(g->has_call = a->program(a->self, i, &g->call))) {
            if (g->open > 0)
                return;
            g->done = true;
            a->waiting--;
            a->end = fs_most(a->end, fs_most(g->ready, g->over > 0 ? g->over + a->costs.call : 0));
            return;
        }
        const uint64_t from = g->ready + g->call.gap;
        if (a->now < from)
            return;
        if (g->call.kind == FS_CALL_WAIT) {
            if (g->open > 0)
                return;
            g->ready = fs_most(from, g->over > 0 ? g->over + a->costs.call : 0);
        } else {
            if (g->call.kind == FS_CALL_MULTICAST) {
                if (!begin_multicast(a, i))
                    return;
            } else {
                begin_call(a, i);
            }
            g->ready = a->now + (g->latest == g->call.to || g->latest == FS_NOC_NONE ? a->costs.issue
                                                                                     : a->costs.other);
            g->latest = g->call.to;
        }
        g->has_call = false;
    }
}

/* A packet arrived: data of a write are answered, a read's request by its data. */
static void arrive(fs_agents *a, uint32_t plane, const fs_noc_arrival *p) {
    const bool reserves = (p->tag & RESERVES) != 0;
    transfer *t = &a->transfers[p->tag & ~RESERVES];
    if (p->kind == REQUEST) {
        if (t->read) {
            send_data(a, &a->nets[plane], p->dst, p->src, t->bytes, ANSWER, p->tag);
        } else {
            a->moved += reserves ? 0 : (uint64_t)(p->flits - a->costs.header) * a->costs.width;
            send_one(a, &a->nets[plane], p->dst, p->src, ANSWER, p->tag);
        }
        return;
    }
    if (reserves) {
        cast(a, &a->nets[plane]);
        return;
    }
    if (t->read)
        a->moved += (uint64_t)(p->flits - a->costs.header) * a->costs.width;
    if (--t->left > 0)
        return;
    agent *g = &a->agents[t->agent];
    g->open--;
    a->open--;
    g->over = a->now;
    t->next = a->transfer_free;
    a->transfer_free = p->tag;
}

/* The next cycle in which a processor may call or a multicast goes on; UINT64_MAX: all wait for the network. */
static uint64_t next_call(const fs_agents *a) {
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < a->count; i++) {
        const agent *g = &a->agents[i];
        if (!g->done && !(g->has_call && g->call.kind == FS_CALL_WAIT && g->open > 0))
            next = fs_least(next, fs_most(a->now + 1, g->ready + (g->has_call ? g->call.gap : 0)));
    }
    for (uint32_t k = 0; k < a->copy_count; k++)
        next = fs_least(next, a->copies[k].cycle);
    for (uint32_t p = 0; p < a->planes; p++)
        next = a->nets[p].held ? fs_least(next, a->nets[p].until) : next;
    return next;
}

bool fs_agents_piled(const fs_agents *a) {
    return a->costs.most > 0 && a->open > a->costs.most;
}

void fs_agents_run(fs_agents *a, uint64_t until) {
    while (a->waiting > 0 && a->now < until && !fs_agents_piled(a) && !fs_interrupted()) {
        bool idle = true;
        go_on_with_multicasts(a);
        for (uint32_t i = 0; i < a->count; i++)
            advance(a, i);
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
            idle = false;
        }
        a->now++;
        if (!idle)
            continue;
        const uint64_t next = fs_least(next_call(a), until);
        if (next != UINT64_MAX && next > a->now) {
            a->now = next;
            for (uint32_t plane = 0; plane < a->planes; plane++)
                fs_noc_skip(a->nets[plane].of.net, next);
        }
    }
}

uint64_t fs_agents_now(const fs_agents *a) {
    return a->now;
}

bool fs_agents_done(const fs_agents *a) {
    return a->waiting == 0;
}

uint64_t fs_agents_moved(const fs_agents *a) {
    return a->moved;
}

const uint64_t *fs_agents_copied(const fs_agents *a, uint32_t plane) {
    return a->nets[plane].copied;
}

uint64_t fs_agents_end(const fs_agents *a) {
    return a->end;
}
