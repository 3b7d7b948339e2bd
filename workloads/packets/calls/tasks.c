#include "workloads/packets/calls/calls.h"

#include "sim/base/arith.h"
#include "sim/host/signals.h"
#include "workloads/packets/calls/due.h"

#include <inttypes.h>
#include <stdlib.h>

enum { AHEAD = 1 << 16 }; /* tasks that are read before those before them have begun */

/* A task that is not over. */
typedef struct live {
    uint64_t number, not_before, gap, amount, packet;
    uint64_t ready;        /* the latest end of those that it waits for */
    const fs_group *group; /* of a multicast */
    uint32_t plane, node, to;
    uint32_t waiting; /* tasks that it waits for */
    uint32_t after;   /* the first of the list of those that wait for it; FS_NOC_NONE */
    uint32_t unit;    /* of a compute task; FS_NOC_NONE: none */
    uint32_t next;    /* among the free ones, or those of a unit that are ready */
    uint8_t kind;     /* fs_task_kind */
    bool answer;
} live;

/* A task that waits for another. */
typedef struct edge {
    uint32_t task, next;
} edge;

/* Of a place: one computation at a time, of those that are ready the one with the least number. */
typedef struct unit {
    uint64_t key;
    uint32_t ready; /* the first; FS_NOC_NONE */
    bool busy;
} unit;

struct fs_tasks {
    const fs_task_source *source;
    fs_spots *spots;
    fs_carrier *carrier;
    uint32_t planes;
    uint64_t most, given, begun; /* tasks that were read; of these, that have begun */
    bool ended;                  /* the source is at its end */
    live *live;
    uint32_t live_count, live_free;
    uint64_t alive;
    edge *edges;
    uint32_t edge_count, edge_free;
    uint32_t *slot; /* [slots] live tasks by a hash of their number; FS_NOC_NONE */
    uint32_t slots; /* a power of two */
    unit *unit;
    uint32_t units;
    fs_due starts, ends; /* tasks whose cycle comes; computations under way */
    uint32_t *casts;     /* [cast_count] multicasts that wait for a tree */
    uint32_t cast_count;
    fs_tasks_done what;
    fs_error err;
};

/* ---- by number ---- */

static uint32_t home_of(const fs_tasks *t, uint64_t number) {
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->slots - 1);
}

static void put_slot(fs_tasks *t, uint32_t which) {
    uint32_t at = home_of(t, t->live[which].number);
    while (t->slot[at] != FS_NOC_NONE)
        at = (at + 1) & (t->slots - 1);
    t->slot[at] = which;
}

static uint32_t *find_slot(const fs_tasks *t, uint64_t number) {
    uint32_t at = home_of(t, number);
    while (t->slot[at] != FS_NOC_NONE && t->live[t->slot[at]].number != number)
        at = (at + 1) & (t->slots - 1);
    return t->slot[at] == FS_NOC_NONE ? NULL : &t->slot[at];
}

/* Takes one out; those behind it that would not be found any more move up. */
static void clear_slot(fs_tasks *t, uint64_t number) {
    uint32_t hole = (uint32_t)(find_slot(t, number) - t->slot);
    for (uint32_t at = (hole + 1) & (t->slots - 1); t->slot[at] != FS_NOC_NONE;
         at = (at + 1) & (t->slots - 1)) {
        const uint32_t home = home_of(t, t->live[t->slot[at]].number);
        if (((at - home) & (t->slots - 1)) >= ((at - hole) & (t->slots - 1))) {
            t->slot[hole] = t->slot[at];
            hole = at;
        }
    }
    t->slot[hole] = FS_NOC_NONE;
}

static void grow_slots(fs_tasks *t) {
    const uint32_t before = t->slots;
    uint32_t *old = t->slot;
    t->slots = before == 0 ? 1024 : 2 * before;
    t->slot = fs_malloc(t->slots * sizeof *t->slot);
    memset(t->slot, 0xff, t->slots * sizeof *t->slot);
    for (uint32_t i = 0; i < before; i++)
        if (old[i] != FS_NOC_NONE)
            put_slot(t, old[i]);
    free(old);
}

