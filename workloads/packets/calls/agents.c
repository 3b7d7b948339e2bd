#include "workloads/packets/calls/agents.h"

#include "sim/base/arith.h"

#include <stdlib.h>

enum { READS, WRITES, CLASSES };

typedef struct agent {
    uint32_t node, latest;  /* latest: destination of the call before */
    uint32_t open[CLASSES]; /* transfers that are not over */
    uint64_t over[CLASSES]; /* cycle at which the last of them was over */
    uint64_t since;         /* from which the next call's gap counts */
    uint64_t ready;         /* at which its next call may begin */
    fs_call call;
    bool has_call, done;
} agent;

/* A send of a processor that is not answered. */
typedef struct sending {
    const fs_ways *ways;
    uint32_t agent, next; /* next: among the free ones */
} sending;

/* The owner of a transfer: an agent and the class, or a send. */
#define OF_SEND ((uint64_t)1 << 62)

struct fs_agents {
    fs_carrier *carrier;
    fs_edges *edges;
    uint32_t count, waiting; /* waiting: programs that are not done */
    fs_agent_costs costs;
    fs_agent_program *program;
    void *self;
    agent *agents;
    fs_agent_times *times;
    sending *sends; /* under way */
    uint32_t send_count, send_free;
    uint64_t due, end; /* due: no program goes on before that cycle */
};

/* ---- calls ---- */

static uint32_t open_of(const agent *g, uint32_t waits) {
    return (waits & FS_CALL_READS ? g->open[READS] : 0) + (waits & FS_CALL_WRITES ? g->open[WRITES] : 0);
}

/* When the last transfer that a wait waits for was known to be over. */
static uint64_t known_of(const fs_agents *a, const agent *g, uint32_t waits) {
    const uint64_t over =
        fs_most(waits & FS_CALL_READS ? g->over[READS] : 0, waits & FS_CALL_WRITES ? g->over[WRITES] : 0);
    return over > 0 ? over + a->costs.call : 0;
}

static uint64_t own_send(fs_agents *a, uint32_t i, const fs_ways *ways) {
    uint32_t number = a->send_free;
    if (number == FS_NOC_NONE) {
        a->sends = fs_grow(a->sends, a->send_count, sizeof *a->sends);
        number = a->send_count++;
    } else {
        a->send_free = a->sends[number].next;
    }
    a->sends[number] = (sending){.ways = ways, .agent = i};
    return OF_SEND | number;
}

/* Begins a transfer; false: a multicast, whose network another one holds. */
static bool begin(fs_agents *a, uint32_t i) {
    static const fs_load_kind kinds[] = {[FS_CALL_WRITE] = FS_LOAD_WRITE,
                                         [FS_CALL_READ] = FS_LOAD_READ,
                                         [FS_CALL_MULTICAST] = FS_LOAD_CAST,
                                         [FS_CALL_SEND] = FS_LOAD_WRITE};
    agent *g = &a->agents[i];
    const fs_call *call = &g->call;
    const uint32_t class = call->kind == FS_CALL_READ ? READS : WRITES;
    const fs_load load = {.kind = kinds[call->kind],
                          .plane = call->plane,
                          .from = g->node,
                          .to = call->to,
                          .bytes = call->bytes,
                          .group = call->kind == FS_CALL_MULTICAST ? call->group : NULL,
                          .owner = call->kind == FS_CALL_SEND ? own_send(a, i, call->ways)
                                                              : (uint64_t)i << 1 | class};
    g->open[class]++;
    if (fs_carrier_begin(a->carrier, &load))
        return true;
    g->open[class]--;
    return false;
}

/* What is measured of a call that begins now. */
static void time_call(const fs_agents *a, fs_agent_times *t, const fs_call *call, uint64_t now) {
    if (call->kind == FS_CALL_READ && t->read == UINT64_MAX)
        t->read = now - fs_least(now, a->costs.stamp);
    if (call->kind == FS_CALL_SEND && t->sent == UINT64_MAX)
        t->sent = now;
    if (call->kind == FS_CALL_WRITE && call->waits == FS_CALL_COUNTED && t->sent != UINT64_MAX &&
        t->done == UINT64_MAX)
        t->done = now;
}

static void time_wait(fs_agent_times *t, const fs_call *call, uint64_t from, uint64_t to) {
    if ((call->waits & ~(FS_CALL_ENDED | FS_CALL_WHOLE)) != (FS_CALL_READS | FS_CALL_COUNTED))
        return;
    t->waited = to;
    t->waits++;
    t->waiting += to - from;
    t->longest = fs_most(t->longest, to - from);
}

