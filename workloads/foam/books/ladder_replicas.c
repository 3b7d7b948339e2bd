/* Which shards deserve more than one tracer. */
#include "workloads/foam/books/ladder.h"

#include "sim/base/arith.h"

#include <stdlib.h>
#include <string.h>

/* With at most FS_PLAN_SHARDS shards relieved, the two slowest of the others are among so many: */
enum { TOP = FS_PLAN_SHARDS + 2, WORTH_PERMILLE = 5, MOST_PLANS = 3 * (FS_REPLICA_SHARDS + 1) };

typedef struct shard_time {
    uint64_t slowest; /* cycles of its slowest tracer */
    uint64_t work;    /* cycles of all its tracers above those of idle ones */
    uint32_t idle;    /* cycles of an idle one */
    uint32_t shard, owners;
} shard_time;

/* The slowest shards of an iteration, descending; equal ones by number. */
typedef struct tops {
    shard_time top[TOP];
    uint32_t count;
    uint64_t others;   /* slowest router, generator */
    uint64_t balanced; /* cycles of all tracers, shared equally */
} tops;

static uint32_t owners(const fs_overlay *o, uint32_t shard) {
    return o->owner_start[shard + 1] - o->owner_start[shard];
}

/* What the search for the slowest shards shares among iterations. A key is the cycles of a shard's slowest tracer,
 * and in its lower half how far the shard's number is from the last one: no two are equal. */
struct fs_shard_tops {
    const fs_foam_books *books;
    tops *iteration; /* [iterations], so many of them so far: */
    uint64_t iterations;
    uint32_t *column; /* [shards] of the only owner; UINT32_MAX: the shard has several */
    uint32_t *cycles; /* [shards] of the slowest tracer, in the iteration */
    uint64_t key[TOP];
    uint32_t count;
};

/* Which tiles are idle no processor guesses: no branch asks. */
static uint32_t cycles_at(const fs_foam_books *b, const uint32_t *row, uint32_t u) {
    return row[u] | (b->idle_of[u] & (0U - (row[u] == 0)));
}

/* sum: cycles of its tracers are added. */
static shard_time time_of(const fs_foam_books *b, const uint32_t *row, uint32_t shard, uint64_t *sum) {
    const fs_overlay *o = b->overlay;
    shard_time t = {.shard = shard, .owners = owners(o, shard)};
    for (uint32_t i = o->owner_start[shard]; i < o->owner_start[shard + 1]; i++) {
        const uint32_t u = b->column[o->tracer_tile[o->owner[i]]];
        const uint64_t cycles = cycles_at(b, row, u);
        t.slowest = fs_most(t.slowest, cycles);
        t.idle = b->idle_of[u];
        t.work += cycles - t.idle;
        *sum += cycles;
    }
    return t;
}

static uint32_t shard_of(uint64_t key) {
    return UINT32_MAX - (uint32_t)key;
}

/* Cycles of every shard; the sum over all tracers. */
static uint64_t take_cycles(fs_shard_tops *f, const uint32_t *row) {
    const fs_foam_books *b = f->books;
    const uint32_t shards = b->overlay->shards;
    uint64_t sum = 0;
    for (uint32_t s = 0; s < shards; s++)
        if (f->column[s] != UINT32_MAX)
            sum += f->cycles[s] = cycles_at(b, row, f->column[s]);
        else
            f->cycles[s] = (uint32_t)time_of(b, row, s, &sum).slowest;
    return sum;
}

/* Most shards are slow in many iterations: none that is faster than all of the last ones is looked at twice. */
static void find_slowest(fs_shard_tops *f) {
    const uint32_t shards = f->books->overlay->shards;
    uint32_t least = f->count < TOP ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t cycles = f->cycles[shard_of(f->key[i])];
        least = cycles < least ? cycles : least;
    }
    f->count = 0;
    for (uint32_t s = 0; s < shards; s++) {
        if (f->cycles[s] < least)
            continue;
        const uint64_t key = (uint64_t)f->cycles[s] << 32 | (UINT32_MAX - s);
        if (f->count == TOP && key < f->key[TOP - 1])
            continue;
        uint32_t at = f->count < TOP ? f->count++ : TOP - 1;
        for (; at > 0 && f->key[at - 1] < key; at--)
            f->key[at] = f->key[at - 1];
        f->key[at] = key;
    }
}

