/* Two planners, the shorter plan wins.
 *
 * Rounds: the colour classes one after another, those with the longest transfers first, then those with the
 * farthest; each transfer starts as soon as both its ports have done their earlier rounds. With equal lanes
 * this meets the lower bound exactly.
 *
 * List: at every time at which ports fall free, they take, the port with most left to move first, the waiting
 * transfer whose other end has most left to move. For unequal lanes (open-shop scheduling, which is NP-hard
 * without splitting transfers) it stays near the bound and never exceeds twice it. */
#include "models/exchange/schedule.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Cycles each port has to move: [2 * tiles], senders then receivers. Owner: caller, free(). */
static uint64_t *port_loads(const fs_schedule_job *job) {
    uint64_t *load = fs_calloc(2 * (size_t)job->tiles, sizeof *load);
    for (uint32_t t = 0; t < job->count; t++) {
        load[job->transfers[t].src] += job->cycles[t];
        load[job->tiles + job->transfers[t].dst] += job->cycles[t];
    }
    return load;
}

uint64_t fs_schedule_bound(const fs_schedule_job *job) {
    uint64_t *load = port_loads(job), bound = 0;
    for (uint32_t p = 0; p < 2 * job->tiles; p++)
        bound = fs_most(bound, load[p]);
    free(load);
    return bound;
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
        k->cycles = fs_most(k->cycles, job->cycles[t]);
        k->latency = job->latency[t] > k->latency ? job->latency[t] : k->latency;
    }
    qsort(key, rounds, sizeof *key, by_length_then_distance);
    uint64_t *free_at = fs_calloc(2 * (size_t)job->tiles, sizeof *free_at);
    for (uint32_t r = 0; r < rounds; r++)
        for (uint32_t t = 0; t < job->count; t++) {
            if (colour[t] != key[r].colour)
                continue;
            uint64_t *out = &free_at[job->transfers[t].src];
            uint64_t *in = &free_at[job->tiles + job->transfers[t].dst];
            start[t] = fs_most(*out, *in);
            *out = *in = start[t] + job->cycles[t];
        }
    free(colour);
    free(key);
    free(free_at);
}

/* The list planner. Ports: senders 0 ... tiles - 1, receivers tiles ... 2 tiles - 1. */
typedef struct list_planner {
    const fs_schedule_job *job;
    uint64_t *left;       /* [ports] cycles still to move */
    bool *taken;          /* [ports] in a transfer */
    bool *started;        /* [count] */
    uint32_t *lane_start; /* [ports + 1] CSR of the port's transfers */
    uint32_t *lane;       /* [2 count] */
    fs_event_heap ends;   /* of running transfers */
} list_planner;

static uint32_t other_port(const list_planner *p, uint32_t port, uint32_t transfer) {
    const fs_transfer *t = &p->job->transfers[transfer];
    return port < p->job->tiles ? p->job->tiles + t->dst : t->src;
}

static void index_ports(list_planner *p) {
    uint32_t ports = 2 * p->job->tiles;
    for (uint32_t t = 0; t < p->job->count; t++) {
        p->lane_start[p->job->transfers[t].src + 1]++;
        p->lane_start[p->job->tiles + p->job->transfers[t].dst + 1]++;
    }
    for (uint32_t i = 0; i < ports; i++)
        p->lane_start[i + 1] += p->lane_start[i];
    uint32_t *fill = fs_malloc(ports * sizeof *fill);
    memcpy(fill, p->lane_start, ports * sizeof *fill);
    for (uint32_t t = 0; t < p->job->count; t++) {
        p->lane[fill[p->job->transfers[t].src]++] = t;
        p->lane[fill[p->job->tiles + p->job->transfers[t].dst]++] = t;
    }
    free(fill);
}

/* The transfer that a free port takes now, or `count` when no other end is free. */
static uint32_t choose(const list_planner *p, uint32_t port) {
    uint32_t best = p->job->count;
    uint64_t best_left = 0;
    for (uint32_t i = p->lane_start[port]; i < p->lane_start[port + 1]; i++) {
        uint32_t t = p->lane[i], other = other_port(p, port, t);
        if (p->started[t] || p->taken[other])
            continue;
        if (best == p->job->count || p->left[other] > best_left ||
            (p->left[other] == best_left && p->job->cycles[t] > p->job->cycles[best])) {
            best = t;
            best_left = p->left[other];
        }
    }
    return best;
}

static void take(list_planner *p, uint32_t port, uint64_t now, uint64_t *start) {
    if (p->taken[port])
        return;
    uint32_t t = choose(p, port);
    if (t == p->job->count)
        return;
    uint32_t other = other_port(p, port, t);
    p->taken[port] = p->taken[other] = p->started[t] = true;
    p->left[port] -= p->job->cycles[t];
    p->left[other] -= p->job->cycles[t];
    start[t] = now;
    fs_heap_push(&p->ends, now + p->job->cycles[t], t);
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
            const fs_transfer *t = &p->job->transfers[fs_heap_pop(&p->ends).id];
            uint32_t ends[2] = {t->src, p->job->tiles + t->dst};
            for (int e = 0; e < 2; e++) {
                p->taken[ends[e]] = false;
                fresh[count++] = (free_port){p->left[ends[e]], ends[e]};
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
    p.lane = fs_malloc(2 * (size_t)job->count * sizeof *p.lane);
    p.ends.item = fs_malloc(((size_t)job->tiles + 1) * sizeof *p.ends.item);
    for (uint32_t t = 0; t < job->count; t++)
        p.started[t] = job->cycles[t] == 0;
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

static uint64_t length_of(const fs_schedule_job *job, const uint64_t *start, uint64_t *arrival) {
    uint64_t length = 0;
    *arrival = 0;
    for (uint32_t t = 0; t < job->count; t++)
        if (job->cycles[t] > 0) {
            length = fs_most(length, start[t] + job->cycles[t]);
            *arrival = fs_most(*arrival, start[t] + job->cycles[t] + job->latency[t]);
        }
    return length;
}

void fs_schedule_plan(const fs_schedule_job *job, uint64_t *start) {
    uint64_t *other = fs_calloc(job->count, sizeof *other), rounds_arrival, list_arrival;
    plan_rounds(job, start);
    plan_list(job, other);
    uint64_t rounds = length_of(job, start, &rounds_arrival);
    uint64_t list = length_of(job, other, &list_arrival);
    if (list < rounds || (list == rounds && list_arrival < rounds_arrival))
        memcpy(start, other, job->count * sizeof *start);
    free(other);
}
