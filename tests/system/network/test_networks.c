/* Machines whose tiles are joined by routers (configs/machines): the routers that a packet passes on the average, by
 * closed forms of the distance in each dimension, multiplied out here; and what the order of a trace's events means. */
#include "sim/host/places.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static bool near(double a, double b) {
    return fabs(a / b - 1) < 1e-9;
}

static void run(const char *machine) {
    char experiment[4096], on[64];
    snprintf(experiment, sizeof experiment, "%s/experiments/noc-traffic.yaml", fs_configs_dir());
    snprintf(on, sizeof on, "machine=%s", machine);
    cli_must("run", experiment, "--quiet", "--force", "--out", "r", "--set", on, "--set",
             "workload.load=0.005", "--set", "workload.warmup=10 cycles", "--set",
             "workload.measure=100 cycles", NULL);
}

/* Mean hops between two of k places in a line, of a ring the shorter way; express: over so many at a time. */
static double mean(int k, int ring, int express) {
    double sum = 0;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            const int apart = abs(a - b), least = ring && k - apart < apart ? k - apart : apart;
            sum += express > 0 ? least / express + least % express : least;
        }
    return sum / k / k;
}

TEST(packets_pass_the_routers_of_their_grid) {
    static const struct {
        const char *machine;
        int nodes, x, y, ring, express;
    } grids[] = {{"gc200-mesh", 1472, 32, 46, 0, 0},
                 {"gc200-torus", 1472, 32, 46, 1, 0},
                 {"hammerblade", 128, 16, 8, 0, 3}};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        run(grids[i].machine);
        assert_true(run_figure("r", "network.nodes") == grids[i].nodes);
        const double hops =
            mean(grids[i].x, grids[i].ring, grids[i].express) + mean(grids[i].y, grids[i].ring, 0) + 1;
        assert_true(fabs(run_figure("r", "hops.expected") - hops) < 1e-6);
    }
}

/* Of 12^3 end points 12 share a router, 144 the two levels below the top. */
TEST(packets_pass_the_levels_of_their_tree) {
    run("gc200-fattree");
    assert_true(run_figure("r", "network.nodes") == 1728);
    assert_true(fabs(run_figure("r", "hops.expected") - (5 - 2 / 12.0 - 2 / 144.0)) < 1e-6);
}

/* Two reads and a wait, 500 cycles apart; a mark in between with an earlier cycle than the read before it says nothing
 * of the time between the reads. */
static int64_t trace_with(const char *mark) {
    char experiment[4096];
    FILE *out = fopen("calls.csv", "w");
    assert_non_null(out);
    fprintf(out,
            "NC,1,1,KERNEL_BEGIN,,,,,,100\n"
            "NC,1,1,READ,NOC_0,-1,3,4,64,20000\n%s"
            "NC,1,1,READ,NOC_0,-1,3,4,64,20500\n"
            "NC,1,1,READ_BARRIER_END,,,,,,21000\n",
            mark);
    assert_int_equal(fclose(out), 0);
    snprintf(experiment, sizeof experiment, "%s/experiments/noc-traffic.yaml", fs_configs_dir());
    cli_must("run", experiment, "--quiet", "--force", "--out", "r", "--set", "machine=wormhole", "--set",
             "workload.source=trace", "--set", "workload.trace.network=calls.csv", NULL);
    return (int64_t)run_figure("r", "stream.cycles");
}

/* Node 0 of a row of four calls nodes 3 and 1. A flit takes 4 cycles a router and 2, an answer leaves in the cycle behind
 * what it answers, a call ends 10 cycles after the last of its answers; a flit is a word, a packet 64 words behind a header. */
