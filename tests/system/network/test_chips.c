/* A renderer on several chips: the rays and the picture of one, both details, recordings; what lies where, what moves
 * between chips, energy and area of all. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

enum { EACH = 96 }; /* tiles of a chip */
#define SIXTEEN "machine={chips: 16, fabric: {kind: ladder}}"

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_must("run", "x.yaml", "--quiet", "--out", "one", NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "four", "--set", "machine.chips=4", "--record", "paths",
             "--record-activity", "rows", NULL);
    return 0;
}

/* Rays go from tile to tile as on one chip, in as many iterations: only phases between chips are new. */
TEST(rays_and_pictures_are_those_of_one_chip) {
    static const char *const files[] = {"image.png", "depth.png", "hops.csv"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        same_file("one", "four", files[i]);
    assert_true(run_figure("one", "device.iterations") == run_figure("four", "device.iterations"));
    assert_true(run_figure("one", "device.cycles_compute") == run_figure("four", "device.cycles_compute"));
    assert_true(run_figure("one", "chips.count") == 1 && run_figure("four", "chips.count") == 4);
    assert_true(run_figure("one", "device.cycles_external") == 0);
    cli_must("run", "x.yaml", "--quiet", "--out", "same", "--set",
             "machine={chips: 1, fabric: {kind: ring, latency: 1 ms}}", NULL);
    static const char *const all[] = {"summary.json", "iterations.csv", "tiles.csv", "lanes.csv",
                                      "findings.json"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        same_file("one", "same", all[i]);
}

/* 64 shards on four chips of 96 tiles: 16 and the five routers above them on each, the root and the generator on the
 * first. Three lanes of the root lead to other chips, so that its port moves 3 buffers out and in, at 4 B a cycle; the
 * farthest is two hops away. */
TEST(four_chips_by_hand) {
    struct table t = table_read("four", "tiles.csv"), lanes = table_read("four", "lanes.csv"),
                 edges = table_read("four", "chips.csv");
    assert_int_equal(t.rows, 4 * EACH);
    uint32_t routers[4] = {0}, tracers[4] = {0};
    for (size_t r = 0; r < t.rows; r++) {
        routers[r / EACH] += strcmp(table_text(&t, r, "role"), "router") == 0;
        tracers[r / EACH] += strcmp(table_text(&t, r, "role"), "tracer") == 0;
        assert_int_equal(table_int(&t, r, "column") / 4, r / EACH);
        if (strcmp(table_text(&t, r, "role"), "tracer") == 0)
            assert_int_equal(table_int(&t, r, "shard") / 16, r / EACH);
    }
    for (uint32_t c = 0; c < 4; c++) {
        assert_int_equal(tracers[c], 16);
        assert_int_equal(routers[c], c == 0 ? 6 : 5);
    }
    uint32_t external = 0;
    int64_t bytes = 0, rays = 0;
    for (size_t l = 0; l < lanes.rows; l++)
        if (table_int(&lanes, l, "src") / EACH != table_int(&lanes, l, "dst") / EACH) {
            external++;
            bytes = table_int(&lanes, l, "bytes");
            rays += table_int(&lanes, l, "all_rays");
        }
    assert_int_equal(external, 6);
    const double iterations = run_figure("four", "device.iterations"),
                 each = 600 + 80 + 50 + (double)((3 * bytes + 3) / 4) +
                        665; /* two hops: 665 cycles at 1.33 GHz */
    assert_true(run_figure("four", "device.cycles_external") == iterations * each);
    assert_true(fabs(run_figure("four", "chips.crossings_per_ray") -
                     (double)rays / run_figure("four", "rays.finished")) < 1e-12);
    /* chips 1 and 2 are a hop away, 3 two: four buffers each way */
    assert_int_equal(table_sum(&edges, "bytes"), 8 * bytes * (int64_t)iterations);
    assert_true(run_figure("four", "chips.bytes") == (double)table_sum(&edges, "bytes"));
}

/* Every chip leaks, has its clock and its area; a bit over a link costs what one of the host's does. */
TEST(energy_and_area_are_of_all) {
    const double leak = run_figure("one", "energy.parts.leakage") / run_figure("one", "device.cycles");
    assert_true(fabs(run_figure("four", "energy.parts.leakage") / run_figure("four", "device.cycles") / leak -
                     4) < 1e-9);
    assert_true(fabs(run_figure("four", "area.mm2") / run_figure("one", "area.mm2") - 4) < 1e-12);
    assert_true(run_figure("four", "area.mm2_chip") == run_figure("one", "area.mm2_chip"));
    const double more = run_figure("four", "energy.parts.host") - run_figure("one", "energy.parts.host"),
                 bits = 8 * run_figure("four", "chips.bytes") * 10e-12;
    assert_true(more > bits && more < 1.001 * bits); /* and a camera to each */
}

TEST(details_and_recordings_agree) {
    cli_must("run", "x.yaml", "--quiet", "--out", "event", "--set", "machine.chips=4", "--set",
             "run.detail=event", NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "paths-run", "--set", "machine.chips=4", "--replay",
             "paths", NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "rows-run", "--set", "machine.chips=4", "--replay", "rows",
             NULL);
    assert_same_run("four", "event", OTHER_SETTINGS);
    assert_same_run("four", "paths-run", OTHER_SETTINGS);
    same_file("four", "rows-run", "summary.json");
    same_file("four", "rows-run", "chips.csv");
    /* Chips are traffic, as lanes have other ends: their links are prices. */
    cli_must("run", "x.yaml", "--quiet", "--out", "slow", "--set", "machine.chips=4", "--set",
             "machine.fabric.bandwidth=100 MB/s", NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "slow-rows", "--set", "machine.chips=4", "--set",
             "machine.fabric.bandwidth=100 MB/s", "--replay", "rows", NULL);
    same_file("slow", "slow-rows", "summary.json");
    assert_true(run_figure("slow", "device.cycles") > run_figure("four", "device.cycles"));
    cli_result r =
        cli("run", "x.yaml", "--quiet", "--out", "no", "--set", "machine.chips=2", "--replay", "rows", NULL);
    cli_refused(&r, "machine.chips");
}

static bool says_that_links_do_not_matter(const char *dir) {
    json_t *all = run_json(dir, "findings.json"), *finding;
    size_t i;
    bool found = false, says = false;
    json_array_foreach(json_object_get(all, "findings"), i, finding) {
        if (strcmp(json_string_value(json_object_get(finding, "key")), "chips") != 0)
            continue;
        found = true;
        says = strstr(json_string_value(json_object_get(finding, "text")), "links do not matter") != NULL;
    }
    assert_int_equal(found, run_figure(dir, "chips.count") > 1);
    return says;
}

/* Only where little of the time passes between chips. */
TEST(links_do_not_matter_where_they_do_not) {
    cli_must("run", "x.yaml", "--quiet", "--out", "dynamic", "--set",
             "machine={chips: 4, exchange: {mode: dynamic}}", NULL);
    static const char *const runs[] = {"one", "four", "slow", "dynamic"};
    double share[4];
    for (size_t i = 0; i < 4; i++) {
        share[i] = run_figure(runs[i], "device.cycles_external") / run_figure(runs[i], "device.cycles");
        assert_int_equal(says_that_links_do_not_matter(runs[i]), i > 0 && share[i] < 0.1);
    }
    assert_true(share[2] > 0.1 && share[3] < 0.1);
}

/* Each chip's own link takes its slices: of 16 chips a sixteenth of the picture's bytes in a visit, and each a camera. */
TEST(the_host_has_a_link_to_each) {
    static const char *const wide = "machine.host={bandwidth: 1 MB/s, launch: 0 s}";
    cli_must("run", "x.yaml", "--quiet", "--out", "a", "--set", wide, NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "b", "--set", wide, "--set", SIXTEEN, NULL);
    const double ratio = run_figure("a", "device.cycles_host") / run_figure("b", "device.cycles_host");
    assert_true(ratio > 12 && ratio < 16);
}

/* Placement moves tiles, no ray: what changes is what is between chips. */
TEST(placements_differ_between_chips_alone) {
    static const char *const placed[] = {"subtree", "spread", "filled"};
    double external[3];
    for (size_t i = 0; i < 3; i++) {
        char set[64];
        snprintf(set, sizeof set, "overlay.chips=%s", placed[i]);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "p", "--set", "machine.chips=16", "--set",
                 set, NULL);
        same_file("one", "p", "image.png");
        same_file("one", "p", "hops.csv");
        external[i] = run_figure("p", "chips.crossings_per_ray");
    }
    assert_true(external[1] >= external[0] && external[2] != external[0]);
}

/* Rays of treelets meet what they met on one chip; both details and prices agree. */
TEST(treelets_lie_on_several_chips) {
    cli_write("t.yaml",
              "machine: { base: gc200-small, exchange: { mode: dynamic } }\n"
              "scene: { kind: mesh, soup: { triangles: 500 } }\n"
              "workload: { kind: treelets, treelet: { bytes: 2 KiB }, width: 32, height: 24, io_tiles: 4, "
              "room: 4 KiB }\n");
    static const char *const counts[] = {"paths.segments", "paths.hits", "paths.nodes", "paths.visits",
                                         "treelets.count"};
    static const char *const chips[] = {"machine.chips=1", "machine.chips=2", "machine.chips=4"};
    for (size_t i = 0; i < 3; i++) {
        cli_must("run", "t.yaml", "--quiet", "--force", "--out", i == 0 ? "t-one" : "t", "--set", chips[i],
                 "--record-activity", "t-rows", NULL);
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
            assert_true(run_figure("t-one", counts[k]) == run_figure(i == 0 ? "t-one" : "t", counts[k]));
        if (i == 0)
            continue;
        cli_must("run", "t.yaml", "--quiet", "--force", "--out", "t-event", "--set", chips[i], "--set",
                 "run.detail=event", NULL);
        cli_must("run", "t.yaml", "--quiet", "--force", "--out", "t-price", "--set", chips[i], "--replay",
                 "t-rows", NULL);
        same_file("t", "t-event", "summary.json");
        same_file("t", "t-price", "summary.json");
    }
    const double crossings = run_figure("t", "chips.crossings_per_ray");
    assert_true(crossings > 0 && crossings < run_figure("t", "paths.moves_per_path"));
    struct table edges = table_read("t", "chips.csv");
    assert_true((double)table_sum(&edges, "bytes") == run_figure("t", "chips.bytes"));
    cli_result r = cli("run", "t.yaml", "--quiet", "--out", "no", "--set", "machine.chips=4", "--set",
                       "machine.exchange.mode=static", NULL);
    cli_refused(&r, "machine.chips: a rotation is planned over the ports of one chip");
    cli_refuses("machine.fabric.kind: rays go from any tile to any other", "run", "t.yaml", "--quiet",
                "--out", "no", "--set", "machine.chips=4", "--set", "machine.fabric.kind=pairs", NULL);
}

RUN_TESTS(begin, cli_leave)
