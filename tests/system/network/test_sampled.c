/* Sampled phases of a network (machine.exchange.noc.detail): against all of them simulated, over threads, compared; and what
 * they are refused with. FOAMSIM_SAMPLED_FRAMES=12: three scenes, two overlays and two networks on a whole chip, where
 * `make test` takes two frames on a corner of one. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#define SAMPLED "--set", "machine.exchange.noc.detail=sampled"
#define ALL     SAMPLED, "--set", "machine.exchange.noc.error=0%"

static const char
    corner[] = "machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: "
               "mesh, size: [8, 12] } } }\n",
    frame[] = "name: sampled\n"
              "overlay: { kind: quadtree }\n"
              "scene: { generate: { kind: garden, cells: 20000, seed: 7 } }\n"
              "workload:\n"
              "  kind: foam\n"
              "  camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: "
              "50 deg, width: 96, height: 72 }\n"
              "  payload: half\n"
              "  infinite_buffers: true\n";

static void write_frame(const char *machine, const char *rest) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", machine, frame, rest);
    cli_write("x.yaml", text);
}

/* The corner's frame and its activity. */
static int enter(void **state) {
    const int status = cli_enter(state);
    write_frame(
        corner,
        "  partition: { kind: kd, shards: 64 }\n  batching: { order: rows, per_batch: 2, idle: 10 }\n");
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "flits", "--record-activity", "x.activity",
             NULL);
    return status;
}

/* ---- sampled against whole ---- */

typedef struct tally {
    int frames, within;
} tally;

static void judge(const char *what, tally *t) {
    const double whole = run_figure("whole", "device.cycles_exchange"),
                 error = 100 * (run_figure("part", "device.cycles_exchange") / whole - 1),
                 half = run_figure("part", "network.sampled.interval");
    print_message("%s: %.3f %% of the exchange, said to be within %.3f %%\n", what, error, half);
    assert_true(half >= 0 && half <= 1 && fabs(error) <= 2);
    assert_true(run_figure("whole", "network.sampled.interval") <= 0);
    assert_true(run_figure("part", "network.sampled.phases") <=
                run_figure("whole", "network.sampled.phases"));
    t->frames++;
    t->within += fabs(error) <= half + 1e-9;
}

/* Of the corner's frames as well. */
TEST(a_small_sample_is_near) {
    static const char *const overlays[] = {"quadtree", "direct"}, *const topologies[] = {"mesh", "torus"};
    tally t = {0};
    for (int i = 0; i < 4; i++) {
        char overlay[64], topology[64], what[64];
        snprintf(overlay, sizeof overlay, "overlay=%s", overlays[i / 2]);
        snprintf(topology, sizeof topology, "machine.exchange.noc.topology=%s", topologies[i % 2]);
        snprintf(what, sizeof what, "%s, %s", overlays[i / 2], topologies[i % 2]);
        if (i == 2)
            cli_must("run", "x.yaml", "--quiet", "--force", "--out", "r", "--set", overlay,
                     "--record-activity", "y.activity", NULL);
        const char *activity = i < 2 ? "x.activity" : "y.activity";
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "whole", "--replay", activity, "--set",
                 overlay, "--set", topology, "--set", "run.outputs=summary", ALL, NULL);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "part", "--replay", activity, "--set",
                 overlay, "--set", topology, "--set", "run.outputs=summary", SAMPLED, NULL);
        judge(what, &t);
    }
    assert_true(t.within >= 3);
}

/* All phases simulated take what flits take, but for where arbiters stand; a few know stalls and latencies about. */
TEST(all_phases_are_those_of_flits) {
    static const char *const near[] = {"network.latency.mean", "network.latency.queue",
                                       "network.latency.network", "stalls.no_credit", "stalls.lost"};
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "whole", "--replay", "x.activity", ALL, NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "part", "--replay", "x.activity", SAMPLED, NULL);
    assert_true(run_figure("part", "network.sampled.phases") < run_figure("whole", "network.sampled.phases"));
    assert_true(
        fabs(run_figure("whole", "device.cycles_exchange") / run_figure("flits", "device.cycles_exchange") -
             1) < 0.01);
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        assert_true(fabs(run_figure("whole", near[i]) / run_figure("flits", near[i]) - 1) < 0.03);
        assert_true(fabs(run_figure("part", near[i]) / run_figure("flits", near[i]) - 1) < 0.1);
    }
}