TEST(streams_take_their_closed_forms) {
    enum { FAR = 4 * 4 + 2, NEAR = 4 * 2 + 2, CALL = 10, FLITS = 17 };
    static const struct {
        const char *stream;
        int64_t cycles, bytes, hops;
    } cases[] = {
        {"{op: write, from: [0], to: [3], bytes: 64 B}", FAR + FLITS - 1 + 1 + FAR + CALL, 64,
         (FLITS + 1) * 4},
        {"{op: read, from: [0], to: [3], bytes: 64 B}", FAR + 1 + FAR + FLITS - 1 + CALL, 64,
         (FLITS + 1) * 4},
        /* 65, 65 and 23 flits, and three answers */
        {"{op: write, from: [0], to: [3], bytes: 600 B}", FAR + 153 - 1 + 1 + FAR + CALL, 600, (153 + 3) * 4},
        /* the next packet follows without a gap, whatever a call takes of the processor */
        {"{op: write, from: [0], to: [3], bytes: 64 B, transactions: 3}",
         FAR + 3 * FLITS - 1 + 1 + FAR + CALL, 3 * 64, 3 * (FLITS + 1) * 4},
        /* 3 1 3 1, 3 3 1 1: the last to node 1 is there after four packets; to node 3 the third of them in turn is later */
        {"{op: write, from: [0], to: [3, 1], bytes: 64 B, transactions: 2, order: round}",
         NEAR + 4 * FLITS - 1 + 1 + NEAR + CALL, 4 * 64, 2 * (FLITS + 1) * (4 + 2)},
        {"{op: write, from: [0], to: [1, 3], bytes: 64 B, transactions: 2, order: turn}",
         FAR + 4 * FLITS - 1 + 1 + FAR + CALL, 4 * 64, 2 * (FLITS + 1) * (4 + 2)},
        /* an empty message to the farthest and back, then the tree's four routers and the way out to node 1; its answer too */
        {"{op: multicast, from: [0], to: [3, 1], bytes: 64 B}",
         FAR + 1 + FAR + 1 + FAR + FLITS - 1 + 1 + FAR + CALL, 2 * 64, 2 * 4 + FLITS * (4 + 1) + 4 + 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char stream[256];
        cli_write(
            "s.yaml",
            "machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { topology: mesh, "
            "size: [4, 1], vcs: 4, buffer: 32, call: 10 cycles, issue: 2 cycles, issue_other: 5 cycles } } "
            "}\n"
            "workload: { kind: fabric, source: stream }\n");
        snprintf(stream, sizeof stream, "workload.stream=%s", cases[i].stream);
        cli_must("run", "s.yaml", "--quiet", "--force", "--out", "s", "--set", stream, NULL);
        if ((int64_t)run_figure("s", "stream.cycles") != cases[i].cycles ||
            (int64_t)run_figure("s", "stream.bytes") != cases[i].bytes ||
            (int64_t)run_figure("s", "network.flit_hops") != cases[i].hops)
            fail_msg("%s: %g cycles, %g B, %g hops; expected %lld, %lld, %lld", cases[i].stream,
                     run_figure("s", "stream.cycles"), run_figure("s", "stream.bytes"),
                     run_figure("s", "network.flit_hops"), (long long)cases[i].cycles,
                     (long long)cases[i].bytes, (long long)cases[i].hops);
    }
}

TEST(marks_out_of_order_are_no_time) {
    const int64_t cycles = trace_with("");
    assert_true(cycles > 20500 && cycles < 21500);
    assert_int_equal(trace_with("NC,1,1,KERNEL_BEGIN,,,,,,150\n"), cycles);
    assert_int_equal(trace_with("NC,1,1,READ_BARRIER_START,,,,,,20300\n"), cycles);
}

/* Energy of a run, told from links.csv: 0.75 pJ for each flit and port of a router beyond one, 65 fJ a bit over 750
 * um, 0.75 pJ a flit on the way in and on the way out; flits of 32 bits and those of eight such words. Routers stand
 * as tiles of 9 pJ a cycle and 20 mW do for their area: 288 ports, 1,320 crossings, 288 x 4 buffers of 8 flits. */
TEST(energy_is_that_of_the_flits) {
    char experiment[4096];
    snprintf(experiment, sizeof experiment, "%s/experiments/noc-traffic.yaml", fs_configs_dir());
    for (int words = 1; words <= 8; words += 7) {
        cli_must("run", experiment, "--quiet", "--force", "--out", "r", "--set", "workload.load=0.3", "--set",
                 words == 1 ? "machine.exchange.noc.width=4 B" : "machine.exchange.noc.width=32 B", NULL);
        struct table t = table_read("r", "links.csv");
        int ports[64] = {0};
        double routers = 0, links = 0, taken = 0;
        for (size_t i = 0; i < t.rows; i++)
            ports[table_int(&t, i, "from")]++;
        for (size_t i = 0; i < t.rows; i++) {
            const double flits = (double)table_int(&t, i, "flits");
            routers += flits * (ports[table_int(&t, i, "from")] - 1) * 0.75e-12;
            *(table_int(&t, i, "out") == 0 ? &links : &taken) += flits;
        }
        const double wires = links * 32 * 0.75 * 65e-15, ends = taken * 2 * 0.75e-12,
                     area = words * (288 * 277e-6 + 1320 * 55e-6) + 288.0 * 4 * 8 * 4 * words / 1024 * 442e-6,
                     tile = 0.09 + 0.016 + 16 * 0.0035 + 624 * 442e-6,
                     standing = floor(1000 * area / tile + 0.5) / 1000 * 10000 * (9e-12 + 20e-3 / 1.33e9),
                     all = words * (routers + wires + ends) + standing;
        assert_true(ports[0] == 3 && ports[1] == 4 && ports[9] == 5);
        assert_true(fabs(run_figure("r", "energy.parts.routers") / (words * routers) - 1) < 1e-9);
        assert_true(fabs(run_figure("r", "energy.parts.links") / (words * wires) - 1) < 1e-9);
        assert_true(fabs(run_figure("r", "energy.parts.interfaces") / (words * ends) - 1) < 1e-9);
        assert_true(fabs(run_figure("r", "energy.parts.standing") / standing - 1) < 1e-6);
        assert_true(fabs(run_figure("r", "energy.joules") / all - 1) < 1e-6);
        assert_true(fabs(run_figure("r", "energy.joules_packet") / (all / taken) - 1) < 1e-6);
        assert_true(fabs(run_figure("r", "energy.watts") / (all * 1.33e9 / 10000) - 1) < 1e-6);
    }
}

/* An FFT of 32 x 32 x 32 on circuits: 80 butterflies of ten cycles three times; two exchanges of 512 words to a
 * neighbour, with two ramps of 2 cycles, a hop and the cycle of the last word. Circuits have bulk phases alone. */
TEST(programs_run_on_circuits) {
    char experiment[4096], file[4096];
    snprintf(experiment, sizeof experiment, "%s/experiments/program.yaml", fs_configs_dir());
    snprintf(file, sizeof file, "workload.file=%s/programs/chip/fft-32.yaml", fs_configs_dir());
    cli_must("run", experiment, "--quiet", "--force", "--out", "r", "--set", "machine=cs2-noc", "--set", file,
             NULL);
    assert_int_equal((int64_t)run_figure("r", "program.pass_cycles"),
                     3 * 80 * 10 + 2 * (512 + 2 * 2 + 1 + 1));
    /* Each message alone on its link; of both exchanges the link from tile 15 carries 512 words each. */
    assert_true(run_figure("r", "network.packets") == 4 && run_figure("r", "network.flit_hops") == 4 * 512);
    assert_true(run_figure("r", "network.latency.mean") == 512 + 2 * 2 + 1 + 1);
    assert_true(run_figure("r", "network.latency.queue") == 0 && run_figure("r", "network.hops.mean") == 2);
    assert_true(
        near(run_figure("r", "links.busiest_share") * run_figure("r", "device.cycles_exchange"), 2 * 512));
    assert_true(scratch_there("r/links.csv") && !scratch_there("r/link_times.csv"));
    static const struct {
        const char *set, *says;
    } refused[] = {
        {"run.detail=event", "circuits are of bulk phases; expected phase, found event"},
        {"machine.execution=decoupled", "circuits are of bulk phases; expected bsp, found decoupled"},
        {"machine.exchange.mode=static", "circuits have no plan"},
        {"machine.exchange.circuit.size=[8, 8]", "a place for each of the 512 tiles, found 64"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const cli_result r = cli("run", experiment, "--quiet", "--force", "--out", "r", "--set",
                                 "machine=cs2-noc", "--set", file, "--set", refused[i].set, NULL);
        assert_int_equal(r.status, 2);
        if (strstr(r.err, refused[i].says) == NULL)
            fail_msg("%s: %s", refused[i].set, r.err);
    }
}

/* A frame on tiles that routers join has tables, figures, sections and findings of its links, which say the same; over
 * ports there is none of it. A link carries at most a flit a cycle; both details say the same. */
static const char frame[] =
    "machine: { base: gc200-small, exchange: { kind: noc, mode: dynamic, noc: { size: [8, 12] } } }\n"
    "workload: { kind: foam, partition: { kind: kd, shards: 16 }, camera: { position: [1.7, -3.6, "
    "1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: 50 deg, width: 24, height: 18 } }\n"
    "scene: garden-20k\n";

/* A finding's figure; the test fails where it has none. */
static double found(const char *folder, const char *key, const char *figure) {
    json_t *root = run_json(folder, "findings.json");
    const json_t *list = json_object_get(root, "findings"), *value = NULL;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), "key")), key) == 0)
            value = json_object_get(json_object_get(json_array_get(list, i), "figures"), figure);
    if (!json_is_number(value))
        fail_msg("%s: no finding %s with %s", folder, key, figure);
    const double number = json_number_value(value);
    return number;
}

