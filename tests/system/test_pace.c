/* Who sets the pace: while rays are injected, the tracer of the camera's shard, which sees every ray of every
 * batch. Its time follows by hand from the facts sheet's slots (ipu.md 8.1) and the cells and faces that each
 * ray meets there. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"

#include "tests/support/test.h"
#include "workloads/foam/march/march.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/image/camera.h"
#include "workloads/scene/foam/foam_scene.h"

enum { WIDTH = 80, HEIGHT = 60, ROWS = 4, SHARDS = 64, LEVELS = 3, SIDE = 8, WORKERS = 6, SLOT_CYCLES = 6 };
enum { LAUNCH = 11 + 6 + 6, INT_DIV = 265, ITERATIONS = 2000 };
enum { FIRST_ROUTER = SHARDS, ROUTERS = 21, LOWEST_ROUTERS = 16 };

/* The scene of the experiment, marched without a machine. */
typedef struct world {
    fs_arena *arena;
    fs_foam foam;
    fs_partition partition;
    fs_march_scene scene;
    fs_camera camera;
    uint32_t camera_cell, camera_shard;
} world;

static void make_world(world *w) {
    static const fs_scene_params garden = {.file = "", .generate = {.kind = 0, .cells = 8000, .seed = 7}};
    const fs_partition_params cut = {.shards = 64};
    const fs_camera_params view = {.width = WIDTH,
                                   .height = HEIGHT,
                                   .position = {2.1, -2.9, 1.7},
                                   .look_at = {0.1, 0.2, 0.6},
                                   .position_given = true,
                                   .look_at_given = true,
                                   .fov_y = 50};
    fs_error err = {0};
    w->arena = fs_arena_create();
    assert_ok(fs_scene_load(&garden, "cache/foamsim", 1, &w->foam, &err) ||
                  fs_partition_make(&fs_partitioner_kd, &w->foam, &cut, w->arena, &w->partition, &err) ||
                  fs_march_scene_make(&w->foam, &w->partition, &w->scene, &err) ||
                  fs_camera_make(&view, "camera", &w->camera, &err),
              &err);
    w->camera_cell = fs_march_nearest(&w->scene, &w->partition, w->camera.origin);
    w->camera_shard = w->scene.cell[w->camera_cell].shard;
}

static void free_world(world *w) {
    fs_march_scene_free(&w->scene);
    fs_foam_free(&w->foam);
    fs_arena_free(w->arena);
}

/* ---- the frame without a machine ---- */

static uint32_t rays[SHARDS][ITERATIONS];  /* that a tracer reads in an iteration */
static uint64_t slots[SHARDS][ITERATIONS]; /* that they cost it */
static uint32_t camera_tile;

/* Lanes between two tracers of a quadtree: up to the router over both and down; to itself by way of its
 * router. */
static uint32_t distance(uint32_t a, uint32_t b) {
    uint32_t up = 1;
    for (; a >> 2 * up != b >> 2 * up; up++)
        continue;
    return 2 * up;
}

/* The tracer whose slice of the picture has the pixel: 8 x 8 slices, sizes rounded up. */
static uint32_t owner(uint32_t x, uint32_t y) {
    return y / ((HEIGHT + SIDE - 1) / SIDE) * SIDE + x / ((WIDTH + SIDE - 1) / SIDE);
}

/* Follows a ray generated in iteration `when`. Slots of each event: ipu.md 8.1. */
static void follow(const world *w, uint32_t x, uint32_t y, uint32_t when) {
    enum {
        SLOT = 6,
        PIXEL = 85,
        SETUP = 100,
        CELL = 50,
        FACE = 19,
        FRONT = 22,
        NEAREST = 2,
        DEPTH = 12,
        CROSS = 75,
        FINISH = 75 + 2 * 5
    };
    const fs_march_params march = {.threshold = 0.01, .step_limit = 1000};
    fs_ray_state ray = {.T = 1.0f};
    fs_march_exit exit = FS_EXIT_CROSSED;
    uint32_t cell = w->camera_cell, shard = w->camera_shard;
    float direction[3];
    fs_camera_direction(&w->camera, x, y, direction);
    when += LEVELS + 1; /* a router of each level, then the tracer */
    while (exit == FS_EXIT_CROSSED) {
        const uint32_t *range = &w->scene.shard_start[shard];
        fs_march_counts seen = {0};
        exit =
            fs_march(&w->scene, &march, w->camera.origin, direction, range[0], range[1], &cell, &ray, &seen);
        assert_true(when < ITERATIONS);
        rays[shard][when]++;
        slots[shard][when] += SLOT + SETUP + CELL * seen.cells + FACE * seen.faces + FRONT * seen.front +
                              NEAREST * seen.nearest + DEPTH * seen.depth_marks +
                              (uint64_t)(exit == FS_EXIT_CROSSED ? CROSS : FINISH);
        uint32_t next = exit == FS_EXIT_CROSSED ? w->scene.cell[cell].shard : owner(x, y);
        when += distance(shard, next);
        shard = next;
    }
    assert_true(when < ITERATIONS);
    rays[shard][when]++;
    slots[shard][when] += SLOT + PIXEL;
}

/* Stale slots cleared when an iteration has fewer rays than the one before. */
static uint64_t wiped(const uint32_t *of_tile, uint32_t iterations) {
    uint64_t sum = 0;
    for (uint32_t k = 1; k < iterations; k++)
        sum += of_tile[k] < of_tile[k - 1] ? of_tile[k - 1] - of_tile[k] : 0;
    return sum;
}

