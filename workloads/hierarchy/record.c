/* Recordings: sections as their structs lie in memory, read back with every number checked. */
#include "workloads/hierarchy/record.h"

#include "sim/base/alloc.h"
#include "sim/config/key.h"
#include "sim/results/recording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(fs_unit_walk_request) == 8 && sizeof(fs_unit_walk_hit) == 16 &&
                   sizeof(fs_unit_walk_end) == 28,
               "sections have no padding");

enum {
    NUMBER_TRIANGLES,
    NUMBER_DEGENERATE,
    NUMBER_OTHERS,
    NUMBER_NODES,
    NUMBER_SLOTS,
    NUMBER_LEAVES,
    NUMBER_DEPTH,
    NUMBER_RAYS,
    NUMBER_REQUESTS,
    NUMBER_WIDTH,
    NUMBER_HEIGHT,
    NUMBER_CHECKED,
    NUMBER_STEP,
    NUMBER_NODE_VISITS,
    NUMBER_LEAF_VISITS,
    NUMBERS
};
enum { MOST_RAYS = 1 << 29 };
static const uint64_t most_requests = UINT64_C(1) << 40;

/* ---- which configuration ---- */

static const char *digest_of(void *self, const char *path) {
    char *hex = self;
    fs_error ignored = {.status = FS_OK}; /* whoever needs the file has said that it can't be read */
    return fs_digest_file(path, hex, &ignored) ? NULL : hex;
}

/* The key of the geometry and its text; the text is the caller's to free. */
static char *key_of(const fs_config *config, char key[FS_DIGEST_HEX]) {
    char hex[FS_DIGEST_HEX], *text = NULL;
    size_t size = 0;
    FILE *memory = fs_memory_open(&text, &size);
    fs_config_write_key(config, FS_TOUCHES_GEOMETRY, digest_of, hex, memory);
    fs_memory_close(memory, &text);
    fs_digest_memory(text, size, key);
    return text;
}

/* ---- writing ---- */

static fs_status add_all(fs_recording_writer *w, const fs_hierarchy_work *k, uint32_t *count, fs_error *err) {
    const fs_unit_walks *walks = &k->walks;
    const size_t rays = walks->rays, requests = walks->first[rays];
    const uint64_t number[NUMBERS] = {[NUMBER_TRIANGLES] = k->facts.triangles,
                                      [NUMBER_DEGENERATE] = k->facts.degenerate,
                                      [NUMBER_OTHERS] = k->facts.others,
                                      [NUMBER_NODES] = k->facts.nodes,
                                      [NUMBER_SLOTS] = k->facts.slots,
                                      [NUMBER_LEAVES] = k->facts.leaves,
                                      [NUMBER_DEPTH] = k->facts.depth,
                                      [NUMBER_RAYS] = rays,
                                      [NUMBER_REQUESTS] = requests,
                                      [NUMBER_WIDTH] = k->width,
                                      [NUMBER_HEIGHT] = k->height,
                                      [NUMBER_CHECKED] = k->checked,
                                      [NUMBER_STEP] = k->step,
                                      [NUMBER_NODE_VISITS] = k->visits.nodes,
                                      [NUMBER_LEAF_VISITS] = k->visits.leaves};
    for (size_t r = 0; r < rays; r++)
        count[r] = (uint32_t)(walks->first[r + 1] - walks->first[r]);
    if (fs_recording_add(w, "numbers", number, sizeof number, err) ||
        fs_recording_add(w, "counts", count, rays * sizeof *count, err) ||
        fs_recording_add(w, "requests", walks->request, requests * sizeof *walks->request, err) ||
        fs_recording_add(w, "ends", walks->end, rays * sizeof *walks->end, err) ||
        fs_recording_add(w, "given", k->given, rays * sizeof *k->given, err))
        return err->status;
    if ((k->checked > 0 &&
         fs_recording_add(w, "nearest", k->nearest, k->checked * sizeof *k->nearest, err)) ||
        (k->width > 0 && fs_recording_add(w, "shades", k->shade, rays, err)) ||
        (k->right != NULL && fs_recording_add(w, "right", k->right, k->checked, err)))
        return err->status;
    return FS_OK;
}