/* ---- what does not depend on the sample ---- */

/* Bytes, flits of each link, energy of what moved: of all phases, by their ways. */
TEST(what_moves_is_counted_in_full) {
    static const char *const same[] = {
        "network.packets",        "network.flit_hops",     "network.hops.mean",     "network.hops.max",
        "network.latency.serial", "energy.parts.exchange", "device.cycles_compute", "device.iterations"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_true(fabs(run_figure("part", same[i]) - run_figure("flits", same[i])) <= 0);
    struct table a = table_read("part", "links.csv"), b = table_read("flits", "links.csv");
    assert_true(a.rows == b.rows && a.rows > 0);
    for (size_t i = 0; i < a.rows; i++)
        assert_true(table_int(&a, i, "flits") == table_int(&b, i, "flits"));
    a = table_read("part", "tiles.csv");
    b = table_read("flits", "tiles.csv");
    assert_true(table_sum(&a, "bytes_out") == table_sum(&b, "bytes_out"));
}

/* The books add up: iterations follow each other, their exchange is the frame's, phases are those of the chart. */
TEST(the_books_move_with_the_exchange) {
    struct table t = table_read("part", "iterations.csv");
    int64_t exchange = 0;
    for (size_t i = 0; i < t.rows; i++) {
        exchange += table_int(&t, i, "exchange");
        if (i > 0)
            assert_true(table_int(&t, i, "start") ==
                        table_int(&t, i - 1, "start") + table_int(&t, i - 1, "compute") +
                            table_int(&t, i - 1, "sync") + table_int(&t, i - 1, "exchange") +
                            table_int(&t, i - 1, "host"));
    }
    assert_true(exchange == (int64_t)run_figure("part", "device.cycles_exchange"));
    struct table p = table_read("part", "network_phases.csv");
    int64_t simulated = 0, phases = 0;
    for (size_t i = 0; i < p.rows; i++) {
        phases += table_int(&p, i, "bound") + table_int(&p, i, "simulated") + table_int(&p, i, "estimated");
        simulated += table_int(&p, i, "estimated") == 0;
        assert_true(table_int(&p, i, "bound") > 0);
    }
    assert_true(simulated >= (int64_t)run_figure("part", "network.sampled.phases"));
    assert_true(phases <= exchange); /* beside the supervisor's program */
}

TEST(threads_change_no_bit) {
    for (int threads = 1; threads <= 3; threads += 2) {
        char number[8], folder[16];
        snprintf(number, sizeof number, "%d", threads);
        snprintf(folder, sizeof folder, "t%d", threads);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", folder, "--threads", number, SAMPLED, NULL);
    }
    static const char *const files[] = {"summary.json", "links.csv",          "iterations.csv",
                                        "tiles.csv",    "network_phases.csv", "energy.csv",
                                        "watts.csv",    "findings.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        same_file("t1", "t3", files[i]);
        same_file("t1", "part", files[i]); /* and a replay of what was recorded is the run */
    }
}

/* ---- other workloads ---- */

/* Of traffic: rays go the same ways, and their latencies follow from the iterations that settled. */
TEST(traffic_is_timed_when_it_is_known) {
    static const char *const same[] = {"rays.delivered", "latency.iterations_mean", "hops.mean",
                                       "network.flit_hops"};
    cli_write("t.yaml",
              "machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: "
              "mesh, size: [8, 12] } } }\n"
              "name: t\noverlay: { kind: quadtree }\n"
              "workload: { kind: traffic, tracers: 64, rate: 12, warmup: 20, measure: 120 }\n");
    cli_must("run", "t.yaml", "--quiet", "--force", "--out", "traffic", NULL);
    cli_must("run", "t.yaml", "--quiet", "--force", "--out", "timed", SAMPLED, NULL);
    assert_true(run_figure("timed", "network.sampled.phases") < run_figure("timed", "device.iterations"));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_true(fabs(run_figure("traffic", same[i]) - run_figure("timed", same[i])) <= 0);
    for (int i = 0; i < 2; i++) {
        const char *figure = i == 0 ? "latency.mean" : "latency.p99";
        const double ratio = run_figure("timed", figure) / run_figure("traffic", figure);
        print_message("%s: %.4f of flits'\n", figure, ratio);
        assert_true(fabs(ratio - 1) < 0.015);
    }
    struct table t = table_read("timed", "iterations.csv");
    assert_true(table_sum(&t, "exchange") == (int64_t)run_figure("timed", "device.cycles_exchange"));
    const cli_result r =
        cli("run", "t.yaml", "--quiet", "--force", "--out", "no", SAMPLED, "--set", "workload.load=1", NULL);
    assert_true(r.status == 2 && strstr(r.err, "or workload.rate") != NULL);
}

/* Of treelets: what moves is known in each step alone, its transfers are given anew. */
TEST(treelets_are_sampled) {
    cli_write("l.yaml",
              "machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: "
              "mesh, size: [8, 12] } } }\n"
              "name: l\nscene: { kind: mesh, soup: { triangles: 3000, edge: 0.1 } }\n"
              "workload: { kind: treelets, treelet: { bytes: 8 KiB }, room: 8 KiB, width: 48, height: 40, "
              "io_tiles: 0 }\n");
    cli_must("run", "l.yaml", "--quiet", "--force", "--out", "travel", NULL);
    cli_must("run", "l.yaml", "--quiet", "--force", "--out", "some", SAMPLED, "--set",
             "machine.exchange.noc.error=3%", NULL);
    const double ratio =
        run_figure("some", "device.cycles_exchange") / run_figure("travel", "device.cycles_exchange");
    print_message("treelets: %.4f of flits'\n", ratio);
    assert_true(fabs(ratio - 1) < 0.04);
    assert_true(run_figure("some", "network.sampled.phases") < run_figure("some", "device.iterations"));
    assert_true(fabs(run_figure("some", "network.flit_hops") - run_figure("travel", "network.flit_hops")) <=
                0);
}

/* Of a path tracer, whose copies and operands are known in advance: nothing is left to sample, and phases, events, threads,
 * replays and prices say the same. Bytes are those of the batches: in and out with each, and the first and the last. */
TEST(what_is_known_in_advance_is_not_sampled) {
    enum { TILES = 96, IO = 32, RAY = 84, RAYS = 6 };
    static const char *const files[] = {"summary.json", "links.csv", "tiles.csv", "steps.csv", "energy.csv"};
    cli_write("p.yaml",
              "machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: "
              "mesh, size: [8, 12] } } }\n"
              "name: p\nscene: { kind: mesh, builtin: spheres }\n"
              "workload: { kind: pathtrace, width: 48, height: 40, samples: 2, rays_per_worker: 1, sampling: "
              "{ drawn: 2 } }\n");
    cli_must("run", "p.yaml", "--quiet", "--force", "--out", "paths", "--threads", "1", "--record-activity",
             "p.activity", "--record", "p.paths", NULL);
    cli_must("run", "p.yaml", "--quiet", "--force", "--out", "all", SAMPLED, NULL);
    cli_must("run", "p.yaml", "--quiet", "--force", "--out", "events", "--set", "run.detail=event", NULL);
    cli_must("run", "p.yaml", "--quiet", "--force", "--out", "again", "--replay", "p.paths", NULL);
    cli_must("run", "p.yaml", "--quiet", "--force", "--out", "priced", "--replay", "p.activity", NULL);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        same_file("paths", "all", files[i]);
        same_file("paths", "events", files[i]);
        same_file("paths", "again", files[i]);
        same_file("paths", "priced", files[i]);
    }
    const double rounds = run_figure("paths", "device.iterations") + 1, bytes = RAYS * RAY;
    struct table t = table_read("paths", "tiles.csv");
    assert_int_equal(t.rows, TILES);
    /* a packet of 256 B and its header flit of 4, and one of the rest */
    assert_true(table_sum(&t, "bytes_out") == (int64_t)(2 * (TILES - IO) * rounds * (bytes + 2 * 4)));
    assert_true(table_sum(&t, "bytes_in") == table_sum(&t, "bytes_out"));
    assert_true(run_figure("paths", "network.packets") >= 2 * 2 * (TILES - IO) * rounds);
    cli_must("run", "p.yaml", "--quiet", "--force", "--out", "wide", "--replay", "p.activity", "--set",
             "machine.exchange.noc.width=8 B", NULL);
    assert_true(run_figure("wide", "device.cycles_exchange") < run_figure("paths", "device.cycles_exchange"));
    /* streams that hide the copies leave no link busier than the phases are long */
    cli_must("run", "p.yaml", "--quiet", "--force", "--out", "hidden", "--set",
             "workload.nif={ layers: 2, hidden: 64 }", "--set", "workload.samples=100", "--set",
             "machine.remote.bandwidth=1 MB/s", "--set", "machine.remote.shared_bandwidth=1 MB/s", NULL);
    const double share = run_figure("hidden", "links.busiest_share");
    assert_true(share > 0 && share <= 1);
    const cli_result r =
        cli("run", "p.yaml", "--quiet", "--force", "--out", "no", "--set", "machine.exchange.kind=circuit",
            "--set", "machine.exchange.circuit.size=[8, 12]", NULL);
    assert_true(r.status == 2 && strstr(r.err, "expected ports or noc, found circuit") != NULL);
}