/* Lets a processor do what it can in this cycle; the next cycle in which it may do something by itself. */
static uint64_t go_on(fs_agents *a, uint32_t i) {
    agent *g = &a->agents[i];
    const uint64_t now = fs_carrier_now(a->carrier);
    while (!g->done) {
        if (!g->has_call && !(g->has_call = a->program(a->self, i, &g->call))) {
            if (open_of(g, FS_CALL_ALL) > 0)
                return UINT64_MAX;
            g->done = true;
            a->waiting--;
            a->end = fs_most(a->end, fs_most(g->ready, known_of(a, g, FS_CALL_ALL)));
            return UINT64_MAX;
        }
        const uint64_t from = fs_most(g->ready, g->since + g->call.gap);
        if (now < from)
            return from;
        if (g->call.kind == FS_CALL_WAIT) {
            if (open_of(g, g->call.waits) > 0)
                return UINT64_MAX;
            g->ready = fs_most(from, known_of(a, g, g->call.waits));
            g->since = (g->call.waits & FS_CALL_WHOLE) != 0 ? from : g->ready;
            time_wait(&a->times[i], &g->call, from - fs_least(from, a->costs.stamp), g->ready);
        } else {
            if (!begin(a, i))
                return now + 1;
            time_call(a, &a->times[i], &g->call, now);
            g->ready =
                now + (g->latest == g->call.to || g->latest == FS_NOC_NONE ? a->costs.issue : a->costs.other);
            g->since = g->ready;
            g->latest = g->call.to;
        }
        g->has_call = false;
    }
    return UINT64_MAX;
}

/* ---- of the carrier ---- */

static void advance(void *self) {
    fs_agents *a = self;
    if (a->edges != NULL)
        fs_edges_advance(a->edges, a->carrier);
    if (fs_carrier_now(a->carrier) < a->due)
        return;
    a->due = UINT64_MAX;
    for (uint32_t i = 0; i < a->count; i++)
        if (!a->agents[i].done)
            a->due = fs_least(a->due, go_on(a, i));
}

static uint64_t next_cycle(void *self) {
    const fs_agents *a = self;
    return fs_least(a->due, a->edges == NULL ? UINT64_MAX : fs_edges_next(a->edges));
}

static void there(void *self, uint64_t owner) {
    fs_agents *a = self;
    if ((owner & OF_SEND) != 0)
        fs_edges_come(a->edges, fs_carrier_now(a->carrier), a->sends[owner & ~OF_SEND].ways, 0);
}

static void over(void *self, uint64_t owner) {
    fs_agents *a = self;
    const uint64_t now = fs_carrier_now(a->carrier);
    uint32_t i = (uint32_t)(owner >> 1), class = owner & 1;
    if ((owner & FS_EDGES_OWN) != 0) {
        fs_edges_over(a->edges, now, owner);
        return;
    }
    if ((owner & OF_SEND) != 0) {
        sending *s = &a->sends[owner & ~OF_SEND];
        i = s->agent;
        class = WRITES;
        s->next = a->send_free;
        a->send_free = (uint32_t)(owner & ~OF_SEND);
    }
    a->agents[i].open[class]--;
    a->agents[i].over[class] = now;
    a->due = 0;
}

static bool done(const void *self) {
    const fs_agents *a = self;
    return fs_agents_piled(a) || fs_agents_done(a);
}

/* ---- from outside ---- */

fs_agents *fs_agents_create(const fs_carrier_plane *of, uint32_t planes, const uint32_t *node, uint32_t count,
                            const fs_agent_costs *costs, fs_agent_program *program, void *self) {
    fs_agents *a = fs_calloc(1, sizeof *a);
    const fs_carrier_user user = {
        .self = a, .advance = advance, .next = next_cycle, .done = done, .there = there, .over = over};
    *a = (fs_agents){.carrier = fs_carrier_create(of, planes, &costs->carrier, &user),
                     .edges = costs->edges == 0 ? NULL : fs_edges_create(&costs->edge, costs->edges),
                     .count = count,
                     .waiting = count,
                     .costs = *costs,
                     .program = program,
                     .self = self,
                     .agents = fs_calloc(count + 1, sizeof *a->agents),
                     .times = fs_calloc(count + 1, sizeof *a->times),
                     .send_free = FS_NOC_NONE};
    for (uint32_t i = 0; i < count; i++) {
        a->agents[i] = (agent){.node = node[i], .latest = FS_NOC_NONE};
        a->times[i] = (fs_agent_times){UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, 0, 0};
    }
    return a;
}

void fs_agents_free(fs_agents *a) {
    if (a == NULL)
        return;
    fs_carrier_free(a->carrier);
    fs_edges_free(a->edges);
    free(a->agents);
    free(a->times);
    free(a->sends);
    free(a);
}

void fs_agents_run(fs_agents *a, uint64_t until) {
    fs_carrier_run(a->carrier, until);
}

bool fs_agents_piled(const fs_agents *a) {
    return a->costs.most > 0 && fs_carrier_open(a->carrier) > a->costs.most;
}

bool fs_agents_done(const fs_agents *a) {
    return a->waiting == 0 && (a->edges == NULL || fs_edges_done(a->edges));
}

uint64_t fs_agents_end(const fs_agents *a) {
    return a->end;
}

uint64_t fs_agents_over(const fs_agents *a) {
    return a->edges == NULL ? a->end : fs_most(a->end, fs_edges_last(a->edges));
}

const fs_agent_times *fs_agents_times(const fs_agents *a) {
    return a->times;
}

const uint64_t *fs_agents_edges(const fs_agents *a) {
    return a->edges == NULL ? NULL : fs_edges_held(a->edges);
}

const fs_carrier *fs_agents_carrier(const fs_agents *a) {
    return a->carrier;
}
