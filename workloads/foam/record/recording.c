#include "workloads/foam/record/recording.h"

#include "sim/base/arith.h"

#include <stdlib.h>
#include <string.h>

/* Lists of neighbours: ascending, of other shards, and each of two says so of the other. */
static void check_neighbours(fs_recorded *f, const fs_partition *p) {
    const uint32_t *start = p->neighbour_start;
    for (uint32_t s = 0; s < p->shards && fs_recorded_reads(f); s++) {
        FS_RECORDED_HOLD(f, "neighbours", p->neighbour + start[s], start[s + 1] - start[s],
                         FS_RECORDED_ITEM("shard", uint32_t, 0, p->shards - 1, FS_ORDER_CLIMBS));
        for (uint32_t i = start[s]; i < start[s + 1] && fs_recorded_reads(f); i++) {
            const uint32_t other = p->neighbour[i];
            if (other == s || bsearch(&s, p->neighbour + start[other], start[other + 1] - start[other],
                                      sizeof s, fs_by_u32) == NULL)
                fs_recorded_wrong(f, "shard %u is next to shard %u, but not the other way round", s, other);
        }
    }
}

void fs_foam_facts_sections(fs_recorded *f, const fs_foam_expected *e, fs_foam_facts *facts,
                            fs_partition *p) {
#define NUMBER(name, m, lo, hi) FS_RECORDED(name, fs_foam_facts, m, lo, hi)
    const fs_recorded_number numbers[] = {
        NUMBER("cells", cells, 0, 0),
        NUMBER("faces", faces, 0, 0),
        NUMBER("shards", shards, e->shards, e->shards),
        NUMBER("cameras", cameras, e->cameras, e->cameras),
        NUMBER("entry", entry[0], 0, 0),
        NUMBER("entry", entry[1], 0, 0),
    };
    _Static_assert(FS_POSES == 2, "a number for each camera's shard");
    if (fs_recorded_reads(f)) {
        *facts = (fs_foam_facts){.degree = e->degree};
        *p = (fs_partition){.shards = e->shards};
    }
    fs_recorded_numbers(f, "facts", numbers, FS_COUNT(numbers), facts);
    fs_recorded_bytes(f, "scene_digest", facts->digest, FS_DIGEST_HEX - 1);
    FS_RECORDED_LIST(f, "shard_sizes", &p->size, p->shards);
    FS_RECORDED_LIST(f, "neighbour_start", &p->neighbour_start, p->shards + 1);
    const uint32_t neighbours = f->err->status == FS_OK ? p->neighbour_start[p->shards] : 0;
    FS_RECORDED_HOLD(f, "neighbour_start", p->neighbour_start, p->shards + 1,
                     FS_RECORDED_ITEM("neighbour", uint32_t, 0, neighbours, FS_ORDER_STARTS));
    FS_RECORDED_LIST(f, "neighbours", &p->neighbour, neighbours);
    fs_recorded_bytes(f, e->cameras > FS_POSES ? "entries" : NULL, facts->entry,
                      e->cameras * sizeof *facts->entry);
    fs_recorded_bytes(f, e->degree > 0 ? "colour" : NULL, &facts->colour, sizeof facts->colour);
    FS_RECORDED_HOLD(f, "entries", facts->entry, e->cameras,
                     FS_RECORDED_ITEM("shard", uint32_t, 0, e->shards - 1, FS_ORDER_ANY));
    if (fs_recorded_reads(f) && strspn(facts->digest, "0123456789abcdef") != FS_DIGEST_HEX - 1)
        fs_recorded_wrong(f, "its scene's digest is no SHA-256");
    check_neighbours(f, p);
}
