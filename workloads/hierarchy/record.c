/* Recordings: sections as their structs lie in memory, read back with every number checked. */
#include "workloads/hierarchy/run.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/workload/recorded.h"

#include <inttypes.h>
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
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* ---- writing ---- */

static fs_status add_all(fs_recording_writer *w, const fs_hierarchy_work *k, uint32_t *count, fs_error *err) {
    const fs_unit_walks *walks = &k->walks;
    const size_t rays = walks->rays, requests = k->requests;
    for (size_t r = 0; r < rays; r++)
        count[r] = (uint32_t)(walks->first[r + 1] - walks->first[r]);
    const fs_recorded_section rows[] = {
        {"counts", count, rays * sizeof *count},
        {"requests", walks->request, requests * sizeof *walks->request},
        {"ends", walks->end, rays * sizeof *walks->end},
        {"given", k->given, rays * sizeof *k->given},
        {k->checked > 0 ? "nearest" : NULL, k->nearest, k->checked * sizeof *k->nearest},
        {k->width > 0 ? "shades" : NULL, k->shade, rays},
        {k->right != NULL ? "right" : NULL, k->right, k->checked}};
    return fs_recorded_add_numbers(w, "numbers", numbers, NUMBERS, k, err)
               ? err->status
               : fs_recorded_add(w, rows, FS_COUNT(rows), err);
}

fs_status fs_hierarchy_record(const char *path, const fs_config *config, const fs_hierarchy_work *work,
                              fs_error *err) {
    fs_recording_writer *w = fs_recorded_create(path, FS_RECORDING_ITINERARY, config, err);
    if (w == NULL)
        return err->status;
    uint32_t *count = fs_malloc(work->walks.rays * sizeof *count);
    const fs_status added = add_all(w, work, count, err);
    free(count);
    return fs_recorded_end(w, added, err);
}

/* ---- reading ---- */

/* Whether numbers that are right one by one fit each other. */
static bool fits(const fs_hierarchy_work *k) {
    const uint64_t rays = k->walks.rays, checked = k->checked, step = k->step;
    if (checked > 0 && (step == 0 || step > rays || (rays + step - 1) / step != checked))
        return false;
    return k->requests >= rays && (k->width == 0 || (uint64_t)k->width * k->height == rays);
}

static fs_status read_counts(const fs_recording *r, fs_hierarchy_work *k, fs_error *err) {
    const size_t rays = k->walks.rays, requests = k->requests;
    uint32_t *count = NULL;
    fs_status status = FS_RECORDED_TAKE(r, "counts", rays, NULL, &count, err);
    k->walks.first = fs_calloc(rays + 1, sizeof *k->walks.first);
    for (size_t i = 0; status == FS_OK && i < rays; i++)
        k->walks.first[i + 1] = k->walks.first[i] + count[i];
    free(count);
    return status == FS_OK && k->walks.first[rays] != requests
               ? fs_recording_damaged(r, err, "its rays ask %" PRIu64 " times, its numbers say %zu",
                                      k->walks.first[rays], requests)
               : status;
}

static fs_status read_sections(const fs_recording *r, fs_hierarchy_work *k, fs_error *err) {
    const size_t rays = k->walks.rays, checked = k->checked;
    const bool picture = k->width > 0;
    return read_counts(r, k, err) ||
                   FS_RECORDED_TAKE(r, "requests", k->requests, NULL, &k->walks.request, err) ||
                   FS_RECORDED_TAKE(r, "ends", rays, NULL, &k->walks.end, err) ||
                   FS_RECORDED_TAKE(r, "given", rays, NULL, &k->given, err) ||
                   (checked > 0 && FS_RECORDED_TAKE(r, "nearest", checked, NULL, &k->nearest, err)) ||
                   (picture && FS_RECORDED_TAKE(r, "shades", rays, NULL, &k->shade, err)) ||
                   (picture && checked > 0 && FS_RECORDED_TAKE(r, "right", checked, NULL, &k->right, err))
               ? err->status
               : FS_OK;
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

static fs_status check_rays(const fs_recording *r, const fs_hierarchy_work *k, uint32_t queue,
                            fs_error *err) {
    uint32_t wrong = UINT32_MAX;
#pragma omp parallel for schedule(static) reduction(min : wrong)
    for (uint32_t ray = 0; ray < k->walks.rays; ray++)
        if (!is_ray(k, queue, ray))
            wrong = ray < wrong ? ray : wrong;
    if (wrong != UINT32_MAX)
        return fs_recording_damaged(r, err, "ray %u does not fit the tree, or its requests not its end",
                                    wrong);
    const uint32_t second = second_of_a_number(k);
    if (second != UINT32_MAX)
        return fs_recording_damaged(r, err, "ray %u was number %u before rays were ordered, as another one",
                                    second, k->given[second]);
    for (uint32_t i = 0; i < k->checked; i++)
        if (!is_hit(&k->facts, &k->nearest[i]))
            return fs_recording_damaged(r, err, "nearest hit %u is of no triangle", i);
    return FS_OK;
}

fs_status fs_hierarchy_replay(const fs_recording *r, uint32_t queue, fs_hierarchy_work *out, fs_error *err) {
    *out = (fs_hierarchy_work){0};
    fs_status status = fs_recorded_read_numbers(r, "numbers", numbers, NUMBERS, out, err);
    if (status == FS_OK && !fits(out))
        status = fs_recording_damaged(r, err, "its numbers contradict each other");
    if (status || read_sections(r, out, err) || check_rays(r, out, queue, err)) {
        fs_hierarchy_work_free(out);
        return err->status;
    }
    return FS_OK;
}