/* ---- comparisons, refusals ---- */

static bool page_says(const char *a, const char *b, const char *words) {
    size_t size;
    cli_must("compare", a, b, "--quiet", "-o", "c.html", NULL);
    char *page = file_read("c.html", &size);
    const bool says = strstr(page, words) != NULL;
    return says;
}

TEST(a_comparison_says_what_samples_cannot_tell) {
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "rough", "--replay", "x.activity", SAMPLED,
             "--set", "machine.exchange.noc.error=5%", NULL);
    assert_true(page_says("whole", "rough", "within the intervals"));
    assert_false(page_says("flits", "whole", "within the intervals"));
}

TEST(what_has_no_phases_is_refused) {
    static const struct {
        const char *set, *why;
    } cases[] = {
        {"run.detail=event", "phases are sampled as a whole"},
        {"machine.execution=decoupled", "without barriers there are no phases to sample"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const cli_result r =
            cli("run", "x.yaml", "--quiet", "--force", "--out", "no", SAMPLED, "--set", cases[i].set, NULL);
        cli_refused(&r, "machine.exchange.noc.detail");
        assert_non_null(strstr(r.err, cases[i].why));
        assert_false(scratch_there("no"));
    }
    const cli_result r = cli("ray", "part", "--pixel", "3,3", NULL);
    assert_true(r.status == 2 && strstr(r.err, "expected flits") != NULL);
}

/* The last, as it writes x.activity anew. */
TEST(a_sample_is_within_its_interval) {
    static const char *const scenes[] = {"garden", "room", "shell"},
                             *const overlays[] = {"quadtree", "direct"},
                             *const machines[] = {"gc200-mesh", "gc200-torus"};
    const char *frames = getenv("FOAMSIM_SAMPLED_FRAMES");
    tally t = {0};
    if (frames == NULL || atoi(frames) != 12)
        skip();
    write_frame(
        "machine: gc200-mesh\n",
        "  partition: { kind: kd, shards: 1024 }\n  batching: { order: rows, per_batch: 1, idle: 10 }\n");
    for (int i = 0; i < 12; i++) {
        char scene[64], overlay[64], machine[64], what[128];
        snprintf(scene, sizeof scene, "scene.generate.kind=%s", scenes[i / 4]);
        snprintf(overlay, sizeof overlay, "overlay=%s", overlays[i / 2 % 2]);
        snprintf(machine, sizeof machine, "machine=%s", machines[i % 2]);
        snprintf(what, sizeof what, "%s, %s, %s", scenes[i / 4], overlays[i / 2 % 2], machines[i % 2]);
        if (i % 2 == 0)
            cli_must("run", "x.yaml", "--quiet", "--force", "--out", "r", "--set", scene, "--set", overlay,
                     SAMPLED, "--set", "machine.exchange.noc.error=100%", "--record-activity", "y.activity",
                     NULL);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "part", "--replay", "y.activity", "--set",
                 "run.outputs=summary", "--set", scene, "--set", overlay, "--set", machine, SAMPLED, NULL);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "whole", "--replay", "y.activity", "--set",
                 "run.outputs=summary", "--set", scene, "--set", overlay, "--set", machine, ALL, NULL);
        judge(what, &t);
    }
    assert_true(t.within >= 11);
}

RUN_TESTS(enter, cli_leave)
