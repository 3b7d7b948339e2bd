/* Two planners, the shorter plan wins.
 *
 * Rounds: the colour classes one after another, those with the longest transfers first, then those with the
 * farthest; each transfer starts as soon as both its ports have done their earlier rounds. With equal lanes
 * this meets the lower bound exactly. It has messages to one receiver alone.
 *
 * List: at every time at which ports fall free, they take, the port with most left to move first, the waiting
 * transfer whose other end has most left to move. For unequal lanes (open-shop scheduling, which is NP-hard
 * without splitting transfers) it stays near the bound and never exceeds twice it. */
#include "models/exchange/schedule.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Ports: senders 0 ... tiles - 1, receivers tiles ... 2 tiles - 1. The i-th that a message takes. */
static uint32_t ports_of(const fs_message *m) {
    return 1 + m->count + (m->lent != m->src);
}

static uint32_t port_of(const fs_schedule_job *job, const fs_message *m, uint32_t i) {
    return i == 0 ? m->src : i <= m->count ? job->tiles + job->to[m->first + i - 1] : m->lent;
}

/* Cycles each port has to move: [2 * tiles]. Owner: caller, free(). */
static uint64_t *port_loads(const fs_schedule_job *job) {
    uint64_t *load = fs_calloc(2 * (size_t)job->tiles, sizeof *load);
    for (const fs_message *m = job->message; m < job->message + job->count; m++)
        for (uint32_t i = 0; i < ports_of(m); i++)
            load[port_of(job, m, i)] += m->cycles;
    return load;
}

typedef struct round_key {
    uint64_t cycles;  /* longest transfer of the round */
    uint32_t latency; /* farthest */
    uint32_t colour;
} round_key;

