/* A tile that reads more rays in an iteration than 16 bits count: its tables hold all of them. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

enum { RAYS = 320 * 240, SIXTEEN_BITS = 65535 };

static const char experiment[] =
    "name: many\n"
    "machine: gc200-small\n"
    "overlay: { kind: quadtree }\n"
    "scene: { generate: { kind: garden, cells: 2000, seed: 7 } }\n"
    "workload:\n"
    "  kind: foam\n"
    "  camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: 50 deg,\n"
    "            width: 320, height: 240 }\n"
    "  partition: { kind: kd, shards: 64 }\n"
    "  payload: half\n"
    "  batching: { order: rows, per_batch: 240, idle: 10 }\n";

/* What the tables of a run hold of its visits is what its rays made. Returns the most of a tile in one
 * column. */
static int64_t tables_agree(const char *dir) {
    struct table tiles = table_read(dir, "tiles.csv"), matrix = table_read(dir, "occupancy.csv");
    const int64_t hops = (int64_t)run_figure(dir, "rays.hops");
    int64_t sum = 0, most = 0;
    for (size_t row = 0; row < matrix.rows; row++)
        for (size_t c = 3; c < matrix.columns; c++) {
            const int64_t held = strtoll(matrix.cell[(row + 1) * matrix.columns + c], NULL, 10);
            sum += held;
            most = held > most ? held : most;
        }
    assert_int_equal(sum, hops);
    assert_int_equal(table_sum(&tiles, "visits"), hops);
    return most;
}

TEST(a_batch_of_all_rays_at_once) {
    cli_must("run", "many.yaml", "--quiet", "--set", "workload.infinite_buffers=true", "--out", "once",
             "--record-activity", "once.activity", NULL);
    assert_int_equal(tables_agree("once"), RAYS); /* the router beside the generator */
    cli_must("run", "many.yaml", "--quiet", "--set", "workload.infinite_buffers=true", "--out", "again",
             "--replay", "once.activity", NULL);
    assert_int_equal(tables_agree("again"), RAYS);
    assert_true(files_equal("once/occupancy.csv", "again/occupancy.csv"));
}

TEST(a_slice_in_which_all_rays_pass) {
    cli_must("run", "many.yaml", "--quiet", "--set", "machine.execution=decoupled", "--set",
             "machine.exchange.mode=dynamic", "--set", "machine.decoupled_slice=100000000 cycles", "--set",
             "workload.batching.per_batch=1", "--out", "slice", NULL);
    assert_true(tables_agree("slice") > SIXTEEN_BITS);
}

static int set_up(void **state) {
    int failed = cli_enter(state);
    cli_write("many.yaml", experiment);
    return failed;
}

RUN_TESTS(set_up, cli_leave)
