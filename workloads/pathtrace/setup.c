/* Sizes, SRAM, the network's plan, steps and fixed cycles. */
#include "workloads/pathtrace/setup.h"

#include "workloads/paths/walk/walk.h"

#include <inttypes.h>

/* B (neural_path_tracing.md 2). */
enum { VERTEX = 12, NORMAL = 12, MATERIAL = 36, SPHERE = 16, DISC = 28 };

/* Three indices: u16 as in the public program where they reach the scene's vertices, else u32. */
static uint64_t bytes_of_triangles(const fs_pathtrace_scene *s) {
    return s->triangles * (s->vertices <= UINT16_MAX + 1 ? 6 : 12);
}

fs_pathtrace_scene fs_pathtrace_scene_of(const fs_mesh_scene *mesh, uint64_t node_bytes) {
    return (fs_pathtrace_scene){.nodes = 2 * (uint64_t)fs_mesh_primitives(mesh) - 1,
                                .triangles = mesh->triangles,
                                .vertices = mesh->vertices,
                                .spheres = mesh->spheres,
                                .discs = mesh->discs,
                                .materials = mesh->materials,
                                .degenerate = mesh->degenerate,
                                .node_bytes = node_bytes,
                                .normals = mesh->normal != NULL};
}

/* ---- SRAM ---- */

enum { SPARE, IO, RENDER, ROLES };
static const char *const roles[ROLES] = {"spare", "io", "render"};

static void label(fs_pathtrace_setup *s, fs_arena *arena) {
    uint8_t *role = FS_NEW(arena, uint8_t, s->layout.tiles);
    for (uint32_t t = 0; t < s->layout.tiles; t++)
        role[t] = t < s->layout.io_tiles ? IO : RENDER;
    s->labels = (fs_books_labels){.roles = roles, .role_count = ROLES, .role = role};
}

static uint64_t bytes_of_nodes(const fs_pathtrace_setup *s) {
    const uint64_t primitives = s->scene.triangles + s->scene.spheres + s->scene.discs,
                   leaf = (uint64_t)s->params->memory_leaf, leaves = (primitives + leaf - 1) / leaf,
                   node = s->params->memory_node > 0 ? (uint64_t)s->params->memory_node : s->scene.node_bytes;
    return (2 * leaves - 1) * node;
}

static void add_io(const fs_pathtrace_setup *s, uint32_t tile) {
    const uint64_t buffer = fs_pathtrace_buffer(&s->layout).bytes;
    fs_ledger_add(s->ledger, tile, "code", (uint64_t)s->params->code_io);
    fs_ledger_add(s->ledger, tile, "vertex state", (uint64_t)s->machine->memory.vertex_state);
    fs_ledger_add(s->ledger, tile, "batch being loaded", buffer);
    fs_ledger_add(s->ledger, tile, "batch being saved", buffer);
}

static void add_render(fs_pathtrace_setup *s, uint32_t tile) {
    const fs_pathtrace_scene *scene = &s->scene;
    fs_ledger *l = s->ledger;
    fs_ledger_add(l, tile, "code", (uint64_t)s->params->code_render);
    fs_ledger_add(l, tile, "stacks", (uint64_t)s->layout.workers * FS_PATHTRACE_STACK);
    fs_ledger_add(l, tile, "vertex state", (uint64_t)s->machine->memory.vertex_state);
    fs_ledger_add(l, tile, "nodes", s->node_bytes);
    fs_ledger_add(l, tile, "triangles", bytes_of_triangles(scene));
    fs_ledger_add(l, tile, "vertices", scene->vertices * VERTEX);
    if (scene->normals)
        fs_ledger_add(l, tile, "normals", scene->vertices * NORMAL);
    fs_ledger_add(l, tile, "spheres; discs; materials",
                  scene->spheres * SPHERE + scene->discs * DISC + scene->materials * MATERIAL);
    fs_ledger_add(l, tile, "rays", (uint64_t)s->layout.rays * s->layout.ray);
}

