/* Tasks of the nodes, each behind those that it waits for: the ready node with the least id goes first. A computation is one
 * task, a send one, a collective as many as its ring has steps; a receive waits for its send. */
#include "formats/chakra/private.h"
#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DEVICE = 1, HOST = 2 };
#define NO_TASK UINT64_MAX

typedef struct ready {
    uint64_t id;
    uint32_t node;
} ready;

static bool is_before(const ready *a, const ready *b) {
    return a->id != b->id ? a->id < b->id : a->node < b->node;
}
FS_HEAP(ready, ready, is_before)

struct fs_chakra_order {
    const fs_chakra *c;
    double clock;
    uint32_t *waits;        /* [nodes] others that are not over */
    uint32_t *first, *then; /* [nodes + 1], [...] who waits for a node */
    uint64_t *end;          /* [nodes] the task with which it is over; NO_TASK: it is not yet */
    ready *ready;           /* [count] a heap, the least id at the root */
    uint32_t count;
    uint32_t left;     /* nodes that are not over */
    uint32_t *missing; /* [meetings] ranks of a collective that are not ready */
    uint64_t task;
    /* A collective under way: */
    const fs_chakra_meeting *ring;
    uint32_t step, place;
    uint64_t begin; /* its first task */
    uint64_t *after;
    size_t after_room;
};

/* ---- who is ready ---- */

/* Nothing is waited for any more; a collective goes when its last rank is ready. */
static void get_ready(fs_chakra_order *o, uint32_t n) {
    const fs_chakra_node *node = &o->c->node[n];
    if (node->kind != FS_CHAKRA_COLLECTIVE || --o->missing[node->peer] == 0)
        ready_put(o->ready, &o->count, (ready){node->id, n});
}

static void end_node(fs_chakra_order *o, uint32_t n, uint64_t task) {
    o->end[n] = task;
    o->left--;
    for (uint32_t i = o->first[n]; i < o->first[n + 1]; i++)
        if (--o->waits[o->then[i]] == 0)
            get_ready(o, o->then[i]);
}

/* ---- what is waited for ---- */

static uint32_t waits_of(const fs_chakra *c, uint32_t n) {
    return c->node[n].count + (c->node[n].kind == FS_CHAKRA_RECEIVE);
}

static uint32_t wait_of(const fs_chakra *c, uint32_t n, uint32_t i) {
    return i < c->node[n].count ? (uint32_t)c->after[c->node[n].first + i] : c->node[n].peer;
}

fs_chakra_order *fs_chakra_order_make(const fs_chakra *c, double clock) {
    fs_arena *a = c->arena;
    fs_chakra_order *o = FS_NEW(a, fs_chakra_order, 1);
    *o = (fs_chakra_order){.c = c,
                           .clock = clock,
                           .waits = FS_NEW(a, uint32_t, c->nodes + 1u),
                           .first = FS_NEW(a, uint32_t, c->nodes + 2u),
                           .then = FS_NEW(a, uint32_t, c->nodes + (size_t)c->afters + 1),
                           .end = FS_NEW(a, uint64_t, c->nodes + 1u),
                           .ready = FS_NEW(a, ready, c->nodes + 1u),
                           .missing = FS_NEW(a, uint32_t, c->meetings + 1u),
                           .left = c->nodes};
    for (uint32_t m = 0; m < c->meetings; m++)
        o->missing[m] = c->group[c->meeting[m].group].ranks;
    for (uint32_t n = 0; n < c->nodes; n++) {
        o->end[n] = NO_TASK;
        o->waits[n] = waits_of(c, n);
        for (uint32_t i = 0; i < o->waits[n]; i++)
            o->first[wait_of(c, n, i) + 2]++;
    }
    for (uint32_t n = 2; n <= c->nodes; n++)
        o->first[n] += o->first[n - 1];
    for (uint32_t n = 0; n < c->nodes; n++)
        for (uint32_t i = 0; i < o->waits[n]; i++)
            o->then[o->first[wait_of(c, n, i) + 1]++] = n;
    for (uint32_t n = 0; n < c->nodes; n++)
        if (o->waits[n] == 0)
            get_ready(o, n);
    return o;
}