static uint32_t new_live(fs_tasks *t) {
    uint32_t which = t->live_free;
    if (which == FS_NOC_NONE) {
        t->live = fs_grow(t->live, t->live_count, sizeof *t->live);
        which = t->live_count++;
    } else {
        t->live_free = t->live[which].next;
    }
    if (2 * (t->alive + 1) > t->slots)
        grow_slots(t);
    t->alive++;
    return which;
}

/* ---- units ---- */

/* The number of a place's unit. */
static uint32_t unit_of(fs_tasks *t, uint32_t chip_plane, uint32_t node, uint32_t number) {
    const uint64_t key = (uint64_t)(chip_plane / t->planes) << 48 | (uint64_t)node << 16 | number;
    for (uint32_t i = 0; i < t->units; i++)
        if (t->unit[i].key == key)
            return i;
    t->unit = fs_grow(t->unit, t->units, sizeof *t->unit);
    t->unit[t->units] = (unit){.key = key, .ready = FS_NOC_NONE};
    return t->units++;
}

static void compute(fs_tasks *t, uint32_t which) {
    live *l = &t->live[which];
    if (l->unit != FS_NOC_NONE)
        t->unit[l->unit].busy = true;
    t->begun++;
    t->what.computed += l->amount;
    fs_due_put(&t->ends, fs_carrier_now(t->carrier) + l->amount, l->number, which);
}

/* Into the list of its unit, by number. */
static void queue(fs_tasks *t, uint32_t which) {
    uint32_t *at = &t->unit[t->live[which].unit].ready;
    while (*at != FS_NOC_NONE && t->live[*at].number < t->live[which].number)
        at = &t->live[*at].next;
    t->live[which].next = *at;
    *at = which;
}

/* Ready computations of units that are free. */
static void serve_units(fs_tasks *t) {
    for (uint32_t i = 0; i < t->units; i++) {
        unit *u = &t->unit[i];
        if (u->busy || u->ready == FS_NOC_NONE)
            continue;
        const uint32_t which = u->ready;
        u->ready = t->live[which].next;
        compute(t, which);
    }
}

/* ---- beginnings and ends ---- */

/* False: a multicast whose network another one holds. */
static bool send(fs_tasks *t, uint32_t which) {
    const live *l = &t->live[which];
    const bool fetched = l->kind == FS_TASK_FETCH;
    const fs_load load = {.kind = l->kind == FS_TASK_CAST ? FS_LOAD_CAST
                                  : fetched               ? FS_LOAD_READ
                                                          : FS_LOAD_POST,
                          .answer = l->answer,
                          .quiet = true,
                          .plane = l->plane,
                          .from = fetched ? l->to : l->node,
                          .to = fetched ? l->node : l->to,
                          .bytes = l->amount,
                          .packet = l->packet,
                          .group = l->group,
                          .owner = which};
    if (!fs_carrier_begin(t->carrier, &load))
        return false;
    t->begun++;
    return true;
}

/* Its cycle has come. */
static void start(fs_tasks *t, uint32_t which) {
    live *l = &t->live[which];
    if (l->kind == FS_TASK_COMPUTE) {
        if (l->unit == FS_NOC_NONE)
            compute(t, which);
        else
            queue(t, which);
        return;
    }
    if (l->ready > 0 && l->ready + l->gap > l->not_before)
        t->what.held++;
    else if (l->ready > 0)
        t->what.slack += (double)(l->not_before - l->ready);
    if (send(t, which))
        return;
    t->casts = fs_grow(t->casts, t->cast_count, sizeof *t->casts);
    t->casts[t->cast_count++] = which;
}

/* All that it waits for is over. */
static void release(fs_tasks *t, uint32_t which) {
    const live *l = &t->live[which];
    fs_due_put(&t->starts, fs_most(l->not_before, l->ready + l->gap), l->number, which);
}