fs_shard_tops *fs_shard_tops_create(const fs_foam_books *b, uint64_t most_iterations, fs_arena *arena) {
    const fs_overlay *o = b->overlay;
    fs_shard_tops *f = FS_NEW(arena, fs_shard_tops, 1);
    *f = (fs_shard_tops){.books = b,
                         .iteration = FS_NEW(arena, tops, most_iterations),
                         .column = FS_NEW(arena, uint32_t, o->shards),
                         .cycles = FS_NEW(arena, uint32_t, o->shards)};
    for (uint32_t s = 0; s < o->shards; s++)
        f->column[s] =
            owners(o, s) == 1 ? b->column[o->tracer_tile[o->owner[o->owner_start[s]]]] : UINT32_MAX;
    return f;
}

void fs_shard_tops_add(fs_shard_tops *f, const uint32_t *row) {
    const fs_foam_books *b = f->books;
    const uint64_t tracers = b->overlay->tracers, sum = take_cycles(f, row);
    const uint64_t *compute = b->note[f->iterations].compute;
    tops *out = &f->iteration[f->iterations++];
    uint64_t none = 0;
    find_slowest(f);
    out->count = f->count;
    for (uint32_t i = 0; i < f->count; i++)
        out->top[i] = time_of(b, row, shard_of(f->key[i]), &none);
    out->others = fs_most(compute[FS_ROLE_ROUTER], compute[FS_ROLE_GENERATOR]);
    out->balanced = tracers > 0 ? (sum + tracers - 1) / tracers : 0;
}

fs_shard_tops *fs_shard_tops_make(const fs_foam_books *b, fs_arena *arena) {
    fs_shard_tops *f = fs_shard_tops_create(b, b->iterations, arena);
    for (uint64_t k = 0; k < b->iterations; k++)
        fs_shard_tops_add(f, b->cycles + k * b->used);
    return f;
}

uint64_t fs_shard_tops_balanced(const fs_shard_tops *t, uint64_t k) {
    return t->iteration[k].balanced;
}

static uint64_t divided(const shard_time *t, uint32_t copies) {
    if (t->owners == copies)
        return t->slowest;
    return t->idle + (t->work + copies - 1) / copies;
}

static bool relieves(const fs_replica_plan *plan, uint32_t shard) {
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->shard[i] == shard)
            return true;
    return false;
}

uint64_t fs_replicas_tracers(const fs_shard_tops *all, const fs_replica_plan *plan, uint64_t k) {
    const tops *t = &all->iteration[k];
    uint64_t slowest = 0;
    for (uint32_t i = 0; i < t->count; i++)
        slowest = fs_most(slowest, relieves(plan, t->top[i].shard) ? divided(&t->top[i], plan->copies)
                                                                   : t->top[i].slowest);
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
                rest = fs_most(rest, divided(&t->top[i], plan->copies));
        uint64_t now = first != NULL ? fs_most(rest, first->slowest) : rest;
        sum += now;
        if (first == NULL || first->slowest < now)
            continue;
        uint64_t then = fs_most(rest, divided(first, plan->copies));
        then = second != NULL ? fs_most(then, second->slowest) : then;
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

/* The shards that have several tracers already; false when they are too many for a plan. */
static bool begin_plan(const fs_overlay *o, fs_replica_plan *plan, uint32_t *most) {
    *most = 1;
    for (uint32_t s = 0; s < o->shards; s++) {
        *most = owners(o, s) > *most ? owners(o, s) : *most;
        if (owners(o, s) > 1 && plan->count == FS_REPLICA_SHARDS)
            return false;
        if (owners(o, s) > 1)
            plan->shard[plan->count++] = s;
    }
    return true;
}

/* Adds shards to a plan while there are some that set the pace; notes it each time it could be built. Returns
 * how many were noted. */
static uint32_t grow(const fs_overlay *o, const tops *iteration, uint64_t iterations, uint64_t measured,
                     fs_replica_plan plan, fs_replica_plan *noted) {
    uint64_t *gain = fs_malloc(2 * (size_t)o->shards * sizeof *gain), *paced = gain + o->shards;
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < plan.count; i++)
        plan.tiles += plan.copies - owners(o, plan.shard[i]);
    for (uint32_t added = 0; added <= FS_REPLICA_SHARDS && next != UINT32_MAX; added++) {
        memset(gain, 0, 2 * (size_t)o->shards * sizeof *gain);
        const uint64_t compute = weigh(iteration, iterations, &plan, gain, paced);
        plan.saved = measured > compute ? measured - compute : 0;
        if (plan.tiles > 0 && plan.tiles <= o->spares)
            noted[count++] = plan;
        next = best_shard(o, &plan, gain, paced);
        if (next != UINT32_MAX && added < FS_REPLICA_SHARDS) {
            plan.shard[plan.count++] = next;
            plan.tiles += plan.copies - owners(o, next);
        }
    }
    free(gain);
    return count;
}