fs_status fs_hierarchy_record(const char *path, const fs_config *config, const fs_hierarchy_work *work,
                              fs_error *err) {
    char key[FS_DIGEST_HEX], *text = key_of(config, key);
    fs_recording_writer *w = fs_recording_create(path, FS_RECORDING_ITINERARY, key, text, err);
    free(text);
    if (w == NULL)
        return err->status;
    uint32_t *count = fs_malloc(work->walks.rays * sizeof *count);
    const fs_status status = add_all(w, work, count, err);
    free(count);
    if (status == FS_OK)
        return fs_recording_commit(w, err);
    fs_recording_discard(w);
    return status;
}

/* ---- reading ---- */

static bool in_range(const uint64_t number[NUMBERS]) {
    const uint64_t rays = number[NUMBER_RAYS], checked = number[NUMBER_CHECKED], step = number[NUMBER_STEP];
    if (rays == 0 || rays > MOST_RAYS || number[NUMBER_REQUESTS] < rays ||
        number[NUMBER_REQUESTS] > most_requests)
        return false;
    if (checked > 0 && (step == 0 || step > rays || (rays + step - 1) / step != checked))
        return false;
    if (number[NUMBER_WIDTH] > UINT16_MAX || number[NUMBER_HEIGHT] > UINT16_MAX ||
        (number[NUMBER_WIDTH] > 0 && number[NUMBER_WIDTH] * number[NUMBER_HEIGHT] != rays))
        return false;
    return number[NUMBER_TRIANGLES] > 0 && number[NUMBER_TRIANGLES] <= FS_REFERENCE_SLOTS &&
           number[NUMBER_SLOTS] > 0 && number[NUMBER_SLOTS] <= FS_REFERENCE_SLOTS &&
           number[NUMBER_NODES] > 0 && number[NUMBER_NODES] <= FS_REFERENCE_NODES;
}

static fs_status take_room(const fs_recording *r, const uint64_t number[NUMBERS], fs_hierarchy_work *k,
                           fs_error *err) {
    const size_t rays = number[NUMBER_RAYS], requests = number[NUMBER_REQUESTS],
                 checked = number[NUMBER_CHECKED];
    const bool picture = number[NUMBER_WIDTH] > 0;
    if (fs_recording_expect(r, "counts", rays * sizeof(uint32_t), err) ||
        fs_recording_expect(r, "requests", requests * sizeof *k->walks.request, err) ||
        fs_recording_expect(r, "ends", rays * sizeof *k->walks.end, err) ||
        fs_recording_expect(r, "given", rays * sizeof *k->given, err) ||
        (checked > 0 && fs_recording_expect(r, "nearest", checked * sizeof *k->nearest, err)) ||
        (picture && fs_recording_expect(r, "shades", rays, err)) ||
        (picture && checked > 0 && fs_recording_expect(r, "right", checked, err)))
        return err->status;
    k->facts = (fs_hierarchy_facts){.triangles = number[NUMBER_TRIANGLES],
                                    .degenerate = number[NUMBER_DEGENERATE],
                                    .others = number[NUMBER_OTHERS],
                                    .nodes = number[NUMBER_NODES],
                                    .slots = number[NUMBER_SLOTS],
                                    .leaves = number[NUMBER_LEAVES],
                                    .depth = number[NUMBER_DEPTH]};
    k->width = (uint32_t)number[NUMBER_WIDTH];
    k->height = (uint32_t)number[NUMBER_HEIGHT];
    k->checked = (uint32_t)checked;
    k->step = (uint32_t)number[NUMBER_STEP];
    k->visits = (fs_unit_walk_visits){number[NUMBER_NODE_VISITS], number[NUMBER_LEAF_VISITS]};
    k->walks = (fs_unit_walks){.rays = (uint32_t)rays,
                               .first = fs_malloc((rays + 1) * sizeof *k->walks.first),
                               .request = fs_malloc(requests * sizeof *k->walks.request),
                               .end = fs_malloc(rays * sizeof *k->walks.end)};
    k->given = fs_malloc(rays * sizeof *k->given);
    k->nearest = checked == 0 ? NULL : fs_malloc(checked * sizeof *k->nearest);
    k->shade = picture ? fs_malloc(rays) : NULL;
    k->right = picture && checked > 0 ? fs_malloc(checked) : NULL;
    return FS_OK;
}

