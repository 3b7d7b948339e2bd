#include "tests/support/foam/foam_case.h"

#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/foam/small_foam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call)                                                                                           \
    do {                                                                                                     \
        if (call) {                                                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, error.text);                                  \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static fs_error error;

fs_case_spec fs_case_random(uint64_t seed) {
    static const uint32_t shards[] = {4, 16, 64};
    fs_rng rng = fs_rng_stream(seed, "tests/foam_case");
    fs_case_spec s = {.seed = seed, .shards = shards[fs_rng_below(&rng, 3)]};
    s.sites = s.shards * (2 + fs_rng_below(&rng, 12)) + fs_rng_below(&rng, 200);
    s.width = 1 + fs_rng_below(&rng, 24);
    s.height = 1 + fs_rng_below(&rng, 18);
    s.payload = fs_rng_below(&rng, 4);
    s.order = fs_rng_below(&rng, 2);
    s.per_batch = 1 + fs_rng_below(&rng, 4);
    s.idle = fs_rng_below(&rng, 12);
    s.frames = 1 + fs_rng_below(&rng, 3);
    s.repeat = 1 + fs_rng_below(&rng, 20);
    s.workers = 1 + fs_rng_below(&rng, 8);
    s.local = fs_rng_below(&rng, 4) == 0;
    s.lane_slots = fs_rng_below(&rng, 3) == 0 ? 0 : 1 + fs_rng_below(&rng, 40);
    s.ring = fs_rng_below(&rng, 60);
    s.partition = 2 * fs_rng_below(&rng, 2); /* direct wants cells in every shard */
    return s;
}

/* Somewhere inside the foam, looking anywhere: in general position with probability one. */
static void make_camera(fs_case *c, const fs_case_spec *spec) {
    fs_rng rng = fs_rng_stream(spec->seed, "tests/foam_case/camera");
    fs_camera_params p = {.width = spec->width,
                          .height = spec->height,
                          .position_given = true,
                          .look_at_given = true,
                          .fov_y = fs_rng_range(&rng, 20, 100)};
    for (int k = 0; k < 3; k++) {
        p.position[k] = fs_rng_range(&rng, -0.9, 0.9);
        p.look_at[k] = fs_rng_range(&rng, -0.9, 0.9);
    }
    MUST(fs_camera_make(&p, "camera", &c->camera, &error));
}

static void make_overlay(fs_case *c, const fs_case_spec *spec) {
    fs_params_default(c->arena, &fs_machine_table, &c->machine);
    c->machine.tile.workers = spec->workers;
    uint32_t camera = fs_march_nearest(&c->scene, &c->partition, c->camera.origin);
    fs_case_overlay_plan(&spec->overlay, &c->machine, &c->partition, c->scene.cell[camera].shard,
                         c->payload.bytes, spec->ring, c->arena, &c->overlay);
    c->capacity = FS_NEW(c->arena, uint32_t, c->overlay.lane_count);
    for (uint32_t l = 0; l < c->overlay.lane_count; l++)
        c->capacity[l] = spec->lane_slots != 0 ? spec->lane_slots
                                               : fs_lane_capacity(&c->overlay.lanes[l], c->payload.bytes);
}

void fs_case_make(fs_case *c, const fs_case_spec *spec) {
    memset(c, 0, sizeof *c);
    memset(&error, 0, sizeof error);
    c->arena = fs_arena_create();
    c->payload = fs_payloads[spec->payload];
    static const fs_partitioner *const partitioners[] = {&fs_partitioner_kd, &fs_partitioner_octree,
                                                         &fs_partitioner_metis};
    const fs_partition_params cut = {.shards = spec->shards,
                                     .octree_leaves = spec->shards > 7 ? spec->shards - 6 : 1,
                                     .metis_ufactor = 1,
                                     .exact = true};
    MUST(fs_test_foam(spec->sites, spec->seed, &c->foam));
    MUST(fs_partition_make(partitioners[spec->partition], &c->foam, &cut, c->arena, &c->partition, &error));
    MUST(fs_march_scene_make(&c->foam, &c->partition, &c->scene, &error));
    make_camera(c, spec);
    make_overlay(c, spec);
    c->setup = (fs_foam_setup){.overlay = &c->overlay,
                               .scene = &c->scene,
                               .partition = &c->partition,
                               .camera = &c->camera,
                               .cameras = 1,
                               .march = {.threshold = 0.01, .step_limit = 1000000},
                               .payload = &c->payload,
                               .lane_capacity = c->capacity,
                               .infinite_buffers = spec->infinite,
                               .workers = spec->workers,
                               .order = spec->order,
                               .per_batch = spec->per_batch,
                               .idle = spec->idle,
                               .frames = spec->frames,
                               .stream = spec->stream,
                               .coverage = 1.0,
                               .repeat = spec->repeat,
                               .max_iterations = 20000,
                               .local_framebuffer = spec->local,
                               .local_records = 8192,
                               .change_iteration = UINT64_MAX};
    c->sim = fs_foam_simulation_create(c->arena, &c->setup, &error);
    MUST(c->sim == NULL);
}

static uint32_t *discard_counts(void *self, uint32_t tile) {
    uint32_t *counts = (uint32_t *)self + (size_t)tile * FS_MAX_WORKERS * FS_MAX_EVENTS;
    memset(counts, 0, sizeof(uint32_t) * FS_MAX_WORKERS * FS_MAX_EVENTS);
    return counts;
}

static void discard_done(void *self, uint32_t tile) {
    (void)self;
    (void)tile;
}

fs_status fs_case_run(fs_case *c, fs_error *err) {
    uint32_t *counts = FS_NEW(c->arena, uint32_t, (size_t)c->overlay.tiles * FS_MAX_WORKERS * FS_MAX_EVENTS);
    const fs_count_sink sink = {.self = counts, .counts = discard_counts, .done = discard_done};
    for (uint64_t k = 0;; k++) {
        const uint32_t *active;
        uint32_t active_count;
        fs_foam_simulation_compute(c->sim, k, &sink, &active, &active_count);
        fs_foam_simulation_exchange(c->sim, NULL);
        fs_foam_visit visit;
        if (fs_foam_simulation_decide(c->sim, k, &visit, err) || fs_foam_simulation_check(c->sim, err))
            return err->status;
        if (visit.stop) {
            c->iterations = k + 1;
            return FS_OK;
        }
    }
}

void fs_case_free(fs_case *c) {
    fs_march_scene_free(&c->scene);
    fs_foam_free(&c->foam);
    fs_arena_free(c->arena);
}

uint32_t fs_case_levels(uint32_t shards) {
    uint32_t levels = 0;
    for (uint64_t n = 1; n < shards; n *= 4)
        levels++;
    return levels;
}

uint32_t fs_case_tree_distance(uint32_t a, uint32_t b) {
    uint32_t up = 1; /* a ray for its own tracer still goes by way of the router */
    for (a /= 4, b /= 4; a != b; a /= 4, b /= 4)
        up++;
    return 2 * up;
}