static void check_links(void) {
    struct table t = table_read("f", "links.csv"), times = table_read("f", "link_times.csv");
    const double cycles = run_figure("f", "device.cycles_exchange");
    const size_t links = 2 * (7 * 12 + 8 * 11);
    int64_t all = 0, out = 0, most = 0, credits = 0;
    assert_int_equal(t.rows, links + 96);
    assert_int_equal(times.rows, links);
    for (size_t i = 0; i < t.rows; i++) {
        const int64_t flits = table_int(&t, i, "flits");
        int64_t filmed = 0;
        assert_true(flits <= table_int(&t, i, "cycles"));
        credits += table_int(&t, i, "no_credit");
        *(table_int(&t, i, "out") ? &out : &all) += flits;
        if (i >= links)
            continue;
        most = flits > most ? flits : most;
        for (size_t k = 5; k < times.columns; k++)
            filmed += strtoll(times.cell[(i + 1) * times.columns + k], NULL, 10);
        assert_int_equal(filmed, flits);
    }
    assert_true(out > 0 && credits > 0);
    assert_true(near(run_figure("f", "links.busiest_share"), (double)most / cycles));
    assert_true(near(run_figure("f", "links.balance"), (double)most * (double)links / (double)all));
    assert_true(near(run_figure("f", "stalls.no_credit"), (double)credits / (double)(all + out)));
    assert_true(near(found("f", "link", "share"), (double)most / cycles));
    assert_true(near(found("f", "cut", "share"), run_figure("f", "cuts.busiest_share")));
    assert_true(near(found("f", "waits", "no_credit"), run_figure("f", "stalls.no_credit")));
    assert_true(near(run_figure("f", "network.flit_hops"), (double)(all + out)));
}