/* The network takes of a rendering tile what the rest leaves. */
static fs_status plan_network(fs_pathtrace_setup *s, fs_error *err) {
    const uint64_t usable = (uint64_t)(s->machine->memory.sram - s->machine->memory.reserved),
                   used = fs_ledger_used(s->ledger, s->layout.io_tiles);
    const fs_nif_chip chip = {
        .machine = s->machine,
        .tiles = s->layout.render_tiles,
        .batch = s->layout.batch,
        .free = used < usable ? usable - used : 0,
        .phase = (uint64_t)(s->machine->exchange.program_overhead + s->machine->exchange.latency_base) +
                 fs_sync_internal(&s->machine->sync, &s->machine->geometry)};
    if (fs_nif_plan_make(&s->params->nif, &chip, &s->network))
        return FS_OK;
    const uint32_t largest = fs_nif_largest(&s->params->nif, &chip);
    const char *where = fs_config_where(s->config, "workload", "nif.hidden");
    if (largest == 0)
        return fs_fail(err, FS_INPUT,
                       "%s: no layer of the network fits in the %" PRIu64
                       " B that a rendering tile has left, found H %" PRId64 "; none of any width does",
                       where, chip.free, s->params->nif.hidden);
    return fs_fail(err, FS_INPUT,
                   "%s: a layer of the network does not fit in the %" PRIu64
                   " B that a rendering tile has left, found H %" PRId64
                   "; the largest that fits is H %" PRIu32,
                   where, chip.free, s->params->nif.hidden, largest);
}

static fs_status keep_ledger(fs_pathtrace_setup *s, fs_arena *arena, fs_error *err) {
    s->ledger = fs_ledger_create(arena, s->layout.tiles, &s->machine->memory);
    for (uint32_t t = 0; t < s->layout.tiles; t++)
        if (t < s->layout.io_tiles)
            add_io(s, t);
        else
            add_render(s, t);
    if (s->params->nif.layers > 0) {
        if (fs_ledger_check(s->ledger, fs_books_role, &s->labels, err) || plan_network(s, err))
            return err->status;
        for (uint32_t t = s->layout.io_tiles; t < s->layout.tiles; t++) {
            fs_ledger_add(s->ledger, t, "weights", s->network.weights);
            fs_ledger_add(s->ledger, t, "activations", s->network.bytes);
        }
    }
    return fs_ledger_check(s->ledger, fs_books_role, &s->labels, err);
}

fs_status fs_pathtrace_setup_make(fs_pathtrace_setup *setup, const fs_config *config,
                                  const fs_pathtrace_params *params, const fs_pathtrace_scene *scene,
                                  fs_arena *arena, fs_error *err) {
    *setup = (fs_pathtrace_setup){.config = config,
                                  .machine = fs_config_section(config, "machine"),
                                  .params = params,
                                  .scene = *scene,
                                  .network = {.steps = 1}};
    setup->layout = fs_pathtrace_layout_of(setup->params, setup->machine);
    setup->node_bytes = bytes_of_nodes(setup);
    setup->scene_bytes = setup->node_bytes + bytes_of_triangles(scene) +
                         scene->vertices * (uint64_t)(VERTEX + (scene->normals ? NORMAL : 0)) +
                         scene->spheres * SPHERE + scene->discs * DISC + scene->materials * MATERIAL;
    label(setup, arena);
    if (keep_ledger(setup, arena, err))
        return err->status;
    setup->steps = fs_pathtrace_steps_of(&setup->layout, setup->params, &setup->network, arena);
    setup->sizes = (fs_pathtrace_sizes){.scene = setup->scene_bytes,
                                        .weights = fs_nif_parameters(&setup->params->nif) *
                                                   fs_amp_bytes((fs_amp_type)setup->params->nif.type)};
    return fs_pathtrace_fixed_of(setup->machine, setup->params, &setup->layout, &setup->steps,
                                 &fs_walk_program, setup->sizes, arena, &setup->fixed, err);
}
