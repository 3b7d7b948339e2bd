/* Which layer each point needs: what differs only in price is priced from one activity recording, what shares
 * its geometry replays one itinerary, the rest runs. */
#include "sim/sweep/private.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PRICED_TOGETHER = 32 }; /* a process: none idles at the end, so little spent on starting */

/* ---- items ---- */

static double number_of(const void *point, const char *key, double otherwise) {
    const fs_store_parameter *q = fs_store_parameter_of(point, key);
    return q == NULL || isnan(q->number) ? otherwise : q->number;
}

static bool is(const void *point, const char *key, const char *value) {
    const fs_store_parameter *q = fs_store_parameter_of(point, key);
    return q == NULL || strcmp(q->value, value) == 0;
}

static const char *text_of(const void *point, const char *key) {
    const fs_store_parameter *q = fs_store_parameter_of(point, key);
    return q == NULL ? NULL : q->value;
}

bool fs_sweep_item_of(const fs_registry *registry, const fs_store_point *p, fs_sweep_item *item) {
    if (p->resolved[0] == '\0')
        return false;
    const fs_store_parameter *kind = fs_store_parameter_of(p, "workload.kind");
    *item = (fs_sweep_item){.key = p->key,
                            .label = p->label,
                            .geometry_key = p->geometry_key,
                            .traffic_key = p->traffic_key,
                            .resolved = p->resolved,
                            .kind = kind == NULL ? "" : kind->value};
    const fs_point point = {.self = p, .number = number_of, .is = is, .text = text_of};
    fs_workload_expect(fs_workload_find(registry, item->kind), &point, item->seconds);
    return true;
}

static bool has(const fs_sweep_item *item, fs_layer layer) {
    return !isnan(item->seconds[layer]);
}

/* ---- groups ---- */

typedef struct member {
    size_t item;
    const char *geometry, *traffic; /* keys */
    size_t order;                   /* as it came */
    size_t leader[2]; /* order of the first of the same geometry, and of the same traffic there */
} member;

