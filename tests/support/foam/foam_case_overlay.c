#include "tests/support/foam/foam_case_overlay.h"

#include "models/overlay/kinds/kinds.h"
#include "sim/config/config.h"
#include "workloads/foam/kernels/layout.h"

#include <stdio.h>
#include <stdlib.h>

const char *const fs_case_kind_names[FS_CASE_KINDS] = {"quadtree", "fat tree", "tree", "mesh", "direct"};

static fs_error error;

static void must(fs_status status) {
    if (status) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
}

fs_case_overlay fs_case_overlay_random(fs_rng *rng, uint32_t shards) {
    fs_case_overlay s = {.kind = fs_rng_below(rng, 4) ? (fs_case_kind)fs_rng_below(rng, FS_CASE_KINDS)
                                                      : FS_CASE_FAT_TREE,
                         .dispatch = (fs_dispatch)fs_rng_below(rng, 3),
                         .arity = 2 + fs_rng_below(rng, 5),
                         .columns = fs_rng_below(rng, 2) ? 1 + fs_rng_below(rng, shards) : 0};
    s.widths[0] = shards == 64 ? 1 : 1 + fs_rng_below(rng, 3); /* 16 groups */
    s.widths[1] = 1 + fs_rng_below(rng, 4);
    s.widths[2] = 1 + fs_rng_below(rng, 8);
    s.second_entry = fs_rng_below(rng, 2);
    if (fs_rng_below(rng, 3) == 0) {
        s.replicated = 1 + fs_rng_below(rng, 3);
        s.copies = 2 + fs_rng_below(rng, 3);
    }
    return s;
}

typedef struct plans {
    fs_quadtree_params quadtree;
    fs_fat_tree_params fat_tree;
    fs_overlay_tree_params tree;
    fs_mesh_params mesh;
    fs_direct_params direct;
} plans;

static uint32_t levels_over(uint32_t shards) {
    uint32_t levels = 0;
    for (uint32_t n = 1; n < shards; n *= 4)
        levels++;
    return levels;
}

static void plan_kind(const fs_case_overlay *spec, const fs_overlay_site *site, uint32_t ring,
                      fs_arena *arena, fs_overlay *out) {
    plans p;
    int64_t widths[FS_CASE_LEVELS];
    for (int l = 0; l < FS_CASE_LEVELS; l++)
        widths[l] = spec->widths[l] > 0 ? spec->widths[l] : 1;
    fs_params_default(arena, fs_overlay_quadtree.table, &p.quadtree);
    fs_params_default(arena, fs_overlay_fat_tree.table, &p.fat_tree);
    fs_params_default(arena, fs_overlay_tree.table, &p.tree);
    fs_params_default(arena, fs_overlay_mesh.table, &p.mesh);
    fs_params_default(arena, fs_overlay_direct.table, &p.direct);
    p.fat_tree.widths = (fs_int_list){widths, levels_over(site->shards)};
    p.fat_tree.widths_given = true;
    p.tree.arity = spec->arity > 0 ? spec->arity : 3;
    p.mesh.columns = spec->columns;
    p.direct.lane_buffer = 0;
    const struct {
        const fs_overlay_kind *kind;
        const void *params;
    } kinds[FS_CASE_KINDS] = {{&fs_overlay_quadtree, &p.quadtree},
                              {&fs_overlay_fat_tree, &p.fat_tree},
                              {&fs_overlay_tree, &p.tree},
                              {&fs_overlay_mesh, &p.mesh},
                              {&fs_overlay_direct, &p.direct}};
    must(kinds[spec->kind].kind->plan(kinds[spec->kind].params, site, arena, out, &error));
    out->dispatch = spec->dispatch;
    out->generator_ring = ring;
}

void fs_case_overlay_plan(const fs_case_overlay *spec, const fs_machine_params *machine,
                          const fs_partition *partition, uint32_t entry, uint32_t payload_bytes,
                          uint32_t ring, fs_arena *arena, fs_overlay *out) {
    const fs_foam_layout_needs needs = {.partition = partition, .payload_bytes = payload_bytes};
    const uint32_t entries[2] = {entry, (entry + partition->shards / 2) % partition->shards};
    fs_overlay_site site = {.machine = machine,
                            .shards = partition->shards,
                            .payload_bytes = payload_bytes,
                            .entry = entries,
                            .entries = spec->second_entry ? 2 : 1};
    fs_foam_layout_site(machine, &needs, arena, &site);
    plan_kind(spec, &site, ring, arena, out);
    uint32_t shard[64], count = spec->replicated < site.shards ? spec->replicated : site.shards;
    for (uint32_t i = 0; i < count; i++)
        shard[i] = (entry + i) % site.shards;
    if (count > 0)
        must(fs_overlay_replicate(out, shard, count, spec->copies, arena, &error));
    must(fs_overlay_check(out, &error));
}