/* ---- the run ---- */

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    char set[64];
    snprintf(set, sizeof set, "workload.batching.per_batch=%d", ROWS);
    cli_write_experiment("x.yaml");
    cli_must("run", "x.yaml", "--quiet", "--set", set, "--set", "workload.payload=full", "--out", "run",
             NULL);
    world w;
    make_world(&w);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            follow(&w, x, y, y / ROWS);
    camera_tile = w.camera_shard;
    free_world(&w);
    return 0;
}

TEST(tracers_see_the_rays_that_were_followed) {
    struct table o = table_read("run", "occupancy.csv"), k = table_read("run", "iterations.csv");
    size_t first = table_column(&o, "i0"), camera_column = table_column(&k, "rays_camera");
    assert_true(k.rows < ITERATIONS);
    for (size_t tile = 0; tile < SHARDS; tile++)
        for (size_t i = 0; i < k.rows; i++)
            assert_int_equal(strtoul(o.cell[(tile + 1) * o.columns + first + i], NULL, 10), rays[tile][i]);
    for (size_t i = 0; i < k.rows; i++)
        assert_int_equal(strtoul(k.cell[(i + 1) * k.columns + camera_column], NULL, 10),
                         rays[camera_tile][i]);
}

/* Busy cycles of a tile: all slots of all its workers, six cycles each. */
TEST(workers_are_busy_as_long_as_the_slots_say) {
    enum { PROLOGUE = 150 + 3 * INT_DIV, LAST_SLOT = 6, WIPE = 10, RAY = 30, FIXED = 100 + 3 * INT_DIV };
    struct table t = table_read("run", "tiles.csv"), k = table_read("run", "iterations.csv");
    const uint32_t n = (uint32_t)k.rows;
    for (size_t tile = 0; tile < SHARDS; tile++) {
        uint64_t sum = (uint64_t)n * WORKERS * (PROLOGUE + LAST_SLOT) + WIPE * wiped(rays[tile], n);
        for (uint32_t i = 0; i < n; i++)
            sum += slots[tile][i];
        assert_int_equal(table_int(&t, tile, "busy"), SLOT_CYCLES * sum);
        assert_int_equal(table_int(&t, tile, "waiting"), 0);
    }
    uint32_t made[ITERATIONS] = {0};
    for (uint32_t i = 0; i < n; i++)
        made[i] = i < HEIGHT / ROWS ? WIDTH * ROWS : 0;
    uint64_t generator = (uint64_t)n * FIXED + RAY * WIDTH * HEIGHT + WIPE * wiped(made, n);
    assert_int_equal(table_int(&t, SHARDS + ROUTERS, "busy"), SLOT_CYCLES * generator);
}

/* Above the lowest level no in buffer has gaps, so a router's slots follow from its rays but for the wiped
 * ones, which are a whole number and not more than the rays that came (ipu.md 8.2). */
TEST(routers_are_busy_as_long_as_the_slots_say) {
    enum { EACH = 30 + 260 + 4 * 21, FIRST = 1200 + 117, PER_RAY = 20 + 45 + 22, WIPE = 10 };
    struct table t = table_read("run", "tiles.csv");
    int64_t iterations = (int64_t)run_figure("run", "device.iterations");
    for (size_t tile = FIRST_ROUTER + LOWEST_ROUTERS; tile < FIRST_ROUTER + ROUTERS; tile++) {
        int64_t visits = table_int(&t, tile, "visits");
        int64_t rest = table_int(&t, tile, "busy") -
                       SLOT_CYCLES * (iterations * (WORKERS * EACH + FIRST) + PER_RAY * visits);
        assert_true(visits > 0);
        assert_int_equal(rest % (SLOT_CYCLES * WIPE), 0);
        assert_in_range(rest, SLOT_CYCLES * WIPE, SLOT_CYCLES * WIPE * visits);
        assert_true(table_int(&t, tile, "waiting") > 0);
    }
}

/* Cycles of a tracer in a call in which six workers share the slots evenly: no call is shorter. */
static double call(uint64_t slots_in_all) {
    enum { PROLOGUE = 150 + 3 * INT_DIV, LAST_SLOT = 6 };
    return LAUNCH + SLOT_CYCLES * (PROLOGUE + LAST_SLOT + (double)slots_in_all / WORKERS);
}

TEST(the_cameras_tracer_sets_the_pace) {
    struct table k = table_read("run", "iterations.csv");
    const uint32_t batches = HEIGHT / ROWS;
    double by_hand = 0, cycles = 0, injecting = 0;
    uint32_t paced = 0;
    for (uint32_t i = 0; i < k.rows; i++) {
        double compute = (double)table_int(&k, i, "compute_camera");
        assert_true(compute >= call(slots[camera_tile][i]));
        injecting += table_int(&k, i, "injecting") ? compute : 0;
        if (i < LEVELS + 1 || i >= batches + LEVELS + 1)
            continue; /* a new batch is at the camera's tracer in the iterations between */
        assert_true(rays[camera_tile][i] >= WIDTH * ROWS);
        by_hand += call(slots[camera_tile][i]);
        cycles += compute;
        paced += table_int(&k, i, "pace_tile") == camera_tile;
    }
    print_message("%.0f cycles a batch at the camera's tracer, %.0f by hand; it sets the pace in %u of %u\n",
                  cycles / batches, by_hand / batches, paced, batches);
    assert_true(cycles <= 1.15 * by_hand);
    assert_true(paced >= 0.8 * batches);
    assert_true(fabs(run_figure("run", "pace.camera_tile_cycles") * batches - injecting) < 1);
}

RUN_TESTS(begin, cli_leave)