static fs_status read_sections(const fs_recording *r, fs_hierarchy_work *k, uint64_t requests,
                               fs_error *err) {
    const size_t rays = k->walks.rays;
    uint32_t *count = fs_malloc(rays * sizeof *count);
    fs_status status = fs_recording_read(r, "counts", count, rays * sizeof *count, err);
    k->walks.first[0] = 0;
    for (size_t i = 0; status == FS_OK && i < rays; i++)
        k->walks.first[i + 1] = k->walks.first[i] + count[i];
    free(count);
    if (status)
        return status;
    if (k->walks.first[rays] != requests)
        return fs_recording_damaged(r, err, "its rays ask %" PRIu64 " times, its numbers say %" PRIu64,
                                    k->walks.first[rays], requests);
    if (fs_recording_read(r, "requests", k->walks.request, requests * sizeof *k->walks.request, err) ||
        fs_recording_read(r, "ends", k->walks.end, rays * sizeof *k->walks.end, err) ||
        fs_recording_read(r, "given", k->given, rays * sizeof *k->given, err))
        return err->status;
    if ((k->checked > 0 &&
         fs_recording_read(r, "nearest", k->nearest, k->checked * sizeof *k->nearest, err)) ||
        (k->shade != NULL && fs_recording_read(r, "shades", k->shade, rays, err)) ||
        (k->right != NULL && fs_recording_read(r, "right", k->right, k->checked, err)))
        return err->status;
    return FS_OK;
}

static bool is_hit(const fs_hierarchy_facts *facts, const fs_unit_walk_hit *hit) {
    return hit->triangle == FS_UNIT_WALK_MISS || hit->triangle < facts->triangles;
}

static bool is_request(const fs_hierarchy_facts *f, const fs_unit_walk_request *q) {
    if (q->lost > q->inserted || q->inserted > FS_HIERARCHY_WIDTH)
        return false;
    if (!fs_reference_is_leaf(q->reference))
        return fs_reference_id(q->reference) < f->nodes;
    return (uint64_t)fs_reference_first(q->reference) + fs_reference_count(q->reference) <= f->slots &&
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

static fs_status read_work(const fs_recording *r, const fs_config *config, uint32_t queue,
                           fs_hierarchy_work *out, fs_error *err) {
    char key[FS_DIGEST_HEX], *text = key_of(config, key);
    uint64_t number[NUMBERS];
    const fs_status status = fs_recording_match(r, key, text, err);
    free(text);
    if (status || fs_recording_read(r, "numbers", number, sizeof number, err))
        return err->status;
    if (!in_range(number))
        return fs_recording_damaged(r, err, "its numbers contradict each other");
    if (take_room(r, number, out, err) || read_sections(r, out, number[NUMBER_REQUESTS], err))
        return err->status;
    return check_rays(r, out, queue, err);
}

fs_status fs_hierarchy_replay(const char *path, const fs_config *config, uint32_t queue,
                              fs_hierarchy_work *out, fs_error *err) {
    *out = (fs_hierarchy_work){0};
    fs_recording *r = fs_recording_open(path, err);
    if (r == NULL)
        return err->status;
    const fs_status status = read_work(r, config, queue, out, err);
    fs_recording_close(r);
    if (status)
        fs_hierarchy_work_free(out);
    return status;
}
