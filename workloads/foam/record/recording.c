/* Recordings of the foam: the facts of its scene. */
#include "workloads/foam/record/recording.h"

#include "sim/base/arith.h"
#include "sim/workload/recorded.h"

#include <stdlib.h>
#include <string.h>

/* ---- facts ---- */

#define F fs_foam_facts
static const fs_recorded_number numbers[] = {
    FS_RECORDED("cells", F, cells, 0, 0),    FS_RECORDED("faces", F, faces, 0, 0),
    FS_RECORDED("shards", F, shards, 0, 0),  FS_RECORDED("cameras", F, cameras, 0, 0),
    FS_RECORDED("entry", F, entry[0], 0, 0), FS_RECORDED("entry", F, entry[1], 0, 0),
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };
_Static_assert(FS_POSES == 2, "a number for each camera's shard");

fs_status fs_foam_recording_add_facts(fs_recording_writer *w, const fs_foam_facts *facts,
                                      const fs_partition *p, fs_error *err) {
    const fs_recorded_section rows[] = {
        {"scene_digest", (void *)(uintptr_t)facts->digest, FS_DIGEST_HEX - 1},
        {"shard_sizes", p->size, p->shards * sizeof *p->size},
        {"neighbour_start", p->neighbour_start, (p->shards + 1) * sizeof *p->neighbour_start},
        {"neighbours", p->neighbour, p->neighbour_start[p->shards] * sizeof *p->neighbour},
        {facts->cameras > FS_POSES ? "entries" : NULL, (void *)(uintptr_t)facts->entry,
         facts->cameras * sizeof *facts->entry},
        {facts->degree > 0 ? "colour" : NULL, (void *)(uintptr_t)&facts->colour, sizeof facts->colour}};
    return fs_recorded_add_numbers(w, "facts", numbers, NUMBERS, facts, err)
               ? err->status
               : fs_recorded_add(w, rows, FS_COUNT(rows), err);
}

static bool is_digest(const char *text) {
    return strspn(text, "0123456789abcdef") == FS_DIGEST_HEX - 1;
}

static fs_status check_facts(const fs_recording *r, const fs_foam_facts *facts,
                             const fs_foam_expected *expected, fs_error *err) {
    if (facts->shards != expected->shards)
        return fs_recording_damaged(r, err, "its facts speak of %u shards, its key of %u", facts->shards,
                                    expected->shards);
    if (facts->cameras != expected->cameras)
        return fs_recording_damaged(r, err, "its facts speak of %u cameras, its key of %u", facts->cameras,
                                    expected->cameras);
    for (uint32_t c = 0; c < expected->cameras; c++)
        if (facts->entry[c] >= expected->shards)
            return fs_recording_damaged(r, err, "camera %u stands in shard %u, of %u shards", c + 1,
                                        facts->entry[c], expected->shards);
    if (!is_digest(facts->digest))
        return fs_recording_damaged(r, err, "its scene's digest is no SHA-256");
    return FS_OK;
}

/* Lists of neighbours: ascending, of other shards, and each of two says so of the other. */
static fs_status check_neighbours(const fs_recording *r, const fs_partition *p, fs_error *err) {
    const uint32_t *start = p->neighbour_start;
    for (uint32_t s = 0; s < p->shards; s++)
        for (uint32_t i = start[s]; i < start[s + 1]; i++) {
            const uint32_t other = p->neighbour[i];
            if (other >= p->shards || other == s || (i > start[s] && other <= p->neighbour[i - 1]))
                return fs_recording_damaged(r, err,
                                            "the neighbours of shard %u are no ascending list of others", s);
            if (bsearch(&s, p->neighbour + start[other], start[other + 1] - start[other], sizeof s,
                        fs_by_u32) == NULL)
                return fs_recording_damaged(
                    r, err, "shard %u is next to shard %u, but not the other way round", s, other);
        }
    return FS_OK;
}

static fs_status read_neighbours(const fs_recording *r, fs_arena *arena, fs_partition *p, fs_error *err) {
    if (FS_RECORDED_TAKE(r, "neighbour_start", p->shards + 1, arena, &p->neighbour_start, err))
        return err->status;
    const uint32_t *start = p->neighbour_start;
    bool ascending = start[0] == 0;
    for (uint32_t s = 0; s < p->shards; s++)
        ascending = ascending && start[s] <= start[s + 1];
    if (!ascending)
        return fs_recording_damaged(r, err, "its lists of neighbours do not follow each other");
    if (FS_RECORDED_TAKE(r, "neighbours", start[p->shards], arena, &p->neighbour, err))
        return err->status;
    return check_neighbours(r, p, err);
}

fs_status fs_foam_recording_read_facts(const fs_recording *r, const fs_foam_expected *expected,
                                       fs_arena *arena, fs_foam_facts *facts, fs_partition *p,
                                       fs_error *err) {
    *facts = (fs_foam_facts){.digest = "", .degree = expected->degree};
    if (fs_recorded_read_numbers(r, "facts", numbers, NUMBERS, facts, err) ||
        (expected->cameras > FS_POSES && expected->cameras == facts->cameras &&
         fs_recording_read(r, "entries", facts->entry, facts->cameras * sizeof *facts->entry, err)) ||
        fs_recording_read(r, "scene_digest", facts->digest, FS_DIGEST_HEX - 1, err) ||
        check_facts(r, facts, expected, err))
        return err->status;
    if (facts->degree > 0 && fs_recording_read(r, "colour", &facts->colour, sizeof facts->colour, err))
        return err->status;
    *p = (fs_partition){.shards = facts->shards};
    return FS_RECORDED_TAKE(r, "shard_sizes", facts->shards, arena, &p->size, err)
               ? err->status
               : read_neighbours(r, arena, p, err);
}