static int compare(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int by_keys(const void *a, const void *b) {
    const member *x = a, *y = b;
    int order = strcmp(x->geometry, y->geometry);
    if (order == 0)
        order = strcmp(x->traffic, y->traffic);
    return order != 0 ? order : compare(x->order, y->order);
}

/* Geometry by geometry as they came, traffic by traffic within. */
static int by_leaders(const void *a, const void *b) {
    const member *x = a, *y = b;
    int order = compare(x->leader[0], y->leader[0]);
    if (order == 0)
        order = compare(x->leader[1], y->leader[1]);
    return order != 0 ? order : compare(x->order, y->order);
}

typedef struct planner {
    fs_arena *arena;
    const fs_sweep_item *items;
    const fs_sweep_means *means;
    fs_sweep_plan *plan;
} planner;

bool fs_sweep_there(const char *recording) {
    return access(recording, R_OK) == 0;
}

static bool available(const planner *p, const char *file) {
    const size_t count = p->means->promised_count;
    return FS_WORD_PLACE(p->means->promised, count, file) < count || fs_sweep_there(file);
}

static void add(const planner *p, fs_layer layer, const member *members, size_t count, const char *itinerary,
                const char *activity) {
    size_t *items = FS_NEW(p->arena, size_t, count);
    fs_sweep_job job = {
        .layer = layer, .items = items, .count = count, .itinerary = itinerary, .activity = activity};
    for (size_t i = 0; i < count; i++) {
        items[i] = members[i].item;
        job.seconds += p->items[members[i].item].seconds[layer];
    }
    p->plan->jobs[p->plan->count++] = job;
    p->plan->seconds += job.seconds;
}

/* Members of one traffic key, the first of them to be run or replayed with `itinerary`. */
static void plan_traffic(const planner *p, const member *m, size_t count, fs_layer layer,
                         const char *itinerary) {
    const char *activity = fs_arena_printf(p->arena, "%s/%s.activity", p->means->folder, m[0].traffic);
    if (!has(&p->items[m[0].item], FS_LAYER_PRICE)) {
        for (size_t i = 0; i < count; i++)
            add(p, layer, &m[i], 1, itinerary, NULL);
        return;
    }
    size_t first = 0;
    if (!available(p, activity)) {
        add(p, layer, &m[0], 1, itinerary, count > 1 || p->means->keep ? activity : NULL);
        first = 1;
    }
    const fs_workload *workload = fs_workload_find(p->means->registry, p->items[m[0].item].kind);
    const bool together = workload != NULL && workload->prices != NULL;
    const size_t usual = p->means->together > 0 ? p->means->together : PRICED_TOGETHER,
                 jobs = p->means->jobs > 1 ? (size_t)p->means->jobs : 1,
                 share = (count - first + jobs - 1) / jobs;
    const size_t most = !together || share == 0 ? 1 : share < usual ? share : usual;
    for (; first < count; first += most) {
        add(p, FS_LAYER_PRICE, &m[first], count - first < most ? count - first : most, NULL, activity);
        p->plan->jobs[p->plan->count - 1].together = together;
    }
}

/* How many of the first members share a key: their geometry's, else their traffic's. */
static size_t alike(const member *m, size_t count, bool geometry) {
    size_t n = 1;
    while (n < count &&
           strcmp(geometry ? m[n].geometry : m[n].traffic, geometry ? m[0].geometry : m[0].traffic) == 0)
        n++;
    return n;
}

static void plan_geometry(const planner *p, const member *m, size_t count) {
    const fs_sweep_item *item = &p->items[m[0].item];
    const bool prices = has(item, FS_LAYER_PRICE), replays = has(item, FS_LAYER_REPLAY);
    if (!p->means->recordings || (!replays && !prices)) {
        for (size_t i = 0; i < count; i++)
            add(p, FS_LAYER_RUN, &m[i], 1, NULL, NULL);
        return;
    }
    for (size_t at = 0, n = 0; !replays && at < count; at += n) { /* each traffic is run once */
        n = alike(m + at, count - at, false);
        plan_traffic(p, m + at, n, FS_LAYER_RUN, NULL);
    }
    if (!replays)
        return;
    const char *itinerary = fs_arena_printf(p->arena, "%s/%s.itinerary", p->means->folder, m[0].geometry);
    bool recorded = available(p, itinerary);
    for (size_t at = 0; at < count;) {
        size_t n = alike(m + at, count - at, false);
        bool alone = n == count && (prices || n == 1); /* nobody else would replay it */
        const fs_layer layer = recorded ? FS_LAYER_REPLAY : FS_LAYER_RUN;
        if (!recorded && !alone && !prices && n > 1) { /* one runs, the others replay it */
            add(p, FS_LAYER_RUN, &m[at], 1, itinerary, NULL);
            recorded = true;
            plan_traffic(p, m + at + 1, n - 1, FS_LAYER_REPLAY, itinerary);
        } else {
            const size_t before = p->plan->count;
            plan_traffic(p, m + at, n, layer, recorded || !alone || p->means->keep ? itinerary : NULL);
            recorded |= p->plan->jobs[before].layer == FS_LAYER_RUN;
        }
        at += n;
    }
}

void fs_sweep_plan_make(fs_arena *arena, const fs_sweep_item *items, const size_t *open, size_t count,
                        const fs_sweep_means *means, fs_sweep_plan *plan) {
    *plan = (fs_sweep_plan){.jobs = FS_NEW(arena, fs_sweep_job, count + 1)};
    const planner p = {.arena = arena, .items = items, .means = means, .plan = plan};
    member *members = FS_NEW(arena, member, count + 1);
    for (size_t i = 0; i < count; i++) {
        const size_t item = open == NULL ? i : open[i];
        members[i] = (member){item, items[item].geometry_key, items[item].traffic_key, i, {SIZE_MAX, i}};
    }
    qsort(members, count, sizeof *members, by_keys);
    for (size_t at = 0, n; at < count; at += n) {
        size_t first = SIZE_MAX;
        n = alike(members + at, count - at, true);
        for (size_t i = at; i < at + n; i++) {
            first = members[i].order < first ? members[i].order : first;
            if (i > at && strcmp(members[i].traffic, members[i - 1].traffic) == 0)
                members[i].leader[1] = members[i - 1].leader[1];
        }
        for (size_t i = at; i < at + n; i++)
            members[i].leader[0] = first;
    }
    qsort(members, count, sizeof *members, by_leaders);
    for (size_t at = 0, n; at < count; at += n) {
        n = alike(members + at, count - at, true);
        plan_geometry(&p, members + at, n);
    }
}