/* ---- tasks ---- */

static void wait_for(fs_chakra_order *o, fs_task *out, uint64_t task) {
    if (out->after_count == o->after_room)
        o->after = fs_arena_grow(o->c->arena, o->after, o->after_room++, sizeof *o->after);
    o->after[out->after_count++] = task;
    out->after = o->after;
}

static void wait_for_node(fs_chakra_order *o, fs_task *out, uint32_t n) {
    for (uint32_t i = 0; i < waits_of(o->c, n); i++)
        wait_for(o, out, o->end[wait_of(o->c, n, i)]);
}

static uint64_t cycles_of(const fs_chakra_order *o, uint64_t micros) {
    const double cycles = (double)micros * o->clock * 1e-6;
    return cycles < 1e18 ? (uint64_t)(cycles + 0.5) : (uint64_t)1e18;
}

/* Ranks of the ring under way, steps of it, bytes of a step. */
static uint32_t ranks_of(const fs_chakra_order *o) {
    return o->c->group[o->ring->group].ranks;
}

static uint32_t steps_of(const fs_chakra_order *o) {
    const uint32_t ranks = ranks_of(o);
    return o->c->node[o->ring->node[0]].collective == FS_CHAKRA_ALL_REDUCE ? 2 * (ranks - 1) : ranks - 1;
}

static uint64_t bytes_of(const fs_chakra_order *o) {
    const fs_chakra_node *n = &o->c->node[o->ring->node[0]];
    const bool parts = n->collective == FS_CHAKRA_ALL_REDUCE || n->collective == FS_CHAKRA_ALL_TO_ALL ||
                       n->collective == FS_CHAKRA_REDUCE_SCATTER ||
                       n->collective == FS_CHAKRA_REDUCE_SCATTER_BLOCK || n->collective == FS_CHAKRA_SCATTER;
    const uint64_t bytes = parts ? (n->amount + ranks_of(o) - 1) / ranks_of(o) : n->amount;
    return bytes > 0 ? bytes : 1;
}

/* The ring is over for each rank when what its neighbour sent last has arrived. */
static void end_ring(fs_chakra_order *o) {
    const fs_chakra_meeting *ring = o->ring;
    const uint32_t ranks = ranks_of(o);
    o->ring = NULL;
    for (uint32_t i = 0; i < ranks; i++)
        end_node(o, ring->node[i], ranks == 1 ? o->begin : o->task - ranks + (i + ranks - 1) % ranks);
}

/* The next send of the ring under way: from a rank to the next one what came in the step before. */
static void send_on(fs_chakra_order *o, fs_task *out) {
    const fs_chakra_group *group = &o->c->group[o->ring->group];
    const uint32_t i = o->place, before = (i + group->ranks - 1) % group->ranks;
    *out = (fs_task){.kind = FS_TASK_SEND,
                     .place = {.x = group->rank[i], .y = FS_PLACE_END},
                     .to = {.x = group->rank[(i + 1) % group->ranks], .y = FS_PLACE_END},
                     .amount = bytes_of(o)};
    wait_for(o, out,
             o->step == 0 ? o->begin : o->begin + 1 + (uint64_t)(o->step - 1) * group->ranks + before);
    o->task++;
    if (++o->place < group->ranks)
        return;
    o->place = 0;
    if (++o->step == steps_of(o))
        end_ring(o);
}

/* A collective begins when all of its ranks are ready. */
static void begin_ring(fs_chakra_order *o, uint32_t n, fs_task *out) {
    o->ring = &o->c->meeting[o->c->node[n].peer];
    o->step = o->place = 0;
    o->begin = o->task++;
    *out = (fs_task){.kind = FS_TASK_COMPUTE, .place = {.x = o->c->node[n].rank, .y = FS_PLACE_END}};
    for (uint32_t i = 0; i < ranks_of(o); i++)
        wait_for_node(o, out, o->ring->node[i]);
    if (steps_of(o) == 0)
        end_ring(o);
}

