/* What if the kernels, buffers or owners were others? Kernels that cost less send the same rays the same
 * ways; infinite buffers lose nothing in the same SRAM; replicas hold their shard, share its rays and change
 * no pixel. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define NARROW                                                                                               \
    "--set", "overlay.router_buffer=12 kB", "--set", "overlay.tracer_buffer=3 kB", "--set",                  \
        "overlay.generator_ring=0"

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_must("run", "x.yaml", "--quiet", "--out", "plain", NULL);
    return 0;
}

static int64_t compute_of(const char *dir, const char *role) {
    struct table t = table_read(dir, "tiles.csv");
    int64_t sum = 0;
    for (size_t r = 0; r < t.rows; r++)
        if (strcmp(table_text(&t, r, "role"), role) == 0)
            sum += table_int(&t, r, "compute");
    return sum;
}

TEST(prices_move_no_ray) {
    static const struct {
        const char *set, *role; /* whose compute gets less */
    } what[] = {{"workload.kernels.router=hardware", "router"},
                {"workload.kernels.router_statistics=false", "router"},
                {"workload.kernels.generator_workers=6", "generator"},
                {"workload.kernels.fixed_cost=false", "tracer"}};
    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "other", "--set", what[i].set, NULL);
        same_file("plain", "other", "occupancy.csv");
        same_file("plain", "other", "hops.csv");
        same_file("plain", "other", "image.png");
        assert_true(run_figure("other", "device.cycles") < run_figure("plain", "device.cycles"));
        assert_true(compute_of("other", what[i].role) < compute_of("plain", what[i].role));
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "event", "--set", what[i].set, "--set",
                 "run.detail=event", NULL);
        same_file("other", "event", "iterations.csv");
        same_file("other", "event", "tiles.csv");
    }
}

TEST(hardware_costs_what_it_is_given) {
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "free", "--set",
             "workload.kernels.router=hardware", "--set", "workload.kernels.router_cycles=0 cycles", NULL);
    assert_int_equal(compute_of("free", "router"), 0);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "seven", "--set",
             "workload.kernels.router=hardware", "--set", "workload.kernels.router_cycles=7 cycles", NULL);
    struct table t = table_read("seven", "tiles.csv");
    for (size_t r = 0; r < t.rows; r++)
        if (strcmp(table_text(&t, r, "role"), "router") == 0)
            assert_int_equal(table_int(&t, r, "compute"), 7 * table_int(&t, r, "visits"));
}

/* The cells of the scene come once, 24 B each, besides neighbours and adjacency: what memory.csv says of all
 * tracers, at the speed of the link and in three streams a shard, a handshake each; and nothing else changes. */
TEST(an_upload_takes_the_link) {
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "upload", "--set", "workload.upload=true",
             "--set", "machine.host.bandwidth=1 MB/s", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "slow", "--set", "machine.host.bandwidth=1 MB/s",
             NULL);
    double bytes = 0;
    struct table t = table_read("upload", "memory.csv");
    static const char *const parts[] = {"shard cells", "neighbour cells", "adjacency"};
    for (size_t r = 0; r < t.rows; r++)
        for (size_t p = 0; p < 3; p++)
            if (strcmp(table_text(&t, r, "allocation"), parts[p]) == 0)
                bytes += (double)table_int(&t, r, "bytes");
    assert_true(bytes > 0);
    double seconds = run_figure("upload", "device.seconds") - run_figure("slow", "device.seconds");
    const double streams = 3 * run_figure("upload", "overlay.tracers");
    if (fabs(seconds - bytes / 1e6 - streams * 0.02e-3) > 1e-6)
        fail_msg("%.0f bytes in %.0f streams took %.9f s", bytes, streams, seconds);
    same_file("upload", "slow", "occupancy.csv");
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "polls", "--set", "workload.upload=true",
             "--set", "machine.host.bandwidth=1 MB/s", "--set", "machine.host.stream_copy=0.1 ms", NULL);
    seconds = run_figure("polls", "device.seconds") - run_figure("upload", "device.seconds");
    if (fabs(seconds - streams * 0.08e-3) > 1e-6)
        fail_msg("%.0f streams took %.9f s", streams, seconds);
}