/* Of some iterations. */
static void plan_of(const fs_overlay *o, const tops *iteration, uint64_t iterations, uint64_t cycles,
                    fs_replica_plan *out) {
    fs_replica_plan noted[MOST_PLANS], none = {.copies = 1}, start = {0};
    uint32_t plans = 0, most, most_tiles = 0;
    *out = none;
    if (!begin_plan(o, &start, &most))
        return;
    uint64_t *scratch = fs_calloc(2 * (size_t)o->shards, sizeof *scratch);
    const uint64_t measured = weigh(iteration, iterations, &none, scratch, scratch + o->shards);
    const uint32_t first = most > 1 ? most : 2, last = most > 1 ? most + 2 : FS_REPLICA_COPIES;
    for (start.copies = first; start.copies <= last; start.copies++)
        plans += grow(o, iteration, iterations, measured, start, noted + plans);
    free(scratch);
    for (uint32_t i = 0; i < plans; i++)
        most_tiles = noted[i].tiles > most_tiles ? noted[i].tiles : most_tiles;
    for (uint32_t tiles = 1; tiles <= most_tiles; tiles++)
        for (uint32_t i = 0; i < plans; i++)
            if (noted[i].tiles == tiles && better(&noted[i], out, cycles))
                *out = noted[i];
    sort_shards(out);
}

void fs_replicas_plan(const fs_shard_tops *all, uint64_t cycles, fs_replica_plan *out) {
    plan_of(all->books->overlay, all->iteration, all->books->iterations, cycles, out);
}

static bool same_plan(const fs_replica_plan *a, const fs_replica_plan *b) {
    return a->count == b->count && a->copies == b->copies &&
           memcmp(a->shard, b->shard, a->count * sizeof *a->shard) == 0;
}

void fs_replicas_follow(const fs_shard_tops *all, const uint64_t *first, uint32_t frames, uint64_t send,
                        fs_following *out) {
    const fs_foam_books *b = all->books;
    fs_replica_plan before = {.copies = 1};
    uint64_t sending = 0;
    *out = (fs_following){0};
    for (uint32_t f = 0; f < frames; f++) {
        const uint64_t end = f + 1 < frames ? first[f + 1] : b->iterations;
        uint64_t cycles = 0;
        fs_replica_plan plan;
        for (uint64_t k = first[f]; k < end; k++)
            cycles += fs_note_cycles(&b->note[k]);
        plan_of(b->overlay, all->iteration + first[f], end - first[f], cycles, &plan);
        const bool sent = plan.count > 0 && !same_plan(&plan, &before);
        if (plan.count == 0 || plan.saved <= (sent ? send : 0))
            continue;
        out->saved += plan.saved;
        out->frames++;
        out->tiles = plan.tiles > out->tiles ? plan.tiles : out->tiles;
        out->sent += sent;
        sending += sent ? send : 0;
        before = plan;
    }
    out->saved -= sending;
}