static void finish(fs_tasks *t, uint32_t which) {
    const uint64_t now = fs_carrier_now(t->carrier);
    live *l = &t->live[which];
    if (l->kind == FS_TASK_COMPUTE) {
        if (l->unit != FS_NOC_NONE)
            t->unit[l->unit].busy = false;
    } else {
        t->what.sends++;
        t->what.latency += (double)(now - fs_least(now, l->not_before));
    }
    t->what.tasks++;
    t->what.end = now;
    for (uint32_t e = l->after; e != FS_NOC_NONE;) {
        live *next = &t->live[t->edges[e].task];
        const uint32_t following = t->edges[e].next;
        next->ready = fs_most(next->ready, now);
        if (--next->waiting == 0)
            release(t, t->edges[e].task);
        t->edges[e].next = t->edge_free;
        t->edge_free = e;
        e = following;
    }
    clear_slot(t, l->number);
    l->next = t->live_free;
    t->live_free = which;
    t->alive--;
}

/* ---- reading ---- */

/* Networks and nodes of a task; what is wrong, or NULL. */
static const char *place_task(fs_spots *spots, const fs_task *task, live *l) {
    const char *why = fs_spot_plane(spots, task->place.chip, task->plane, &l->plane);
    why = why != NULL ? why : fs_spot_end(spots, task->place, &l->node);
    if (why != NULL || task->kind == FS_TASK_COMPUTE)
        return why;
    if (task->amount == 0)
        return "expected at least 1 byte to send";
    return task->kind == FS_TASK_CAST ? fs_spot_group(spots, task->to, task->corner, l->node, &l->group)
                                      : fs_spot_end(spots, task->to, &l->to);
}