TEST(infinite_buffers_lose_nothing) {
    cli_must("run", "x.yaml", "--quiet", "--out", "narrow", NARROW, NULL);
    cli_result r =
        cli("run", "x.yaml", "--out", "infinite", "--set", "workload.infinite_buffers=true", NARROW, NULL);
    assert_int_equal(r.status, 0);
    assert_true(strstr(r.out, "infinite_buffers") != NULL || strstr(r.err, "infinite_buffers") != NULL);
    assert_true(run_figure("narrow", "rays.dropped") > 0);
    assert_int_equal(run_figure("infinite", "rays.dropped"), 0);
    assert_int_equal(run_figure("infinite", "rays.spilled"), 0);
    same_file("plain", "infinite", "image.png");
    same_file("plain", "infinite", "hops.csv");
    same_file("narrow", "infinite", "memory.csv");
}

static int64_t bytes_of(const struct table *t, int64_t tile, const char *allocation) {
    int64_t sum = 0;
    for (size_t r = 0; r < t->rows; r++)
        if (table_int(t, r, "tile") == tile && strcmp(table_text(t, r, "allocation"), allocation) == 0)
            sum += table_int(t, r, "bytes");
    return sum;
}

TEST(replicas_share_a_shard) {
    cli_must("run", "x.yaml", "--quiet", "--out", "replicas", "--set", "workload.replicas.camera=3", NULL);
    same_file("plain", "replicas", "image.png");
    same_file("plain", "replicas", "depth.png");
    struct table t = table_read("replicas", "tiles.csv"), m = table_read("replicas", "memory.csv");
    int64_t tracers = 0, owners = 0, visits = 0, most = 0, most_before = 0;
    for (size_t r = 0; r < t.rows; r++) {
        if (strcmp(table_text(&t, r, "role"), "tracer") != 0)
            continue;
        const int64_t tile = table_int(&t, r, "tile");
        tracers++;
        if (tile < 64)
            continue;
        const int64_t first = table_int(&t, r, "shard"); /* tracer i of the quadtree is tile i */
        owners++;
        visits += table_int(&t, r, "visits");
        assert_int_equal(bytes_of(&m, tile, "shard cells"), bytes_of(&m, first, "shard cells"));
        assert_int_equal(bytes_of(&m, tile, "adjacency"), bytes_of(&m, first, "adjacency"));
        assert_true(bytes_of(&m, first, "framebuffer slice") > 0);
        assert_int_equal(bytes_of(&m, tile, "framebuffer slice"), 0);
        most = table_int(&t, (size_t)first, "visits");
    }
    assert_int_equal(tracers, 66);
    assert_int_equal(owners, 2);
    struct table before = table_read("plain", "tiles.csv");
    for (size_t r = 0; r < 64; r++)
        most_before =
            table_int(&before, r, "visits") > most_before ? table_int(&before, r, "visits") : most_before;
    /* The camera's shard sees every ray once: a third of them now, and as many pixels as before. */
    assert_true(most < most_before);
    assert_true(visits > most_before / 2);
}

static void refused(const char *set, const char *more, const char *says) {
    cli_result r = more ? cli("run", "x.yaml", "--out", "no", "--set", set, "--set", more, NULL)
                        : cli("run", "x.yaml", "--out", "no", "--set", set, NULL);
    assert_int_equal(r.status, 2);
    assert_says(r.err, says);
    assert_false(scratch_there("no"));
}

TEST(what_cannot_be_is_refused) {
    refused("workload.kernels.generator_workers=7", NULL, "at most the 6 workers of a tile, found 7");
    refused("workload.replicas.shards=[64]", NULL, "replicas.shards");
    refused("workload.replicas.shards=[3, 3]", NULL, "twice");
    refused("workload.replicas.camera=60", NULL, "spare tiles");
}

RUN_TESTS(begin, cli_leave)