static void take_node(fs_chakra_order *o, uint32_t n, fs_task *out) {
    const fs_chakra_node *node = &o->c->node[n];
    *out = (fs_task){.kind = node->kind == FS_CHAKRA_SEND ? FS_TASK_SEND : FS_TASK_COMPUTE,
                     .place = {.x = node->rank, .y = FS_PLACE_END}};
    if (node->kind == FS_CHAKRA_COMPUTE) {
        out->unit = node->host ? HOST : DEVICE;
        out->amount = cycles_of(o, node->amount);
    }
    if (node->kind == FS_CHAKRA_SEND) {
        out->to = (fs_place){.x = node->peer, .y = FS_PLACE_END};
        out->amount = node->amount;
    }
    wait_for_node(o, out, n);
    end_node(o, n, o->task++);
}

/* ---- rings of waiting ---- */

/* What a node waits for that is not over; of a collective also by its other ranks. FS_CHAKRA_NONE: nothing. */
static uint32_t blocker(const fs_chakra_order *o, uint32_t n) {
    const fs_chakra_node *node = &o->c->node[n];
    for (uint32_t i = 0; i < waits_of(o->c, n); i++)
        if (o->end[wait_of(o->c, n, i)] == NO_TASK)
            return wait_of(o->c, n, i);
    if (node->kind != FS_CHAKRA_COLLECTIVE)
        return FS_CHAKRA_NONE;
    const fs_chakra_meeting *it = &o->c->meeting[node->peer];
    for (uint32_t i = 0; i < o->c->group[it->group].ranks; i++)
        if (o->waits[it->node[i]] > 0)
            return it->node[i];
    return FS_CHAKRA_NONE;
}

/* Names a ring of nodes that wait for each other. */
static bool name_ring(const fs_chakra_order *o, fs_error *err) {
    enum { SHOWN = 8 };
    const fs_chakra *c = o->c;
    bool *passed = fs_calloc(c->nodes, sizeof *passed);
    uint32_t n = 0, count = 0, ranks = 1;
    char words[512] = "";
    size_t at = 0;
    while (o->end[n] != NO_TASK)
        n++;
    for (; !passed[n]; n = blocker(o, n))
        passed[n] = true;
    for (uint32_t k = blocker(o, n); k != n; k = blocker(o, k))
        ranks += c->node[k].rank != c->node[n].rank;
    uint32_t k = n;
    do {
        const uint32_t next = blocker(o, k);
        if (count < SHOWN) {
            const char *before = count == 0 ? "" : next == n ? " and " : ", ";
            at += (size_t)snprintf(words + at, sizeof words - at, "%s%" PRIu64, before, c->node[k].id);
            if (ranks > 1)
                at += (size_t)snprintf(words + at, sizeof words - at, " of rank %" PRIu32, c->node[k].rank);
        }
        count++;
        k = next;
    } while (k != n);
    free(passed);
    fs_fail(err, FS_INPUT, "%s: node%s %s%s wait%s for %s", c->file[c->node[n].rank], count == 1 ? "" : "s",
            words, count > SHOWN ? ", ..." : "", count == 1 ? "s" : "", count == 1 ? "itself" : "each other");
    return false;
}

bool fs_chakra_order_next(fs_chakra_order *o, fs_task *out, fs_error *err) {
    if (o->task == FS_TASKS_MOST)
        return fs_fail(err, FS_INPUT, "%s: more than %d tasks", o->c->prefix, FS_TASKS_MOST) == FS_OK;
    if (o->ring != NULL) {
        send_on(o, out);
        return true;
    }
    if (o->count == 0)
        return o->left > 0 && name_ring(o, err);
    const uint32_t n = ready_take(o->ready, &o->count).node;
    if (o->c->node[n].kind == FS_CHAKRA_COLLECTIVE)
        begin_ring(o, n, out);
    else
        take_node(o, n, out);
    return true;
}