TEST(a_frame_tells_of_its_links) {
    cli_write("frame.yaml", frame);
    cli_must("run", "frame.yaml", "--quiet", "--force", "--out", "f", NULL);
    check_links();
    struct table ways = table_read("f", "network_ways.csv");
    double packets = 0, routers = 0;
    for (size_t i = 0; i < ways.rows; i++) {
        packets += (double)table_int(&ways, i, "count");
        routers += (double)(table_int(&ways, i, "count") * table_int(&ways, i, "value"));
    }
    assert_true(packets > 0 && near(run_figure("f", "network.packets"), packets));
    assert_true(near(run_figure("f", "network.hops.mean"), routers / packets));
    assert_true(near(run_figure("f", "network.latency.mean"), run_figure("f", "network.latency.queue") +
                                                                  run_figure("f", "network.latency.network") +
                                                                  run_figure("f", "network.latency.serial")));
    cli_must("run", "frame.yaml", "--quiet", "--force", "--out", "e", "--set", "run.detail=event", NULL);
    assert_same_run("f", "e", OTHER_SETTINGS);
    cli_must("run", "frame.yaml", "--quiet", "--force", "--out", "p", "--set", "machine.exchange.kind=ports",
             NULL);
    assert_false(scratch_there("p/links.csv") || scratch_there("p/link_times.csv") ||
                 scratch_there("p/network_ways.csv"));
    json_t *page = run_json("p", "page.json"), *figures = run_json("p", "summary.json");
    char *text = test_keep(json_dumps(page, 0));
    assert_null(strstr(text, "network"));
    assert_null(json_object_get(figures, "links"));
}