static int by_length_then_distance(const void *pa, const void *pb) {
    const round_key *a = pa, *b = pb;
    if (a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    if (a->latency != b->latency)
        return a->latency > b->latency ? -1 : 1;
    return a->colour < b->colour ? -1 : 1;
}

static void plan_rounds(const fs_schedule_job *job, uint64_t *start) {
    uint32_t *colour = fs_malloc(job->count * sizeof *colour);
    uint32_t rounds = fs_schedule_colour(job, colour);
    round_key *key = fs_calloc(rounds, sizeof *key);
    for (uint32_t r = 0; r < rounds; r++)
        key[r].colour = r;
    for (uint32_t t = 0; t < job->count; t++) {
        if (colour[t] == FS_NO_COLOUR)
            continue;
        round_key *k = &key[colour[t]];
        const fs_message *m = &job->message[t];
        k->cycles = fs_most(k->cycles, m->cycles);
        k->latency = m->latency > k->latency ? m->latency : k->latency;
    }
    qsort(key, rounds, sizeof *key, by_length_then_distance);
    uint64_t *free_at = fs_calloc(2 * (size_t)job->tiles, sizeof *free_at);
    for (uint32_t r = 0; r < rounds; r++)
        for (uint32_t t = 0; t < job->count; t++) {
            if (colour[t] != key[r].colour)
                continue;
            const fs_message *m = &job->message[t];
            uint64_t *out = &free_at[port_of(job, m, 0)], *in = &free_at[port_of(job, m, 1)];
            start[t] = fs_most(*out, *in);
            *out = *in = start[t] + m->cycles;
        }
    free(colour);
    free(key);
    free(free_at);
}

/* A message of a port. */
typedef struct port_lane {
    uint32_t message;
    uint32_t other; /* its port at the other end, of several receivers the first */
} port_lane;

/* The list planner. */
typedef struct list_planner {
    const fs_schedule_job *job;
    uint64_t *left;       /* [ports] cycles still to move */
    bool *taken;          /* [ports] in a message */
    bool *started;        /* [count] */
    uint32_t *lane_start; /* [ports + 1] CSR of the port's messages */
    port_lane *lane;      /* [ports of all messages] */
    fs_event_heap ends;   /* of running messages */
} list_planner;

static void index_ports(list_planner *p) {
    const fs_schedule_job *job = p->job;
    uint32_t ports = 2 * job->tiles;
    for (const fs_message *m = job->message; m < job->message + job->count; m++)
        for (uint32_t i = 0; i < ports_of(m); i++)
            p->lane_start[port_of(job, m, i) + 1]++;
    for (uint32_t i = 0; i < ports; i++)
        p->lane_start[i + 1] += p->lane_start[i];
    p->lane = fs_malloc((p->lane_start[ports] + 1) * sizeof *p->lane);
    uint32_t *fill = fs_malloc(ports * sizeof *fill);
    memcpy(fill, p->lane_start, ports * sizeof *fill);
    for (uint32_t t = 0; t < job->count; t++)
        for (uint32_t i = 0; i < ports_of(&job->message[t]); i++) {
            const uint32_t port = port_of(job, &job->message[t], i);
            p->lane[fill[port]++] = (port_lane){t, port_of(job, &job->message[t], port < job->tiles ? 1 : 0)};
        }
    free(fill);
}

static bool all_free(const list_planner *p, const fs_message *m) {
    for (uint32_t i = 0; i < ports_of(m); i++)
        if (p->taken[port_of(p->job, m, i)])
            return false;
    return true;
}

/* The message that a free port takes now, or `count` when no message has all its ports free: of those the one
 * whose other end, of several receivers the first, has most left. */
static uint32_t choose(const list_planner *p, uint32_t port) {
    const fs_schedule_job *job = p->job;
    uint32_t best = job->count;
    uint64_t best_left = 0;
    for (uint32_t i = p->lane_start[port]; i < p->lane_start[port + 1]; i++) {
        const uint32_t t = p->lane[i].message, other = p->lane[i].other;
        if (p->started[t] || p->taken[other])
            continue;
        const uint64_t left = p->left[other];
        const bool better = best == job->count || left > best_left ||
                            (left == best_left && job->message[t].cycles > job->message[best].cycles);
        if (!better || !(job->single || all_free(p, &job->message[t])))
            continue;
        best = t;
        best_left = left;
    }
    return best;
}

static void take(list_planner *p, uint32_t port, uint64_t now, uint64_t *start) {
    if (p->taken[port])
        return;
    uint32_t t = choose(p, port);
    if (t == p->job->count)
        return;
    const fs_message *m = &p->job->message[t];
    p->started[t] = true;
    for (uint32_t i = 0; i < ports_of(m); i++) {
        p->taken[port_of(p->job, m, i)] = true;
        p->left[port_of(p->job, m, i)] -= m->cycles;
    }
    start[t] = now;
    fs_heap_put(p->ends.item, &p->ends.count, (fs_heap_item){now + m->cycles, t});
}

typedef struct free_port {
    uint64_t left;
    uint32_t port;
} free_port;

static int by_work_left(const void *pa, const void *pb) {
    const free_port *a = pa, *b = pb;
    if (a->left != b->left)
        return a->left > b->left ? -1 : 1;
    return a->port < b->port ? -1 : 1;
}

static void run_list(list_planner *p, free_port *fresh, uint64_t *start) {
    uint32_t ports = 2 * p->job->tiles, count = 0;
    for (uint32_t i = 0; i < ports; i++)
        if (p->left[i] > 0)
            fresh[count++] = (free_port){p->left[i], i};
    uint64_t now = 0;
    for (;;) {
        qsort(fresh, count, sizeof *fresh, by_work_left);
        for (uint32_t i = 0; i < count; i++)
            take(p, fresh[i].port, now, start);
        if (p->ends.count == 0)
            return;
        now = p->ends.item[0].time;
        count = 0;
        while (p->ends.count > 0 && p->ends.item[0].time == now) {
            const fs_message *m = &p->job->message[fs_heap_take(p->ends.item, &p->ends.count).id];
            for (uint32_t i = 0; i < ports_of(m); i++) {
                const uint32_t port = port_of(p->job, m, i);
                p->taken[port] = false;
                fresh[count++] = (free_port){p->left[port], port};
            }
        }
    }
}

static void plan_list(const fs_schedule_job *job, uint64_t *start) {
    size_t ports = 2 * (size_t)job->tiles;
    list_planner p = {.job = job, .left = port_loads(job)};
    p.taken = fs_calloc(ports, sizeof *p.taken);
    p.started = fs_calloc(job->count, sizeof *p.started);
    p.lane_start = fs_calloc(ports + 1, sizeof *p.lane_start);
    p.ends.item = fs_malloc(((size_t)job->tiles + 1) * sizeof *p.ends.item);
    for (uint32_t t = 0; t < job->count; t++)
        p.started[t] = job->message[t].cycles == 0;
    index_ports(&p);
    free_port *fresh = fs_malloc(ports * sizeof *fresh);
    run_list(&p, fresh, start);
    free(p.left);
    free(p.taken);
    free(p.started);
    free(p.lane_start);
    free(p.lane);
    free(p.ends.item);
    free(fresh);
}

fs_schedule_length fs_schedule_length_of(const fs_schedule_job *job, const uint64_t *start) {
    fs_schedule_length length = {0};
    for (uint32_t t = 0; t < job->count; t++) {
        const uint64_t end = start[t] + job->message[t].cycles;
        if (job->message[t].cycles == 0)
            continue;
        length.sent = fs_most(length.sent, end);
        length.arrived = fs_most(length.arrived, end + job->message[t].latency);
    }
    return length;
}

void fs_schedule_plan(const fs_schedule_job *job, uint64_t *start) {
    if (!job->single) {
        plan_list(job, start);
        return;
    }
    uint64_t *other = fs_calloc(job->count, sizeof *other);
    plan_rounds(job, start);
    plan_list(job, other);
    if (fs_schedule_shorter(fs_schedule_length_of(job, other), fs_schedule_length_of(job, start)))
        memcpy(start, other, job->count * sizeof *start);
    free(other);
}
