/* Scene, tree, cut; what a tile's SRAM holds; copies. */
#include "workloads/treelets/run.h"

#include "sim/config/config.h"

enum { MATERIAL = 36, PILOT = 16 }; /* B (neural_path_tracing.md 2); of the pixels one in so many */

void fs_treelets_begin(fs_treelets_run *r) {
    const fs_config *config = r->of.run.config;
    r->of.machine = fs_config_section(config, "machine");
    r->of.run.how = fs_config_section(config, "run");
    r->params = fs_config_section(config, "workload");
    r->tiles = fs_treelets_tiles(r->params, r->of.machine);
    r->program = fs_treelets_program(r->params, r->of.run.arena);
}

fs_status fs_treelets_load(fs_treelets_run *r, fs_error *err) {
    const fs_treelets_params *p = r->params;
    fs_arena *arena = r->of.run.arena;
    const fs_treelet_params cut = {.rule = (fs_treelet_rule)p->cut,
                                   .most_bytes = (uint64_t)p->treelet_bytes,
                                   .count = (uint32_t)p->treelet_count};
    if (fs_mesh_scene_load(fs_config_section(r->of.run.config, "scene"), arena, &r->mesh, err))
        return err->status;
    fs_mesh_scene_to_camera(&r->mesh);
    if (fs_bvh_build(&r->mesh, (uint32_t)p->node_bytes, arena, &r->tree, err) ||
        fs_treelet_cut_make(&r->mesh, &r->tree, &cut, arena, &r->cut, err))
        return err->status;
    fs_walk_replace(&r->walk, &r->mesh, &r->tree, arena);
    fs_treelets_geometry *g = &r->geometry;
    *g = (fs_treelets_geometry){.nodes = r->tree.nodes,
                                .triangles = r->mesh.triangles,
                                .vertices = r->mesh.vertices,
                                .materials = r->mesh.materials,
                                .degenerate = r->mesh.degenerate,
                                .smooth = r->mesh.normal != NULL,
                                .treelets = r->cut.treelets,
                                .top_bytes = r->cut.top_bytes,
                                .treelet_bytes = r->cut.bytes};
    for (uint32_t k = 0; k < r->cut.treelets; k++)
        g->most_bytes = r->cut.of[k].bytes > g->most_bytes ? r->cut.of[k].bytes : g->most_bytes;
    return FS_OK;
}

/* ---- memory ---- */

static const char *role_of(const void *self, uint32_t tile) {
    const fs_treelets_run *r = self;
    return tile % fs_geometry_tiles(&r->of.machine->geometry) < fs_treelets_of_chip(r->params, r->of.machine)
               ? "treelets"
               : "spare";
}

static void add_tile(const fs_treelets_run *r, fs_ledger *ledger, uint32_t tile) {
    const fs_treelets_params *p = r->params;
    const fs_memory_params *m = &r->of.machine->memory;
    const uint64_t ray = fs_treelets_payload(p), others = fs_machine_tiles(r->of.machine) - 1;
    fs_ledger_add(ledger, tile, "code and stacks", (uint64_t)p->code);
    fs_ledger_add(ledger, tile, "vertex state", (uint64_t)m->vertex_state);
    fs_ledger_add(ledger, tile, "top", r->geometry.top_bytes);
    fs_ledger_add(ledger, tile, "materials", r->geometry.materials * MATERIAL);
    fs_ledger_add(ledger, tile, "queue", (uint64_t)p->capacity * ray);
    if (fs_treelets_exchange(p, r->of.machine) == FS_TREELETS_ROTATION) {
        fs_ledger_add(ledger, tile, "rotation's slots out", others * (uint64_t)p->slots * ray);
        fs_ledger_add(ledger, tile, "rotation's slots in", others * (uint64_t)p->slots * ray);
        fs_ledger_add(ledger, tile, "exchange code", 2 * others * (uint64_t)m->exchange_code_per_message);
    }
}

uint64_t fs_treelets_room(const fs_treelets_run *r) {
    const fs_memory_params *m = &r->of.machine->memory;
    if (r->params->room != FS_WORD_VALUE)
        return (uint64_t)r->params->room;
    fs_ledger *one = fs_ledger_create(r->of.run.arena, 1, m);
    add_tile(r, one, 0);
    const uint64_t most = m->sram > m->reserved ? (uint64_t)(m->sram - m->reserved) : 0,
                   used = fs_ledger_used(one, 0);
    return most > used ? most - used : 0;
}

fs_ledger *fs_treelets_ledger(const fs_treelets_run *r, fs_error *err) {
    const uint32_t all = fs_machine_tiles(r->of.machine);
    fs_ledger *ledger = fs_ledger_create(r->of.run.arena, all, &r->of.machine->memory);
    for (uint32_t t = 0; t < r->tiles; t++) {
        const uint32_t tile = fs_treelets_tile(r->params, r->of.machine, t);
        add_tile(r, ledger, tile);
        if (r->tile_bytes != NULL)
            fs_ledger_add(ledger, tile, "treelets", r->tile_bytes[t]);
    }
    return fs_ledger_check(ledger, role_of, r, err) ? NULL : ledger;
}

fs_status fs_treelets_place(fs_treelets_run *r, const fs_itineraries *its, fs_error *err) {
    fs_arena *arena = r->of.run.arena;
    uint64_t *room = FS_NEW(arena, uint64_t, r->tiles);
    double *load = FS_NEW(arena, double, r->cut.treelets);
    const uint64_t each = fs_treelets_room(r);
    for (uint32_t t = 0; t < r->tiles; t++)
        room[t] = each;
    if (its != NULL)
        fs_place_pilot(its, PILOT, load);
    const fs_place_params params = {.rule = its != NULL ? (fs_place_rule)r->params->copies : FS_PLACE_ONE,
                                    .tiles = r->tiles,
                                    .spread = (fs_place_spread)r->params->spread,
                                    .chips = fs_machine_chips(r->of.machine),
                                    .room = room,
                                    .most = (uint32_t)r->params->tile_treelets};
    if (fs_place_make(&r->cut, load, &params, arena, &r->placement, err))
        return err->status;
    r->tile_bytes = r->placement.bytes;
    return FS_OK;
}
