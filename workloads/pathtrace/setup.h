/* What a run and a price have in common: everything that follows from the configuration and the sizes of the
 * scene, without a path. */
#pragma once

#include "models/ipu/tables/notes.h"
#include "sim/config/config.h"
#include "workloads/paths/tree/tree.h"
#include "workloads/pathtrace/frame/frame.h"

/* Of the scene on a tile. */
typedef struct fs_pathtrace_scene {
    uint64_t nodes, depth, triangles, vertices, spheres, discs, materials, degenerate;
    uint64_t node_bytes;
    bool normals;
} fs_pathtrace_scene;

/* All but the depth, which the tree tells: its nodes follow from the primitives. */
fs_pathtrace_scene fs_pathtrace_scene_of(const fs_mesh_scene *mesh, uint64_t node_bytes);

typedef struct fs_pathtrace_setup {
    const fs_config *config;
    const fs_machine_params *machine;
    const fs_pathtrace_params *params;
    fs_pathtrace_scene scene;
    fs_pathtrace_layout layout;
    uint64_t node_bytes;  /* of all nodes, as the ledger has them */
    uint64_t scene_bytes; /* of a tile: nodes, triangles, vertices, materials */
    fs_nif_plan network;
    fs_pathtrace_steps steps;
    fs_pathtrace_sizes sizes;
    fs_pathtrace_fixed fixed;
    fs_books_labels labels;
    fs_ledger *ledger;
} fs_pathtrace_setup;

/* params: the configuration's, or others. FS_INPUT, with the place, when a tile's SRAM is too small or no split of the network fits. */
fs_status fs_pathtrace_setup_make(fs_pathtrace_setup *setup, const fs_config *config,
                                  const fs_pathtrace_params *params, const fs_pathtrace_scene *scene,
                                  fs_arena *arena, fs_error *err);
