/* The naive model alone on random foams: with room for all it follows the march, without it the image is the
 * same. */
#include "tests/support/foam/naive_foam.h"

#include "models/overlay/kinds/kinds.h"
#include "sim/base/alloc.h"
#include "tests/support/foam/small_foam.h"
#include "tests/support/test.h"

static const fs_quadtree_params tree = {.router_buffer = 576000,
                                        .tracer_buffer = 115200,
                                        .generator.buffer = 115200,
                                        .generator.ring = 5760,
                                        .generator.tile = -1};
static const fs_machine_params small = {.name = "gc200-small", .geometry = {4, 6, 4}};

typedef struct world {
    fs_foam foam;
    fs_partition partition;
    fs_march_scene scene;
    fs_overlay overlay;
    fs_camera camera;
    fs_arena *arena;
    uint32_t *capacity;
    fs_naive_config config;
} world;

static void begin_world(world *w, uint64_t seed, uint32_t sites, uint32_t shards, uint32_t capacity) {
    memset(w, 0, sizeof *w);
    fs_error err = {0};
    w->arena = fs_arena_create();
    assert_int_equal(fs_test_foam(sites, seed, &w->foam), FS_OK);
    fs_partition_params cut = {.shards = shards};
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &w->foam, &cut, w->arena, &w->partition, &err),
                     FS_OK);
    assert_int_equal(fs_march_scene_make(&w->foam, &w->partition, &w->scene, &err), FS_OK);
    assert_int_equal(fs_overlay_quadtree.plan(&tree, &(fs_overlay_site){.machine = &small, .shards = shards},
                                              w->arena, &w->overlay, &err),
                     FS_OK);
    fs_camera_params view = {.width = 12,
                             .height = 9,
                             .position = {-1.5, -1.3, 0.4},
                             .look_at = {0.1, 0, 0.05},
                             .up = {0, 0, 1},
                             .position_given = true,
                             .look_at_given = true,
                             .up_given = true,
                             .fov_y = 40};
    assert_int_equal(fs_camera_make(&view, "camera", &w->camera, &err), FS_OK);
    w->capacity = fs_calloc(w->overlay.lane_count, sizeof *w->capacity);
    for (uint32_t l = 0; l < w->overlay.lane_count; l++)
        w->capacity[l] = capacity;
    w->config = (fs_naive_config){.overlay = &w->overlay,
                                  .scene = &w->scene,
                                  .partition = &w->partition,
                                  .camera = &w->camera,
                                  .march = {.threshold = 0.01, .step_limit = 100000},
                                  .payload = &fs_payloads[0],
                                  .workers = 6,
                                  .lane_capacity = w->capacity,
                                  .ring = 200,
                                  .per_batch = 1,
                                  .repeat = 20,
                                  .frames = 1,
                                  .coverage = 1.0,
                                  .max_iterations = 5000};
}

static void end_world(world *w) {
    free(w->capacity);
    fs_march_scene_free(&w->scene);
    fs_foam_free(&w->foam);
    fs_arena_free(w->arena);
}

/* Ample lanes: nothing waits, the image is that of the march over all cells at once, and the visits are the
 * runs of one shard along that march, taken cell by cell. */
TEST(free_roads_follow_the_march) {
    for (uint32_t i = 0; i < 6; i++) {
        world w;
        fs_naive_result r;
        begin_world(&w, 100 + i, 100 + 300 * i, i % 3 == 0 ? 4 : i % 3 == 1 ? 16 : 64, 200);
        fs_naive_run(&w.config, &r);
        assert_true(r.complete);
        assert_int_equal(r.total.spilled + r.total.waiting, 0);
        for (uint32_t p = 0; p < r.pixels; p++) {
            float d[3];
            fs_camera_direction(&w.camera, p % w.camera.width, p / w.camera.width, d);
            uint32_t cell = fs_march_nearest(&w.scene, &w.partition, w.camera.origin);
            fs_ray_state ray = {.T = 1.0f};
            fs_march_counts counts = {0};
            uint32_t shard = w.scene.cell[cell].shard, visits = 1;
            uint32_t hops = fs_overlay_distance(&w.overlay, UINT32_MAX, shard);
            while (fs_march(&w.scene, &w.config.march, w.camera.origin, d, cell, cell + 1, &cell, &ray,
                            &counts) == FS_EXIT_CROSSED) {
                uint32_t next = w.scene.cell[cell].shard;
                if (next != shard) {
                    visits++;
                    hops += fs_overlay_distance(&w.overlay, shard, next);
                }
                shard = next;
            }
            assert_memory_equal(&r.rgb[3 * p], &ray.r, 3 * sizeof(float));
            assert_int_equal(r.pixel[p].tracer_visits, visits);
            assert_int_equal(r.pixel[p].router_visits, hops - visits);
            uint32_t owner =
                fs_naive_owner(&w.camera, w.overlay.tracers, p % w.camera.width, p / w.camera.width);
            assert_int_equal(r.pixel[p].delivery_hops, fs_overlay_distance(&w.overlay, shard, owner));
        }
        fs_naive_free(&r);
        end_world(&w);
    }
}

