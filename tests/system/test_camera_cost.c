/* What the camera costs, in absolute numbers: its 132 bytes over the host link and to all tiles, and the
 * scene's bytes before it. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

/* Two 4 x 4 matrices of f32, the camera's shard and its cell, 16 bits each. */
enum { CAMERA = 2 * 16 * 4 + 2 + 2 };

static const char experiment[] =
    "name: visit\n"
    "machine: gc200-small\n"
    "scene: { generate: { kind: garden, cells: 4000, seed: 7 } }\n"
    "workload:\n"
    "  kind: foam\n"
    "  camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: 50 deg,\n"
    "            width: 32, height: 24 }\n"
    "  partition: { kind: kd, shards: 64 }\n";

/* The cycle in which the first iteration starts: the end of the host's first visit. */
static int64_t first_start(const char *out, const char *link, const char *port, const char *upload) {
    cli_must("run", "x.yaml", "--quiet", "--out", out, "--set", "machine.clock=1 GHz", "--set", link, "--set",
             port, "--set", upload, NULL);
    struct table t = table_read(out, "iterations.csv");
    const int64_t start = table_int(&t, 0, "start");
    return start;
}

/* Of all shards, as the ledger has them. */
static int64_t shard_bytes(const char *out) {
    struct table t = table_read(out, "memory.csv");
    int64_t sum = 0;
    for (size_t row = 0; row < t.rows; row++) {
        const char *what = table_text(&t, row, "allocation");
        if (strcmp(what, "shard cells") == 0 || strcmp(what, "neighbour cells") == 0 ||
            strcmp(what, "adjacency") == 0)
            sum += table_int(&t, row, "bytes");
    }
    return sum;
}

TEST(the_first_visit_costs_its_bytes) {
    static const char slow[] = "machine.host.bandwidth=1 kB/s", fast[] = "machine.host.bandwidth=2 kB/s";
    static const char narrow[] = "machine.exchange.bytes_per_cycle=1 B/cycle",
                      wide[] = "machine.exchange.bytes_per_cycle=4 B/cycle";
    static const char here[] = "workload.upload=false", upload[] = "workload.upload=true";
    const int64_t a = first_start("a", slow, wide, here), b = first_start("b", fast, wide, here);
    assert_int_equal(a - b, CAMERA * INT64_C(500000)); /* a byte takes a million cycles, or half of them */
    const int64_t c = first_start("c", slow, narrow, here);
    assert_int_equal(c - a, CAMERA - CAMERA / 4); /* a byte a cycle, or four */
    const int64_t d = first_start("d", slow, wide, upload);
    assert_true(shard_bytes("d") > 0);
    /* 64 shards come in three streams each, a handshake of 20,000 cycles for each stream. */
    assert_int_equal(d - a, shard_bytes("d") * INT64_C(1000000) + 64 * 3 * INT64_C(20000));
}

static int set_up(void **state) {
    int failed = cli_enter(state);
    cli_write("x.yaml", experiment);
    return failed;
}

RUN_TESTS(set_up, cli_leave)
