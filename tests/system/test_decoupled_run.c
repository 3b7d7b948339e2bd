/* Decoupled runs from the command line: the picture of the run under barriers, tables that add up, the same
 * bytes with any threads, frames and streams, and what is refused. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#define DECOUPLED "--set", "machine.exchange.mode=dynamic", "--set", "machine.execution=decoupled"

static const char *const payloads[] = {"full", "mixed", "half", "baseline"};
enum { PAYLOADS = 4, WORKERS = 6 };

static void set_payload(char *text, size_t size, int payload) {
    snprintf(text, size, "workload.payload=%s", payloads[payload]);
}

/* Visits do not depend on the clock; cycles in queues do. */
static void assert_same_visits(const char *a, const char *b) {
    static const char *const columns[] = {"tracer_visits", "router_visits", "delivery_hops", "misrouted"};
    struct table x = table_read(a, "hops.csv"), y = table_read(b, "hops.csv");
    assert_int_equal(x.rows, y.rows);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (size_t r = 0; r < x.rows; r++)
            assert_int_equal(table_int(&x, r, columns[c]), table_int(&y, r, columns[c]));
}

TEST(barriers_change_no_pixel) {
    char payload[64];
    for (int p = 0; p < PAYLOADS; p++) {
        set_payload(payload, sizeof payload, p);
        cli_must("run", "x.yaml", "--quiet", "--force", "--set", payload, "--out", "bsp", NULL);
        cli_must("run", "x.yaml", "--quiet", "--force", "--set", payload, DECOUPLED, "--out", "free", NULL);
        assert_true(files_equal("bsp/image.png", "free/image.png"));
        assert_true(files_equal("bsp/depth.png", "free/depth.png"));
        assert_same_visits("bsp", "free");
        assert_whole_run("free");
    }
}