static void check_sums(const fs_naive_config *config, const fs_naive_result *r) {
    uint64_t held_by_tracers = 0;
    for (uint32_t k = 0; k < r->iterations; k++)
        for (uint32_t tile = 0; tile < r->tiles; tile++)
            if (config->overlay->role[tile] == FS_ROLE_TRACER)
                held_by_tracers += r->held[(uint64_t)k * r->tiles + tile];
    uint64_t sum[12];
    static const char *const tracer[] = {"setup", "pass", "pixel", "cross", "finish"};
    for (uint32_t e = 0; e < 5; e++)
        sum[e] = fs_naive_event_sum(config, r, FS_ROLE_TRACER, tracer[e]);
    uint64_t ended = config->local_framebuffer ? sum[2] : sum[4];
    assert_true(sum[0] == sum[3] + ended); /* a marched ray crosses or ends */
    assert_true(held_by_tracers == sum[0] + sum[1] + (config->local_framebuffer ? 0 : sum[2]));
    assert_true(fs_naive_event_sum(config, r, FS_ROLE_TRACER, "cell") == r->total.cells);
    assert_true(fs_naive_event_sum(config, r, FS_ROLE_TRACER, "face") == r->total.faces);
    uint64_t forward = fs_naive_event_sum(config, r, FS_ROLE_ROUTER, "forward");
    assert_true(forward == fs_naive_event_sum(config, r, FS_ROLE_ROUTER, "count"));
    assert_true(forward == fs_naive_event_sum(config, r, FS_ROLE_ROUTER, "statistics"));
    assert_true(fs_naive_event_sum(config, r, FS_ROLE_ROUTER, "spill") == r->total.spilled);
    assert_true(fs_naive_event_sum(config, r, FS_ROLE_GENERATOR, "ray") == r->total.generated);
    assert_true(sum[2] == r->total.finished);
}

/* Narrow lanes, every payload: spills and returns, but the same image as with ample lanes, bit for bit, for a
 * spill does not round; and a pixel's visits, waits and hops add up. */
TEST(narrow_roads_give_the_same_image) {
    uint64_t spilled = 0;
    for (uint32_t i = 0; i < 12; i++) {
        world w;
        fs_naive_result wide, narrow;
        begin_world(&w, 200 + i, 150 + 60 * i, i % 3 == 0 ? 4 : i % 3 == 1 ? 16 : 64, 200);
        w.config.payload = &fs_payloads[i % 4];
        w.config.local_framebuffer = i >= 8;
        w.config.local_records = 300;
        fs_naive_run(&w.config, &wide);
        for (uint32_t l = 0; l < w.overlay.lane_count; l++)
            w.capacity[l] = 1 + i / 2;
        w.config.workers = 1 + i % 8;
        fs_naive_run(&w.config, &narrow);
        assert_true(wide.complete && narrow.complete);
        assert_memory_equal(wide.rgb, narrow.rgb, 3 * sizeof(float) * wide.pixels);
        assert_memory_equal(wide.depth, narrow.depth, sizeof(float) * wide.pixels);
        for (uint32_t p = 0; p < narrow.pixels; p++)
            assert_int_equal(narrow.pixel[p].shortest, wide.pixel[p].alive);
        check_sums(&w.config, &wide);
        check_sums(&w.config, &narrow);
        spilled += narrow.total.spilled;
        fs_naive_free(&wide);
        fs_naive_free(&narrow);
        end_world(&w);
    }
    assert_true(spilled > 1000);
}

RUN_TESTS(NULL, NULL)
