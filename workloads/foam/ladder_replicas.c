/* Which shards deserve more than one tracer. */
#include "workloads/foam/ladder.h"

#include <stdlib.h>

/* With at most FS_REPLICA_SHARDS shards relieved, the two slowest of the others are among so many: */
enum { TOP = FS_REPLICA_SHARDS + 2, WORTH_PERMILLE = 5 };

typedef struct shard_time {
    uint64_t slowest; /* cycles of its slowest tracer */
    uint64_t work;    /* cycles of all its tracers above those of idle ones */
    uint32_t idle;    /* cycles of an idle one */
    uint32_t shard;
} shard_time;

/* The slowest shards of an iteration, descending; equal ones by number. */
typedef struct tops {
    shard_time top[TOP];
    uint32_t count;
    uint64_t others; /* slowest router, generator */
} tops;

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint32_t owners(const fs_overlay *o, uint32_t shard) {
    return o->owner_start[shard + 1] - o->owner_start[shard];
}

static shard_time time_of(const fs_foam_books *b, uint64_t k, uint32_t shard) {
    const fs_overlay *o = b->overlay;
    shard_time t = {.shard = shard};
    for (uint32_t i = o->owner_start[shard]; i < o->owner_start[shard + 1]; i++) {
        const uint32_t u = b->column[o->tracer_tile[o->owner[i]]];
        const uint64_t cycles = fs_books_tile_cycles(b, k, u);
        t.slowest = larger(t.slowest, cycles);
        t.idle = b->idle_of[u];
        t.work += cycles - t.idle;
    }
    return t;
}

static void insert(tops *of, const shard_time *t) {
    if (of->count == TOP && t->slowest <= of->top[TOP - 1].slowest)
        return;
    uint32_t at = of->count < TOP ? of->count++ : TOP - 1;
    for (; at > 0 && of->top[at - 1].slowest < t->slowest; at--)
        of->top[at] = of->top[at - 1];
    of->top[at] = *t;
}

static void find_tops(const fs_foam_books *b, uint64_t k, tops *out) {
    out->count = 0;
    out->others = larger(b->note[k].compute[FS_ROLE_ROUTER], b->note[k].compute[FS_ROLE_GENERATOR]);
    for (uint32_t s = 0; s < b->overlay->shards; s++) {
        const shard_time t = time_of(b, k, s);
        insert(out, &t);
    }
}

static uint64_t divided(const shard_time *t, uint32_t copies) {
    return t->idle + (t->work + copies - 1) / copies;
}

static bool relieves(const fs_replica_plan *plan, uint32_t shard) {
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->shard[i] == shard)
            return true;
    return false;
}

uint64_t fs_replicas_tracers(const fs_foam_books *b, const fs_replica_plan *plan, uint64_t k) {
    uint64_t slowest = 0;
    tops t;
    find_tops(b, k, &t);
    for (uint32_t i = 0; i < t.count; i++)
        slowest = larger(slowest, relieves(plan, t.top[i].shard) ? divided(&t.top[i], plan->copies)
                                                                 : t.top[i].slowest);
    return slowest;
}

/* What one more shard with plan->copies tracers would gain, for every shard: gain[shards]; iterations in
 * which it is the slowest as things are: paced[shards]. Returns the compute cycles under the plan. */
static uint64_t weigh(const tops *iteration, uint64_t iterations, const fs_replica_plan *plan, uint64_t *gain,
                      uint64_t *paced) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < iterations; k++) {
        const tops *t = &iteration[k];
        const shard_time *first = NULL, *second = NULL;
        uint64_t rest = t->others;
        for (uint32_t i = 0; i < t->count && second == NULL; i++) {
            if (relieves(plan, t->top[i].shard))
                continue;
            *(first == NULL ? &first : &second) = &t->top[i];
        }
        for (uint32_t i = 0; i < t->count; i++)
            if (relieves(plan, t->top[i].shard))
                rest = larger(rest, divided(&t->top[i], plan->copies));
        uint64_t now = first != NULL ? larger(rest, first->slowest) : rest;
        sum += now;
        if (first == NULL || first->slowest < now)
            continue;
        uint64_t then = larger(rest, divided(first, plan->copies));
        then = second != NULL ? larger(then, second->slowest) : then;
        paced[first->shard]++;
        gain[first->shard] += now > then ? now - then : 0;
    }
    return sum;
}

/* The shard that gains most; where none gains alone, the one that sets the pace most often. UINT32_MAX: none
 * that the plan could relieve. */
static uint32_t best_shard(const fs_overlay *o, const fs_replica_plan *plan, const uint64_t *gain,
                           const uint64_t *paced) {
    uint32_t best = UINT32_MAX;
    for (uint32_t s = 0; s < o->shards; s++) {
        if (paced[s] == 0 || relieves(plan, s) || owners(o, s) >= plan->copies)
            continue;
        if (best == UINT32_MAX || gain[s] > gain[best] || (gain[s] == gain[best] && paced[s] > paced[best]))
            best = s;
    }
    return best;
}

static void sort_shards(fs_replica_plan *plan) {
    for (uint32_t i = 1; i < plan->count; i++)
        for (uint32_t j = i; j > 0 && plan->shard[j] < plan->shard[j - 1]; j--) {
            uint32_t t = plan->shard[j];
            plan->shard[j] = plan->shard[j - 1];
            plan->shard[j - 1] = t;
        }
}

/* A plan replaces another when each tile more is worth it. */
static bool better(const fs_replica_plan *plan, const fs_replica_plan *than, uint64_t cycles) {
    if (plan->tiles <= than->tiles)
        return plan->saved > than->saved;
    return plan->saved > than->saved &&
           1000 * (plan->saved - than->saved) >= WORTH_PERMILLE * cycles * (plan->tiles - than->tiles);
}

void fs_replicas_plan(const fs_foam_books *b, uint64_t cycles, fs_replica_plan *out) {
    const fs_overlay *o = b->overlay;
    fs_replica_plan tried[FS_REPLICA_SHARDS * FS_REPLICA_COPIES];
    uint32_t plans = 0;
    tops *iteration = fs_malloc((b->iterations + 1) * sizeof *iteration);
    for (uint64_t k = 0; k < b->iterations; k++)
        find_tops(b, k, &iteration[k]);
    for (uint32_t copies = 2; copies <= FS_REPLICA_COPIES; copies++) {
        fs_replica_plan plan = {.copies = copies};
        uint64_t measured = 0;
        for (bool more = true; more;) {
            uint64_t *gain = fs_calloc(2 * (size_t)o->shards, sizeof *gain), *paced = gain + o->shards;
            const uint64_t compute = weigh(iteration, b->iterations, &plan, gain, paced);
            measured = plan.count == 0 ? compute : measured;
            plan.saved = measured - compute;
            if (plan.count > 0 && plan.tiles <= o->spares)
                tried[plans++] = plan;
            const uint32_t next = best_shard(o, &plan, gain, paced);
            more = next != UINT32_MAX && plan.count < FS_REPLICA_SHARDS;
            if (more) {
                plan.shard[plan.count++] = next;
                plan.tiles += copies - owners(o, next);
            }
            free(gain);
        }
    }
    free(iteration);
    *out = (fs_replica_plan){.copies = 1};
    for (uint32_t tiles = 1; tiles <= FS_REPLICA_SHARDS * FS_REPLICA_COPIES; tiles++)
        for (uint32_t i = 0; i < plans; i++)
            if (tried[i].tiles == tiles && better(&tried[i], out, cycles))
                *out = tried[i];
    sort_shards(out);
}