fs_status fs_tasks_look(const fs_task_source *source, fs_spots *spots, fs_tasks_told *out, fs_error *err) {
    fs_task task;
    *out = (fs_tasks_told){.tasks = 0};
    while (source->next(source->self, &task, err)) {
        live l = {.number = out->tasks};
        const char *why = place_task(spots, &task, &l);
        if (why != NULL)
            return fs_fail(err, FS_INPUT, "task %" PRIu64 " (from 0): %s", l.number, why);
        out->tasks++;
        out->waits += task.after_count;
        out->computed += task.kind == FS_TASK_COMPUTE ? task.amount : 0;
        if (task.kind == FS_TASK_CAST)
            fs_spots_add_group(spots, task.not_before, l.plane, l.node, l.group, task.amount, task.packet);
        if (task.kind == FS_TASK_SEND || task.kind == FS_TASK_FETCH)
            fs_spots_add(spots, task.not_before, l.plane, l.node, l.to, task.amount, task.packet);
        if (out->tasks % AHEAD == 0 && fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted in task %" PRIu64, out->tasks);
    }
    return err->status;
}

static void depend(fs_tasks *t, uint32_t which, uint64_t on) {
    const uint32_t *found = find_slot(t, on);
    uint32_t e = t->edge_free;
    if (found == NULL)
        return;
    if (e == FS_NOC_NONE) {
        t->edges = fs_grow(t->edges, t->edge_count, sizeof *t->edges);
        e = t->edge_count++;
    } else {
        t->edge_free = t->edges[e].next;
    }
    t->edges[e] = (edge){which, t->live[*found].after};
    t->live[*found].after = e;
    t->live[which].waiting++;
}

/* The source's next task; false: it has none, or something is wrong. */
static bool take(fs_tasks *t) {
    fs_task task;
    if (t->ended || t->err.status != FS_OK || !t->source->next(t->source->self, &task, &t->err)) {
        t->ended = true;
        return false;
    }
    const uint32_t which = new_live(t);
    live *l = &t->live[which];
    *l = (live){.number = t->given++,
                .not_before = task.not_before,
                .gap = task.gap,
                .amount = task.amount,
                .packet = task.packet,
                .after = FS_NOC_NONE,
                .unit = FS_NOC_NONE,
                .next = FS_NOC_NONE,
                .kind = (uint8_t)task.kind,
                .answer = task.answer};
    put_slot(t, which);
    const char *why = place_task(t->spots, &task, l);
    if (task.kind == FS_TASK_COMPUTE && task.unit != FS_TASK_ANY_UNIT && why == NULL)
        l->unit = unit_of(t, l->plane, l->node, task.unit);
    if (why != NULL || t->alive > t->most) {
        fs_fail(&t->err, why != NULL ? FS_INPUT : FS_RUN, "task %" PRIu64 ": %s", l->number,
                why != NULL ? why : "more tasks are under way than workload.max_packets");
        t->ended = true;
        return false;
    }
    for (size_t i = 0; i < task.after_count; i++)
        depend(t, which, task.after[i]);
    if (task.after_count > 0 && l->waiting == 0 && task.gap > 0)
        l->ready = fs_carrier_now(t->carrier);
    if (l->waiting == 0)
        release(t, which);
    return true;
}

/* ---- of the carrier ---- */

static void advance(void *self) {
    fs_tasks *t = self;
    const uint64_t now = fs_carrier_now(t->carrier);
    while (t->given - t->begun < AHEAD && take(t)) {
    }
    for (bool again = true; again;) {
        again = false;
        for (; fs_due_next(&t->ends) <= now; again = true)
            finish(t, fs_due_take(&t->ends).what);
        for (; fs_due_next(&t->starts) <= now; again = true)
            start(t, fs_due_take(&t->starts).what);
        serve_units(t);
        again = again || fs_due_next(&t->ends) <= now;
    }
    uint32_t left = 0;
    for (uint32_t i = 0; i < t->cast_count; i++)
        if (!send(t, t->casts[i]))
            t->casts[left++] = t->casts[i];
    t->cast_count = left;
}

static uint64_t next_cycle(void *self) {
    const fs_tasks *t = self;
    return t->cast_count > 0 ? 0 : fs_least(fs_due_next(&t->starts), fs_due_next(&t->ends));
}

static void over(void *self, uint64_t owner) {
    finish(self, (uint32_t)owner);
}

static bool done(const void *self) {
    const fs_tasks *t = self;
    return t->err.status != FS_OK || fs_tasks_are_done(t);
}

/* ---- from outside ---- */

fs_tasks *fs_tasks_create(const fs_task_source *source, fs_spots *spots, const fs_carrier_plane *plane,
                          uint32_t planes, uint32_t of_chip, const fs_carrier_costs *costs, uint64_t most) {
    fs_tasks *t = fs_calloc(1, sizeof *t);
    const fs_carrier_user user = {
        .self = t, .advance = advance, .next = next_cycle, .done = done, .over = over};
    t->source = source;
    t->spots = spots;
    t->carrier = fs_carrier_create(plane, planes, costs, &user);
    t->planes = of_chip;
    t->most = most;
    t->live_free = t->edge_free = FS_NOC_NONE;
    grow_slots(t);
    return t;
}

void fs_tasks_free(fs_tasks *t) {
    if (t == NULL)
        return;
    fs_carrier_free(t->carrier);
    free(t->live);
    free(t->edges);
    free(t->slot);
    free(t->unit);
    free(t->starts.item);
    free(t->ends.item);
    free(t->casts);
    free(t);
}

fs_status fs_tasks_run(fs_tasks *t, uint64_t until, fs_error *err) {
    fs_carrier_run(t->carrier, until);
    return t->err.status == FS_OK ? FS_OK : fs_fail(err, t->err.status, "%s", t->err.text);
}

bool fs_tasks_are_done(const fs_tasks *t) {
    return t->ended && t->alive == 0;
}

fs_tasks_done fs_tasks_what(const fs_tasks *t) {
    return t->what;
}

const fs_carrier *fs_tasks_carrier(const fs_tasks *t) {
    return t->carrier;
}
