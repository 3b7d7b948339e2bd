/* Recordings: sections as their structs lie in memory, read back with every number checked. */
#include "workloads/hierarchy/run.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/workload/recorded.h"

#include <stdlib.h>

_Static_assert(sizeof(fs_unit_walk_request) == 8 && sizeof(fs_unit_walk_hit) == 16 &&
                   sizeof(fs_unit_walk_end) == 28,
               "sections have no padding");

#define NUMBER(name, m, lo, hi) FS_RECORDED(name, fs_hierarchy_work, m, lo, hi)
static const fs_recorded_number numbers[] = {
    NUMBER("triangles", facts.triangles, 1, FS_REFERENCE_SLOTS),
    NUMBER("triangles without an area", facts.degenerate, 0, 0),
    NUMBER("spheres and discs", facts.others, 0, 0),
    NUMBER("nodes", facts.nodes, 1, FS_REFERENCE_NODES),
    NUMBER("primitives", facts.slots, 1, FS_REFERENCE_SLOTS),
    NUMBER("leaves", facts.leaves, 0, 0),
    NUMBER("levels", facts.depth, 0, 0),
    NUMBER("rays", walks.rays, 1, 1 << 29),
    NUMBER("requests", requests, 1, UINT64_C(1) << 40),
    NUMBER("pixels across", width, 0, UINT16_MAX),
    NUMBER("pixels down", height, 0, UINT16_MAX),
    NUMBER("checked rays", checked, 0, 0),
    NUMBER("rays from one checked to the next", step, 0, 0),
    NUMBER("nodes visited", visits.nodes, 0, 0),
    NUMBER("leaves visited", visits.leaves, 0, 0),
};

/* Whether numbers that are right one by one fit each other. */
static bool fits(const fs_hierarchy_work *k) {
    const uint64_t rays = k->walks.rays, checked = k->checked, step = k->step;
    if (checked > 0 && (step == 0 || step > rays || (rays + step - 1) / step != checked))
        return false;
    return k->requests >= rays && (k->width == 0 || (uint64_t)k->width * k->height == rays);
}

static bool is_hit(const fs_hierarchy_facts *facts, const fs_unit_walk_hit *hit) {
    return hit->triangle == FS_UNIT_WALK_MISS || hit->triangle < facts->triangles;
}

static bool is_request(const fs_hierarchy_facts *f, const fs_unit_walk_request *q) {
    if (q->lost > q->inserted || q->inserted > FS_HIERARCHY_WIDTH)
        return false;
    if (!fs_encoded_is_leaf(q->reference))
        return fs_encoded_id(q->reference) < f->nodes;
    return (uint64_t)fs_encoded_first(q->reference) + fs_encoded_count(q->reference) <= f->slots &&
           q->inserted == 0;
}

/* Whether a ray's requests fit its end, the tree and a queue of so many entries (0: no bound). */
static bool is_ray(const fs_hierarchy_work *k, uint32_t queue, uint32_t ray) {
    const uint64_t first = k->walks.first[ray], last = k->walks.first[ray + 1];
    const fs_unit_walk_end *end = &k->walks.end[ray];
    uint64_t held = 1, lost = 0;
    if (first == last || k->walks.request[first].reference != FS_REFERENCE_ROOT ||
        !is_hit(&k->facts, &end->hit) || k->given[ray] >= k->walks.rays)
        return false;
    for (uint64_t i = first; i < last; i++) {
        const fs_unit_walk_request *q = &k->walks.request[i];
        if (held == 0 || !is_request(&k->facts, q))
            return false;
        held += q->inserted - (uint64_t)1;
        const uint64_t over = queue > 0 && held > queue ? held - queue : 0;
        held -= over;
        lost += over;
        if (q->lost != over || q->held != (held < UINT16_MAX ? held : UINT16_MAX))
            return false;
    }
    return lost == end->lost && held == end->left && (held == 0 || end->hit.triangle != FS_UNIT_WALK_MISS);
}

/* The first ray whose number before ordering another one has too; UINT32_MAX: each has its own. */
static uint32_t second_of_a_number(const fs_hierarchy_work *k) {
    uint8_t *taken = fs_calloc(k->walks.rays, 1);
    uint32_t ray = 0;
    while (ray < k->walks.rays && !taken[k->given[ray]])
        taken[k->given[ray++]] = 1;
    free(taken);
    return ray < k->walks.rays ? ray : UINT32_MAX;
}

static void check_rays(fs_recorded *f, const fs_hierarchy_work *k, uint32_t queue) {
    uint32_t wrong = UINT32_MAX;
#pragma omp parallel for schedule(static) reduction(min : wrong)
    for (uint32_t ray = 0; ray < k->walks.rays; ray++)
        if (!is_ray(k, queue, ray))
            wrong = ray < wrong ? ray : wrong;
    if (wrong != UINT32_MAX) {
        fs_recorded_wrong(f, "ray %u does not fit the tree, or its requests not its end", wrong);
        return;
    }
    const uint32_t second = second_of_a_number(k);
    if (second != UINT32_MAX)
        fs_recorded_wrong(f, "ray %u was number %u before rays were ordered, as another one", second,
                          k->given[second]);
    for (uint32_t i = 0; i < k->checked; i++)
        if (!is_hit(&k->facts, &k->nearest[i]))
            fs_recorded_wrong(f, "nearest hit %u is of no triangle", i);
}

static void sections(fs_recorded *f, void *self) {
    fs_hierarchy_work *k = self;
    fs_recorded_numbers(f, "numbers", numbers, FS_COUNT(numbers), k);
    if (fs_recorded_reads(f) && !fits(k))
        fs_recorded_wrong(f, "its numbers contradict each other");
    const bool checked = k->checked > 0, picture = k->width > 0;
    fs_recorded_starts(f, "counts", &k->walks.first, k->walks.rays, k->requests);
    FS_RECORDED_LIST(f, "requests", &k->walks.request, k->requests);
    FS_RECORDED_LIST(f, "ends", &k->walks.end, k->walks.rays);
    FS_RECORDED_LIST(f, "given", &k->given, k->walks.rays);
    FS_RECORDED_LIST(f, checked ? "nearest" : NULL, &k->nearest, k->checked);
    FS_RECORDED_LIST(f, picture ? "shades" : NULL, &k->shade, k->walks.rays);
    FS_RECORDED_LIST(f, picture && checked ? "right" : NULL, &k->right, k->checked);
}

fs_status fs_hierarchy_record(const char *path, const fs_config *config, fs_hierarchy_work *work,
                              fs_error *err) {
    return fs_recorded_write(path, FS_RECORDING_ITINERARY, config, sections, work, err);
}

fs_status fs_hierarchy_replay(const fs_recording *r, uint32_t queue, fs_hierarchy_work *out, fs_error *err) {
    fs_recorded f = {.recording = r, .err = err};
    *out = (fs_hierarchy_work){0};
    sections(&f, out);
    if (fs_recorded_reads(&f))
        check_rays(&f, out, queue);
    if (err->status != FS_OK)
        fs_hierarchy_work_free(out);
    return err->status;
}