/* Rungs of a network are bounds: no run with their setting saves more; and `run --ladder` simulates just that run. */
TEST(rungs_of_a_network_are_bounds) {
    static const struct {
        const char *name, *set;
    } rungs[] = {{"endless_network_buffers", "machine.exchange.noc.buffer=255"},
                 {"free_network_routers", "machine.exchange.noc.routers=free"},
                 {"twice_the_network_links", "machine.exchange.noc.width=8B"}};
    cli_write("frame.yaml", frame);
    cli_must("run", "frame.yaml", "--quiet", "--force", "--out", "l", "--ladder", NULL);
    struct table bound = table_read("l", "ladder.csv"), ran = table_read("l", "ladder_simulated.csv");
    const double measured = run_figure("l", "device.cycles");
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        int64_t least = 0, simulated = 0;
        for (size_t k = 0; k < bound.rows; k++)
            if (strcmp(table_text(&bound, k, "name"), rungs[i].name) == 0) {
                least = table_int(&bound, k, "cycles");
                assert_string_equal(table_text(&bound, k, "sets"), rungs[i].set);
            }
        for (size_t k = 0; k < ran.rows; k++)
            if (strcmp(table_text(&ran, k, "name"), rungs[i].name) == 0)
                simulated = table_int(&ran, k, "cycles");
        cli_must("run", "frame.yaml", "--quiet", "--force", "--out", "r", "--set", rungs[i].set, NULL);
        assert_true((double)simulated == run_figure("r", "device.cycles"));
        if (!(least > 0 && least <= simulated && (double)simulated < measured))
            fail_msg("%s: at least %lld cycles, %lld simulated, %g measured", rungs[i].name, (long long)least,
                     (long long)simulated, measured);
    }
}

/* What a comparison says of the fabric of run `b` against base `a`; "" for nothing. The caller's. */
static char *said_of_fabric(const char *a, const char *b) {
    cli_must("compare", a, b, "--json", "c.json", NULL);
    json_t *root = run_json(".", "c.json");
    char *all = json_dumps(root, 0), *at = strstr(all, "\"With "), *text = NULL;
    text = strdup(at == NULL ? "" : at + 1);
    assert_non_null(text);
    text[strcspn(text, "\"")] = '\0';
    free(all);
    return text;
}

/* Two machines that differ in what joins their tiles: one sentence has the cycles of the exchange and what the links did;
 * of two that differ in something else none. */
TEST(a_comparison_says_what_the_fabric_did) {
    static const struct {
        const char *set, *begins;
    } fabrics[] = {
        {"machine.exchange.kind=ports", "With the mesh instead of ports the exchange takes "},
        {"machine.exchange.noc.topology=torus", "With the mesh instead of the torus the exchange takes "},
        {"machine.exchange.noc.buffer=2", "With buffer 8 instead of 2 in the mesh the exchange takes "},
        {"machine.clock=1.2 GHz", ""}};
    cli_write("frame.yaml", frame);
    cli_must("run", "frame.yaml", "--quiet", "--force", "--out", "f", NULL);
    for (size_t i = 0; i < sizeof fabrics / sizeof *fabrics; i++) {
        cli_must("run", "frame.yaml", "--quiet", "--force", "--out", "p", "--set", fabrics[i].set, NULL);
        char *text = said_of_fabric("p", "f"), numbers[96];
        const int b = (int)run_figure("f", "device.cycles_exchange"),
                  a = (int)run_figure("p", "device.cycles_exchange");
        snprintf(numbers, sizeof numbers, "%d,%03d instead of %d,%03d cycles (%+.1f %%", b / 1000, b % 1000,
                 a / 1000, a % 1000, 100.0 * (b - a) / a);
        if (fabrics[i].begins[0] == '\0'
                ? text[0] != '\0'
                : strstr(text, fabrics[i].begins) != text || strstr(text, numbers) == NULL ||
                      strstr(text, "the busiest link carries flits in ") == NULL)
            fail_msg("%s: \"%s\" lacks \"%s\"", fabrics[i].set, text, numbers);
        free(text);
    }
}

