#include "models/noc/noc.h"

const char *const fs_noc_topologies[] = {[FS_NOC_MESH] = "mesh",
                                         [FS_NOC_TORUS] = "torus",
                                         [FS_NOC_RUCHE] = "ruche",
                                         [FS_NOC_FAT_TREE] = "fat_tree",
                                         [FS_NOC_FLATTENED_BUTTERFLY] = "flattened_butterfly",
                                         NULL};
const char *const fs_noc_ways[] = {
    [FS_NOC_BOTH_WAYS] = "both", [FS_NOC_UPWARDS] = "up", [FS_NOC_DOWNWARDS] = "down", NULL};

static fs_noc_graph *butterfly(fs_arena *arena, const fs_noc_options *o, const uint32_t *size, uint32_t count,
                               fs_noc_wires wires, fs_error *err) {
    uint32_t side = 1;
    while (side * side < o->concentration)
        side++;
    if (side * side != o->concentration)
        return FS_FAIL_NULL(err, FS_INPUT,
                            "machine.exchange.noc.concentration: expected a square number, found %lld",
                            (long long)o->concentration);
    if (count != 2)
        return FS_FAIL_NULL(
            err, FS_INPUT, "machine.exchange.noc.size: a flattened butterfly has two sizes, found %u", count);
    const uint32_t all[] = {size[0], size[1], side, side};
    return fs_noc_flattened_butterfly(arena, (fs_noc_sizes){all, 4}, wires, err);
}

static fs_noc_graph *make(fs_arena *arena, const fs_noc_options *o, const uint32_t *list, uint32_t count,
                          fs_error *err) {
    const fs_noc_sizes size = {list, count};
    const bool torus = o->topology == FS_NOC_TORUS;
    const fs_noc_wires wires = {(uint32_t)(o->link != FS_WORD_VALUE              ? o->link
                                           : torus && o->way == FS_NOC_BOTH_WAYS ? 2
                                                                                 : 1),
                                (uint32_t)o->pitch};
    switch (o->topology) {
    case FS_NOC_TORUS:
        return fs_noc_torus(arena, size, wires,
                            o->way == FS_NOC_BOTH_WAYS ? 0
                            : o->way == FS_NOC_UPWARDS ? 1
                                                       : -1,
                            err);
    case FS_NOC_RUCHE:
        return fs_noc_mesh(arena, size, wires, (uint32_t)o->express, err);
    case FS_NOC_FAT_TREE:
        return fs_noc_fat_tree(arena, size, wires, err);
    case FS_NOC_FLATTENED_BUTTERFLY:
        return butterfly(arena, o, list, count, wires, err);
    default:
        return fs_noc_mesh(arena, size, wires, 0, err);
    }
}

const fs_noc_graph *fs_noc_make(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    if (!o->size_given)
        return FS_FAIL_NULL(
            err, FS_INPUT, "machine.exchange.noc.size is missing: routers in each dimension, such as [8, 8]");
    uint32_t *list = fs_arena_alloc(arena, o->size.count + 1, sizeof *list);
    for (size_t i = 0; i < o->size.count; i++)
        list[i] = (uint32_t)o->size.item[i];
    const fs_noc_graph *g = make(arena, o, list, (uint32_t)o->size.count, err);
    if (g == NULL)
        return NULL;
    /* The rules of the kinds are free of rings with as many channels as they have classes (a test walks them);
     * with fewer the ring is looked for, to be named. */
    if (o->vcs < g->classes && fs_noc_check_deadlock(g, (uint32_t)o->vcs, err))
        return NULL;
    return g;
}

fs_noc_sizes fs_noc_digits(fs_arena *arena, const fs_noc_options *o) {
    const bool tree = o->topology == FS_NOC_FAT_TREE;
    const uint32_t count = (uint32_t)(tree ? o->size.item[1] : (int64_t)o->size.count);
    uint32_t *digits = fs_arena_alloc(arena, count + 1, sizeof *digits), side = 1;
    while (side * side < o->concentration && o->topology == FS_NOC_FLATTENED_BUTTERFLY)
        side++;
    for (uint32_t d = 0; d < count; d++)
        digits[d] = (uint32_t)o->size.item[tree ? 0 : d] * side;
    return (fs_noc_sizes){digits, count};
}
