#include "models/noc/noc.h"

#include "sim/config/config.h"

#include <string.h>

const char *const fs_noc_topologies[] = {[FS_NOC_MESH] = "mesh",
                                         [FS_NOC_TORUS] = "torus",
                                         [FS_NOC_RUCHE] = "ruche",
                                         [FS_NOC_FAT_TREE] = "fat_tree",
                                         [FS_NOC_FLATTENED_BUTTERFLY] = "flattened_butterfly",
                                         [FS_NOC_DRAGONFLY] = "dragonfly",
                                         [FS_NOC_FILE] = "file",
                                         NULL};
const char *const fs_noc_ways[] = {
    [FS_NOC_BOTH_WAYS] = "both", [FS_NOC_UPWARDS] = "up", [FS_NOC_DOWNWARDS] = "down", NULL};

const char *const fs_noc_routers[] = {[FS_NOC_BUFFERED] = "buffered", [FS_NOC_FREE] = "free", NULL};

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
        return FS_FAIL_NULL(err, FS_INPUT, "a flattened butterfly has two sizes, found %u", count);
    const uint32_t all[] = {size[0], size[1], side, side};
    return fs_noc_flattened_butterfly(arena, (fs_noc_sizes){all, 4}, wires, err);
}

/* Sizes of a dragonfly, with end points of a router. */
static fs_noc_graph *groups(fs_arena *arena, const fs_noc_options *o, const uint32_t *size, uint32_t count,
                            fs_noc_wires wires, fs_error *err) {
    if (count != 3)
        return FS_FAIL_NULL(err, FS_INPUT,
                            "a dragonfly has three sizes, [routers of a group, groups, links of a router to "
                            "other groups], found %u",
                            count);
    const uint32_t all[] = {size[0], size[1], size[2], (uint32_t)o->concentration};
    return fs_noc_dragonfly(arena, (fs_noc_sizes){all, 4}, wires, err);
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
    case FS_NOC_DRAGONFLY:
        return groups(arena, o, list, count, wires, err);
    case FS_NOC_FILE:
        return fs_noc_from_file(arena, o->file, wires, (uint32_t)o->vcs, err);
    default:
        return fs_noc_mesh(arena, size, wires, 0, err);
    }
}

/* An error without a key in front gets one; one with its place in a file has no need. */
static const fs_noc_graph *wrong(const char *key, const fs_error *why, fs_error *err) {
    if (strncmp(why->text, "machine.", 8) == 0)
        key = "";
    return FS_FAIL_NULL(err, why->status, "%s%s%s", key, key[0] == '\0' ? "" : ": ", why->text);
}

const fs_noc_graph *fs_noc_make(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    static const char size_key[] = "machine.exchange.noc.size";
    const bool file = o->topology == FS_NOC_FILE;
    fs_error why = {0};
    if (file && o->file[0] == '\0')
        return FS_FAIL_NULL(err, FS_INPUT,
                            "machine.exchange.noc.file: expected a file of routers and links, found none");
    if (!file && !o->size_given)
        return FS_FAIL_NULL(err, FS_INPUT,
                            "%s: expected routers in each dimension, such as [8, 8], found none", size_key);
    uint32_t *list = fs_arena_alloc(arena, o->size.count + 1, sizeof *list);
    for (size_t i = 0; o->size_given && i < o->size.count; i++)
        list[i] = (uint32_t)o->size.item[i];
    const fs_noc_graph *g = make(arena, o, list, o->size_given ? (uint32_t)o->size.count : 0, &why);
    if (g == NULL)
        return wrong(file ? "" : size_key, &why, err);
    /* The rules of the kinds are free of rings with as many channels as they have classes (a test walks them);
     * with fewer the ring is looked for, to be named. */
    if (o->vcs < g->classes && fs_noc_check_deadlock(g, (uint32_t)o->vcs, &why))
        return wrong("machine.exchange.noc.vcs", &why, err);
    if (o->vcs < g->classes)
        return FS_FAIL_NULL(err, FS_INPUT, "machine.exchange.noc.vcs: expected at least %u, found %lld: %s",
                            g->classes, (long long)o->vcs, g->why);
    return g;
}

void fs_noc_check_options(const fs_noc_options *o, fs_check *check) {
    fs_arena *arena = fs_arena_create();
    fs_error why = {0};
    if (fs_noc_make(arena, o, &why) == NULL) {
        const char *colon = strchr(why.text, ':');
        if (strncmp(why.text, "machine.", 8) == 0)
            fs_check_wrong(check, fs_arena_printf(arena, "%.*s", (int)(colon - why.text), why.text), "%s",
                           colon + 2);
        else
            fs_check_failed(check, "machine", &why);
    }
    fs_error_clear(&why);
    fs_arena_free(arena);
}

fs_noc_sizes fs_noc_digits(fs_arena *arena, const fs_noc_options *o, uint32_t ends) {
    const bool tree = o->topology == FS_NOC_FAT_TREE;
    if (o->topology == FS_NOC_DRAGONFLY || o->topology == FS_NOC_FILE) {
        uint32_t *all = fs_arena_alloc(arena, 1, sizeof *all);
        *all = ends;
        return (fs_noc_sizes){all, 1};
    }
    const uint32_t count = (uint32_t)(tree ? o->size.item[1] : (int64_t)o->size.count);
    uint32_t *digits = fs_arena_alloc(arena, count + 1, sizeof *digits), side = 1;
    while (side * side < o->concentration && o->topology == FS_NOC_FLATTENED_BUTTERFLY)
        side++;
    for (uint32_t d = 0; d < count; d++)
        digits[d] = (uint32_t)o->size.item[tree ? 0 : d] * side;
    return (fs_noc_sizes){digits, count};
}