/* Bytes over the host's link take their time without barriers as with them: a visit's 8 B of each pixel at 1 MB/s. */
TEST(the_picture_is_fetched) {
    cli_must("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--set", "machine.host.bandwidth=1 MB/s",
             "--out", "slow", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--out", "free", NULL);
    const double pixel = 8 / 1e6 * 1.33e9,
                 more = run_figure("slow", "device.cycles_host") - run_figure("free", "device.cycles_host");
    assert_true(more > 0.99 * pixel * run_figure("free", "rays.finished"));
}

TEST(tables_add_up) {
    cli_must("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--set",
             "machine.decoupled_slice=30000 cycles", "--set", "overlay.router_buffer=5 kB", "--out", "free",
             NULL);
    struct table k = table_read("free", "iterations.csv"), t = table_read("free", "tiles.csv"),
                 l = table_read("free", "lanes.csv");
    const int64_t cycles = (int64_t)run_figure("free", "device.cycles"),
                  compute = (int64_t)run_figure("free", "device.cycles_compute"),
                  host = (int64_t)run_figure("free", "device.cycles_host");
    assert_int_equal(cycles, compute + host);
    assert_int_equal(table_sum(&k, "compute"), compute);
    assert_int_equal(table_int(&k, 0, "start") + table_sum(&k, "cycles"), cycles);
    for (size_t r = 0; r + 1 < k.rows; r++)
        assert_int_equal(table_int(&k, r, "cycles"), 30000);
    assert_int_equal(table_sum(&k, "finished"), 80 * 60);
    for (size_t r = 0; r < t.rows; r++)
        assert_int_equal(table_int(&t, r, "busy") + table_int(&t, r, "waiting") + table_int(&t, r, "idle"),
                         WORKERS * compute);
    assert_int_equal(table_sum(&t, "bytes_in"), table_sum(&t, "bytes_out"));
    assert_int_equal(table_sum(&l, "all_rays"), (int64_t)run_figure("free", "rays.hops"));
    assert_int_equal(table_sum(&t, "visits"), (int64_t)run_figure("free", "rays.hops"));
    for (size_t r = 0; r < l.rows; r++)
        assert_true(table_int(&l, r, "all_peak") <= table_int(&l, r, "capacity"));
    assert_true(run_figure("free", "decoupled.stalled_cycles") > 0);
    /* A call takes rays from lanes, or makes them. */
    const double batches = run_figure("free", "decoupled.batch_mean") * run_figure("free", "decoupled.calls");
    assert_int_equal((int64_t)(batches + 0.5),
                     (int64_t)(run_figure("free", "rays.hops") + run_figure("free", "rays.generated")));
    assert_true(run_figure("free", "decoupled.waiting_mean") < run_figure("free", "decoupled.alive_mean"));
}

TEST(threads_change_no_byte) {
    static const char *const overlays[] = {"overlay=fat-tree", "overlay=mesh"};
    for (int o = 0; o < 2; o++) {
        cli_must("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--set", overlays[o], "--threads", "1",
                 "--out", "one", NULL);
        cli_must("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--set", overlays[o], "--threads", "3",
                 "--out", "more", NULL);
        assert_same_run("one", "more", SAME_SETTINGS);
    }
}

TEST(frames_follow_each_other) {
    cli_must("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--out", "one", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--set", "run.frames=3", "--out", "three",
             NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--set", "run.frames=3", "--set",
             "run.stream=true", "--out", "stream", NULL);
    const double latency = run_figure("one", "device.frame_latency_seconds");
    assert_true(latency >= run_figure("one", "device.seconds") &&
                latency <= run_figure("one", "device.seconds"));
    static const char *const runs[] = {"three", "stream"};
    for (int r = 0; r < 2; r++) {
        const double period = run_figure(runs[r], "device.frame_period_seconds"),
                     first = run_figure(runs[r], "device.frame_latency_seconds");
        assert_true(period > 0 && first > 0);
        assert_true(first + 2 * period <= run_figure(runs[r], "device.seconds"));
        assert_true(files_equal("one/image.png", runs[r][0] == 't' ? "three/image.png" : "stream/image.png"));
    }
    assert_true(run_figure("stream", "rays.generated") >= run_figure("three", "rays.generated"));
    const double left = run_figure("stream", "rays.in_flight");
    assert_true(run_figure("stream", "rays.generated") <= run_figure("stream", "rays.finished") + left);
}

static void refused(int status, const char *set, const char *where, const char *words) {
    cli_result r = cli("run", "x.yaml", "--quiet", "--force", DECOUPLED, "--set", set, "--out", "no", NULL);
    assert_int_equal(r.status, status);
    assert_non_null(strstr(r.err, where));
    assert_non_null(strstr(r.err, words));
}

/* Bytes of an allocation on a tile. */
static int64_t allocated(const struct table *memory, int64_t tile, const char *allocation) {
    for (size_t r = 0; r < memory->rows; r++)
        if (table_int(memory, r, "tile") == tile &&
            strcmp(table_text(memory, r, "allocation"), allocation) == 0)
            return table_int(memory, r, "bytes");
    return 0;
}

/* Lanes that fill one queue in and one out: the same rays by the same visits, in the SRAM that they had apart, and as many
 * in flight as the smallest queue holds, whatever carries them. */
TEST(lanes_may_share_queues) {
    enum { PAYLOAD = 20, TRACERS = 64 };
#define DIRECT DECOUPLED, "--set", "overlay={ kind: direct }", "--set", "workload.payload=half"
    cli_must("run", "x.yaml", "--quiet", "--force", DIRECT, "--set", "overlay.lane_buffer=0 B", "--out",
             "apart", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", DIRECT, "--set", "overlay.lane_buffer=shared", "--out",
             "shared", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", DIRECT, "--set", "overlay.lane_buffer=shared", "--set",
             "machine.exchange.kind=noc", "--set", "machine.exchange.noc.size=[8, 12]", "--out", "routers",
             NULL);
    assert_whole_run("shared");
    assert_true(files_equal("apart/image.png", "shared/image.png"));
    assert_true(files_equal("apart/image.png", "routers/image.png"));
    assert_same_visits("apart", "shared");
    assert_same_visits("apart", "routers");
    struct table apart = table_read("apart", "memory.csv"), shared = table_read("shared", "memory.csv");
    int64_t least = INT64_MAX;
    for (int64_t t = 0; t < TRACERS; t++) {
        const int64_t in = allocated(&shared, t, "in lanes"), out = allocated(&shared, t, "out lanes");
        assert_true(in == out && in >= allocated(&apart, t, "in lanes"));
        least = in < least ? in : least;
    }
    assert_true((int64_t)run_figure("shared", "decoupled.window") == least / PAYLOAD);
    assert_true(run_figure("shared", "decoupled.in_flight_max") <= run_figure("shared", "decoupled.window"));
    assert_true(run_figure("shared", "decoupled.stalled_cycles") <= 0);
    assert_true(run_figure("apart", "decoupled.window") < run_figure("shared", "decoupled.window"));
}

TEST(a_queue_is_shared_without_barriers_alone) {
    cli_result r = cli("run", "x.yaml", "--quiet", "--force", "--out", "no", "--set",
                       "overlay={ kind: direct }", "--set", "overlay.lane_buffer=shared", NULL);
    assert_true(r.status == 2 && strstr(r.err, "overlay.lane_buffer: between barriers") != NULL);
    r = cli("run", "x.yaml", "--quiet", "--force", "--out", "no", DIRECT, "--set",
            "overlay.lane_buffer=shared", "--set", "machine.decoupled_window=1000000", NULL);
    assert_true(r.status == 2 && strstr(r.err, "machine.decoupled_window: queues that lanes share") != NULL);
#undef DIRECT
}

TEST(what_cannot_be_is_refused) {
    refused(2, "machine.exchange.mode=static", "machine.execution", "machine.exchange.mode: dynamic");
    refused(2, "machine.host.fused=false", "machine.execution", "machine.host.fused: true");
    refused(2, "workload.infinite_buffers=true", "machine.execution", "workload.infinite_buffers: false");
    refused(2, "workload.camera_change.iteration=10", "machine.execution", "workload.camera_change");
    refused(2, "machine.decoupled_slice=10 cycles", "decoupled_slice", "1000");
    refused(1, "run.max_iterations=2", "run.max_iterations = 2", "machine.decoupled_slice");
}

RUN_TESTS(cli_enter_experiment, cli_leave)
