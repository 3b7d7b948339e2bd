/* A whole small frame for tests: a random foam, its shards, an overlay and a simulation, without device or
 * files. */
#pragma once

#include "models/ipu/machine.h"
#include "tests/support/foam/foam_case_overlay.h"
#include "workloads/foam/kernels/simulation.h"

#include <stdint.h>

typedef struct fs_case_spec {
    uint32_t sites, shards; /* shards: 4, 16 or 64 */
    uint64_t seed;          /* of foam and camera */
    uint32_t width, height;
    uint32_t payload; /* index into fs_payloads */
    uint32_t order, per_batch, idle, frames, repeat, workers;
    bool stream, local;
    uint32_t lane_slots; /* rays of every lane; 0: what the buffers of the overlay hold */
    uint32_t ring;       /* slots of the generator's ring */
    bool infinite;       /* buffers hold all there is */
    uint32_t partition;  /* 0 kd, 1 octree (some tracers without cells), 2 metis */
    fs_case_overlay overlay;
} fs_case_spec;

typedef struct fs_case {
    fs_arena *arena;
    fs_foam foam;
    fs_partition partition;
    fs_march_scene scene;
    fs_camera camera;
    fs_machine_params machine;
    fs_overlay overlay;
    fs_payload payload;
    uint32_t *capacity;
    fs_foam_setup setup;
    fs_foam_simulation *sim;
    uint64_t iterations; /* after fs_case_run */
} fs_case;

/* A random specification: everything that a kernel's behaviour depends on, small buffers included; on a
 * quadtree. */
fs_case_spec fs_case_random(uint64_t seed);
/* Builds it; a failure ends the process with its sentence. */
void fs_case_make(fs_case *c, const fs_case_spec *spec);
/* Runs to the end with counts thrown away; checks the identities after every iteration. FS_OK, or what decide
 * said. */
fs_status fs_case_run(fs_case *c, fs_error *err);
void fs_case_free(fs_case *c);

/* Hops between two tracers of a quadtree, worked out from the digits of their numbers. */
uint32_t fs_case_tree_distance(uint32_t a, uint32_t b);
/* Levels of the quadtree over so many shards. */
uint32_t fs_case_levels(uint32_t shards);
