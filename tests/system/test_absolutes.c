/* Costs that every run has alike, in absolute numbers: what a camera's description takes on its way to the
 * chip and over it, and which bytes of a tile count as its shard. Tests that compare runs with each other
 * would not see them change. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

/* Cycles before the first iteration: one launch, the camera over the host link, its broadcast over the chip. */
static int64_t start_with(const char *name, const char *one, const char *two) {
    cli_must("run", "x.yaml", "--quiet", "--out", name, "--set", one, "--set", two, NULL);
    struct table t = table_read(name, "iterations.csv");
    const int64_t start = table_int(&t, 0, "start");
    return start;
}

/* Two matrices of 4 x 4 floats, and the camera's shard and cell in a word. */
TEST(a_camera_takes_132_bytes) {
    static const double hz = 1e9, slow = 2e6, fast = 2e12;
    const int64_t far = start_with("slow", "machine.clock=1GHz", "machine.host.bandwidth=2MB/s"),
                  near = start_with("fast", "machine.clock=1GHz", "machine.host.bandwidth=2000GB/s");
    assert_int_equal(far - near, (int64_t)(132 / slow * hz + 0.5) - (int64_t)(132 / fast * hz + 0.5));
    const int64_t narrow =
                      start_with("narrow", "machine.clock=1GHz", "machine.exchange.bytes_per_cycle=1B/cycle"),
                  usual =
                      start_with("usual", "machine.clock=1GHz", "machine.exchange.bytes_per_cycle=4B/cycle");
    assert_int_equal(narrow - usual, 132 - 132 / 4);
}

/* memory.shard_bytes: cells, neighbour cells and adjacency of the tracer with most of them. The other lines
 * of its ledger have figures of their own, or none. */
TEST(a_shard_is_its_cells_neighbours_and_adjacency) {
    cli_must("run", "x.yaml", "--quiet", "--out", "memory", NULL);
    struct table t = table_read("memory", "memory.csv");
    int64_t shard[4096] = {0}, lanes[4096] = {0}, slice[4096] = {0}, most_shard = 0, most_lanes = 0,
            most_slice = 0;
    for (size_t i = 0; i < t.rows; i++) {
        const int64_t tile = table_int(&t, i, "tile"), bytes = table_int(&t, i, "bytes");
        const char *what = table_text(&t, i, "allocation");
        if (strcmp(table_text(&t, i, "role"), "tracer") != 0)
            continue;
        assert_in_range(tile, 0, 4095);
        if (strcmp(what, "shard cells") == 0 || strcmp(what, "neighbour cells") == 0 ||
            strcmp(what, "adjacency") == 0)
            shard[tile] += bytes;
        else if (strcmp(what, "in lanes") == 0 || strcmp(what, "out lanes") == 0)
            lanes[tile] += bytes;
        else if (strcmp(what, "framebuffer slice") == 0)
            slice[tile] += bytes;
    }
    for (int tile = 0; tile < 4096; tile++) {
        most_shard = shard[tile] > most_shard ? shard[tile] : most_shard;
        most_lanes = lanes[tile] > most_lanes ? lanes[tile] : most_lanes;
        most_slice = slice[tile] > most_slice ? slice[tile] : most_slice;
    }
    assert_true(most_shard > 1000);
    assert_int_equal(run_figure("memory", "memory.shard_bytes"), most_shard);
    assert_int_equal(run_figure("memory", "memory.tracer_lanes_bytes"), most_lanes);
    assert_int_equal(run_figure("memory", "memory.slice_bytes"), most_slice);
}

RUN_TESTS(cli_enter_experiment, cli_leave)