/* A sweep over the load marks the knee: three times the latency alone, by a straight line between the two loads around
 * it. */
TEST(a_sweep_marks_the_knee) {
    static const char *const loads[] = {"0.1", "0.4", "0.7", "0.9"};
    cli_write("mesh.yaml", "base: noc-traffic\n"
                           "machine: { exchange: { noc: { size: [4, 4] } } }\n"
                           "workload: { warmup: 200 cycles, measure: 500 cycles, drain: 4000 cycles }\n");
    cli_write("loads.yaml", "name: loads\nbase: mesh.yaml\naxes:\n"
                            "  - { key: workload.load, values: [0.1, 0.4, 0.7, 0.9] }\n"
                            "objectives:\n  - { figure: latency.mean }\n");
    double knee = NAN, was = 0;
    for (size_t i = 0; i < 4; i++) {
        char load[64];
        snprintf(load, sizeof load, "workload.load=%s", loads[i]);
        cli_must("run", "mesh.yaml", "--quiet", "--force", "--out", "r", "--set", load, NULL);
        const double now = run_figure("r", "latency.mean") / (3 * run_figure("r", "latency.zero_load"));
        if (i > 0 && isnan(knee) && was <= 1 && now > 1) {
            const double before = strtod(loads[i - 1], NULL);
            knee = before + (1 - was) / (now - was) * (strtod(loads[i], NULL) - before);
        }
        was = now;
    }
    char words[64];
    assert_true(knee > 0.4 && knee < 0.9);
    snprintf(words, sizeof words, "The knee lies at load %.3g", knee);
    cli_must("sweep", "loads.yaml", "--store", "loads.db", "--quiet", NULL);
    cli_must("report", "loads.db", "-o", "loads.html", NULL);
    size_t size = 0;
    char *page = file_read("loads.html", &size);
    assert_says(page, words);
}

/* A run that finds its load has the curve that it went along: a row for a packet alone; of the loads that were tried the
 * knee is the greatest below which, and at which, packets take less than three times that; and the run is at it. */
TEST(a_search_leaves_its_curve) {
    char experiment[4096];
    snprintf(experiment, sizeof experiment, "%s/experiments/noc-traffic.yaml", fs_configs_dir());
    cli_must("run", experiment, "--quiet", "--force", "--out", "r", "--set", "workload.load=find", "--set",
             "machine.exchange.noc.size=[4, 4]", "--set", "workload.warmup=200 cycles", "--set",
             "workload.measure=600 cycles", NULL);
    struct table t = table_read("r", "curve.csv");
    const double alone = run_figure("r", "latency.zero_load");
    size_t knee = 0;
    double before = -1;
    assert_int_equal(t.rows, 8);
    for (size_t i = 0; i < t.rows; i++) {
        const double load = strtod(table_text(&t, i, "load"), NULL),
                     latency = strtod(table_text(&t, i, "latency"), NULL);
        assert_true(load > before);
        assert_true(i > 0 || (load == 0 && latency == alone));
        before = load;
        if (table_int(&t, i, "knee") == 1) {
            knee = i;
            assert_true(latency < 3 * alone && latency == run_figure("r", "latency.mean"));
        } else if (knee > 0) {
            assert_true(!(latency < 3 * alone)); /* or not all arrived */
        }
    }
    assert_true(knee > 0 && knee + 1 < t.rows);
    cli_must("run", experiment, "--quiet", "--force", "--out", "r", "--set", "workload.load=0.1", NULL);
    assert_false(scratch_there("r/curve.csv"));
}

RUN_TESTS(cli_enter, cli_leave)
