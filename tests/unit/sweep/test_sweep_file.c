/* Sweep files: which points they mean, what is wrong with them, and which layer each point needs. */
#include "registry/registry.h"
#include "sim/base/rng.h"
#include "sim/host/voice.h"
#include "sim/sweep/sweep.h"
#include "sim/workload/workload.h"
#include "tests/support/cli.h"
#include "tests/support/test.h"

#define BASE                                                                                                 \
    "base:\n  machine: gc200-small\n  scene: { generate: { kind: garden, cells: 2000 } }\n"                  \
    "  workload: { kind: foam, camera: { position: [2, -3, 2], look_at: [0, 0, 0] }, partition: { shards: "  \
    "64 } }\n"

static uint64_t seed;
static fs_error err;

static fs_status read_sweep(fs_arena *arena, const char *text, fs_store_sweep *sweep) {
    fs_sweep_file file;
    cli_write("s.yaml", text);
    err = (fs_error){.status = FS_OK};
    fs_status status = fs_sweep_read(arena, &fs_registry_all, "s.yaml", &file, NULL, &err);
    return status ? status : fs_sweep_points(arena, &file, sweep, &err);
}

static fs_store_sweep points(fs_arena *arena, const char *axes) {
    fs_store_sweep sweep;
    if (read_sweep(arena, fs_arena_printf(arena, BASE "%s", axes), &sweep))
        fail_msg("%s", err.text);
    return sweep;
}

static void assert_labels(const char *axes, const char *const *labels) {
    fs_arena *arena = test_arena();
    fs_store_sweep s = points(arena, axes);
    for (size_t i = 0; i < s.point_count && labels[i] != NULL; i++)
        assert_string_equal(s.points[i].label, labels[i]);
    assert_null(labels[s.point_count]);
}

/* Behind the points, without a value on any axis; once, where a point is it; held to the file's limits. */
TEST(a_baseline_is_a_point_of_its_own) {
    static const char *const labels[] = {"idle=1", "idle=2", "baseline", NULL};
    static const char axes[] = "axes:\n  - { key: workload.batching.idle, values: [1, 2] }\n"
                               "limits: { power: 300 W }\nbaseline: base\n";
    assert_labels(axes, labels);
    fs_arena *arena = test_arena();
    fs_store_sweep s = points(arena, axes);
    assert_string_equal(s.base, s.points[2].key);
    assert_null(s.points[2].settings[0].value);
    for (size_t i = 0; i < s.point_count; i++)
        assert_string_equal(fs_store_parameter_of(&s.points[i], "machine.limits.power")->value, "300 W");
    const char *idle = fs_store_parameter_of(&s.points[2], "workload.batching.idle")->value;
    s = points(arena, fs_arena_printf(
                          arena, "baseline: base\naxes:\n  - { key: workload.batching.idle, values: [%s] }\n",
                          idle));
    assert_int_equal(s.point_count, 1);
    assert_string_equal(s.base, s.points[0].key);
    fs_status status =
        read_sweep(arena, BASE "baseline: { base: first-look, machine: { clokc: 1 GHz } }\naxes: []\n", &s);
    assert_int_equal(status, FS_INPUT);
    assert_non_null(strstr(err.text, "machine.clokc"));
}

/* Load, scene, camera and resolution are asked of a machine; a file may say otherwise of any axis. */
TEST(conditions_are_said_or_known) {
    fs_arena *arena = test_arena();
    const fs_store_sweep s =
        points(arena, "axes:\n  - { key: overlay.kind, values: [mesh, quadtree] }\n"
                      "  - { key: scene.generate.seed, values: [1, 2] }\n"
                      "  - { key: workload.camera.width, values: [32, 64], condition: false }\n"
                      "  - { key: workload.batching.idle, values: [1, 2], condition: true }\n"
                      "  - zip: [{ key: workload.camera.height, values: [24, 48] }, { key: workload.repeat, "
                      "values: [1, 2] }]\n");
    const bool wanted[] = {false, true, false, true, false};
    assert_int_equal(s.axis_count, 5);
    for (size_t a = 0; a < 5; a++)
        assert_int_equal(s.conditions[a], wanted[a]);
    fs_store_sweep wrong;
    assert_int_equal(read_sweep(arena,
                                BASE "axes:\n  - { key: overlay.kind, values: [mesh], condition: perhaps }\n",
                                &wrong),
                     FS_INPUT);
    assert_non_null(strstr(err.text, "condition"));
}

TEST(axes_cross_and_the_last_is_fastest) {
    static const char *const cross[] = {"kind=mesh idle=1", "kind=mesh idle=2", "kind=quadtree idle=1",
                                        "kind=quadtree idle=2", NULL};
    assert_labels("axes:\n  - { key: overlay.kind, values: [mesh, quadtree] }\n"
                  "  - { key: workload.batching.idle, values: [1, 2] }\n",
                  cross);
    static const char *const none[] = {"s", NULL}; /* no axis: the base itself */
    assert_labels("axes: []\n", none);
}

TEST(ranges_are_written_as_a_person_would) {
    static const char *const linear[] = {"clock=1 GHz",   "clock=1.1 GHz", "clock=1.2 GHz",
                                         "clock=1.3 GHz", "clock=1.4 GHz", NULL};
    assert_labels("axes: [{ key: machine.clock, range: { from: 1 GHz, to: 1.4 GHz, step: 0.1 GHz } }]\n",
                  linear);
    static const char *const down[] = {"idle=20", "idle=10", "idle=0", NULL};
    assert_labels("axes: [{ key: workload.batching.idle, range: { from: 20, to: 0, step: -10 } }]\n", down);
    static const char *const whole[] = {"idle=1", "idle=2", "idle=3", "idle=6", "idle=10", NULL};
    assert_labels("axes: [{ key: workload.batching.idle, log_range: { from: 1, to: 10, count: 5 } }]\n",
                  whole);
    static const char *const twice[] = {"idle=1", "idle=2", "idle=3", NULL}; /* 1, 1.2, 1.6, 1.9, 2.4, 3 */
    assert_labels("axes: [{ key: workload.batching.idle, log_range: { from: 1, to: 3, count: 6 } }]\n",
                  twice);
    static const char *const logs[] = {"clock=0.5 GHz", "clock=1 GHz", "clock=2 GHz", NULL};
    assert_labels("axes: [{ key: machine.clock, log_range: { from: 0.5 GHz, to: 2 GHz, count: 3 } }]\n",
                  logs);
}

TEST(zip_points_and_conditions) {
    static const char *const zip[] = {"workload.batching.per_batch+workload.batching.idle=1 + 10",
                                      "workload.batching.per_batch+workload.batching.idle=2 + 5", NULL};
    assert_labels("axes:\n  - zip:\n    - { key: workload.batching.per_batch, values: [1, 2] }\n"
                  "    - { key: workload.batching.idle, range: { from: 10, to: 5, step: -5 } }\n",
                  zip);
    static const char *const again[] = {"workload.batching.order+workload.batching.per_batch=rows + 1",
                                        "workload.batching.order+workload.batching.per_batch=rows + 2", NULL};
    assert_labels("axes:\n  - zip:\n    - { key: workload.batching.order, values: [rows, rows] }\n"
                  "    - { key: workload.batching.per_batch, values: [1, 2] }\n",
                  again);
    static const char *const when[] = {"kind=quadtree", "kind=fat_tree widths=[1, 1, 2]",
                                       "kind=fat_tree widths=[1, 2, 4]", NULL};
    assert_labels(
        "axes:\n  - { key: overlay.kind, values: [quadtree, fat_tree] }\n"
        "  - { key: overlay.widths, values: [[1, 1, 2], [1, 2, 4]], when: { overlay.kind: fat_tree } }\n",
        when);
    static const char *const named[] = {"narrow payload=half", "narrow payload=full", "wide payload=full",
                                        NULL};
    assert_labels("axes:\n  - points:\n    - { name: narrow }\n"
                  "    - { name: wide, set: { overlay.kind: fat_tree, overlay.widths: [1, 2, 4] } }\n"
                  "  - { key: workload.payload, values: [half, full] }\n"
                  "exclude: [{ overlay.kind: fat_tree, workload.payload: half }]\n",
                  named);
    /* The base's own values count where nothing is set: 1.33 GHz; units do not matter. */
    static const char *const bounds[] = {"idle=10", "idle=20", NULL};
    assert_labels("axes: [{ key: workload.batching.idle, values: [5, 10, 20, 30], when: { machine.clock: "
                  "1330 MHz } }]\n"
                  "exclude: [{ workload.batching.idle: { at_least: 21 } }, { workload.batching.idle: { not: "
                  "[10, 20, 30] } }]\n",
                  bounds);
}

TEST(a_view_set_is_a_point_for_each_camera) {
    fs_arena *arena = test_arena();
    fs_store_sweep s =
        points(arena, "axes: [{ views: { kind: orbit, count: 3, centre: [0, 0, 1], radius: 4 } }]\n");
    assert_int_equal(s.point_count, 3);
    assert_string_equal(s.points[2].label, "view 2");
    assert_string_equal(fs_store_parameter_of(&s.points[0], "workload.camera.position")->value, "[4, 0, 1]");
    assert_string_not_equal(s.points[0].geometry_key, s.points[1].geometry_key);
}

/* ---- identity ---- */

TEST(a_point_is_what_it_says_not_how) {
    fs_arena *arena = test_arena();
    fs_store_sweep a = points(arena, "name: a\naxes: [{ key: machine.clock, values: [1 GHz, 2 GHz] }]\n");
    fs_store_sweep b = points(arena, "name: b\naxes: [{ points: [{ name: slow, set: { machine.clock: 1000 "
                                     "MHz, run.detail: event } }] }]\n");
    assert_string_equal(a.points[0].key, b.points[0].key);
    assert_string_not_equal(a.points[0].key, a.points[1].key);
    assert_string_equal(a.points[0].traffic_key, a.points[1].traffic_key);
    /* A point's file is the point. */
    cli_write("again.yaml", a.points[1].resolved);
    fs_store_sweep c;
    assert_int_equal(read_sweep(arena, "base: again.yaml\naxes: []\n", &c), FS_OK);
    assert_string_equal(c.points[0].key, a.points[1].key);
}

TEST(a_wrong_point_keeps_its_error) {
    fs_arena *arena = test_arena();
    fs_store_sweep s = points(arena, "axes:\n  - { key: overlay.kind, values: [mesh, mush] }\n");
    assert_int_equal(s.point_count, 2);
    assert_string_equal(s.points[0].status, "pending");
    assert_string_equal(s.points[1].status, "failed");
    assert_non_null(strstr(s.points[1].error, "s.yaml:6:41: overlay.kind:"));
    assert_int_equal(strlen(s.points[1].key), 64);
}

TEST(mistakes_are_told_with_their_places) {
    static const char *const wrong[][2] = {
        {"axes: [{ key: a.b }]", "s.yaml:5:8: axes[0]: expected one of values, range and log_range"},
        {"axes: [{ key: a.b, values: [] }]", "s.yaml:5:28: axes[0].values: expected at least one value"},
        {"axes: [{ key: a.b, values: [1, 1] }]", "s.yaml:5:32: axes[0].values[1]: \"1\" stands there twice"},
        {"axes: [{ key: a.b, range: { from: 1, to: 2, step: -1 } }]", "expected a step that leads"},
        {"axes: [{ key: a.b, range: { from: 1 s, to: 2 ms, step: 1 s } }]", "the same unit everywhere"},
        {"axes: [{ key: a.b, log_range: { from: 0, to: 2, count: 3 } }]", "from and to above 0"},
        {"axes: [{ zip: [{ key: a.b, values: [1] }, { key: a.c, values: [1, 2] }] }]",
         "as many values as in axes[0].zip[0] (1), found 2"},
        {"axes: [{ zip: [{ key: a.b, values: [1, 2, 1] }, { key: a.c, values: [3, 3, 3] }] }]",
         "s.yaml:5:43: axes[0].zip[0].values[2]: \"1 + 3\" stands there twice"},
        {"axes: [{ kye: a.b }]", "unknown key; expected one of"},
        {"axes: [{ points: [{ set: {} }] }]", "axes[0].points[0].name: missing"},
        {"axes: [{ key: run.seed, values: [1], when: { run.sede: 1 } }]",
         "axes[0].when: no axis sets run.sede"},
        {"axes: []\nobjectives: [{ figure: device.second, better: smaller }]",
         "did you mean \"device.seconds\"?"},
        {"axes: []\nobjectives: [{ figure: device.seconds, better: less }]", "objectives[0].better"},
        {"axes: []\nobjectives: [{ figure: scene.cells }]", "scene.cells does not say which way is better"},
        {"axes: []\nconstraints: [{ figure: memory.fits }]", "expected one of equals, at_least and at_most"},
        {"axes: []\nexclude: [{ run.seed: 1 }]", "the conditions leave no point"},
        {"axes: [{ key: run.seed, values: [x, y] }]", "run.seed: expected a non-negative integer"},
        {"axes: [{ key: run.seed, values: [1] }, { key: run.seed, values: [2] }]",
         "run.seed is an axis already"},
    };
    fs_arena *arena = test_arena();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fs_store_sweep s;
        assert_int_equal(read_sweep(arena, fs_arena_printf(arena, BASE "%s\n", wrong[i][0]), &s), FS_INPUT);
        if (strstr(err.text, wrong[i][1]) == NULL)
            fail_msg("%s\nexpected \"%s\", found \"%s\"", wrong[i][0], wrong[i][1], err.text);
    }
    fs_store_sweep s;
    assert_int_equal(read_sweep(arena, "axes: []\n", &s), FS_INPUT);
    assert_non_null(strstr(err.text, "base: missing"));
}

/* ---- random files ---- */

/* Two to four axes of random sizes with a condition each on an earlier one: as many points as counting gives. */
TEST(sizes_are_products) {
    static const char *const keys[] = {"workload.batching.idle", "workload.repeat", "run.seed", "run.frames"};
    fs_rng rng = fs_rng_stream(seed, "test/sweep-file");
    for (int round = 0; round < 30; round++) {
        fs_arena *arena = test_arena();
        const uint32_t axes = 1 + fs_rng_below(&rng, 4);
        uint32_t size[4], bound[4] = {0};
        const char *text = "axes:\n";
        for (uint32_t a = 0; a < axes; a++) {
            size[a] = 1 + fs_rng_below(&rng, 4);
            bound[a] =
                a == 0 ? 0 : fs_rng_below(&rng, 5); /* applies where the axis before is at least this */
            const char *when = bound[a] == 0 ? ""
                                             : fs_arena_printf(arena, ", when: { %s: { at_least: %u } }",
                                                               keys[a - 1], bound[a]);
            text = fs_arena_printf(arena, "%s  - { key: %s, range: { from: 1, to: %u, step: 1 }%s }\n", text,
                                   keys[a], size[a], when);
        }
        /* Counting: choices of an axis given whether the one before it applied and its value; the base's
         * values are idle 200, repeat 20, seed 1, frames 1. */
        static const uint32_t base[] = {200, 20, 1, 1};
        size_t expected = 0;
        uint32_t at[4];
        for (uint32_t code = 0; code < 625; code++) {
            uint32_t rest = code;
            bool good = true;
            for (uint32_t a = 0; a < 4; a++, rest /= 5)
                at[a] = rest % 5; /* 0: does not apply */
            for (uint32_t a = 0; a < 4; a++) {
                const bool applies = a < axes && (a == 0 || bound[a] == 0 ||
                                                  (at[a - 1] == 0 ? base[a - 1] : at[a - 1]) >= bound[a]);
                good &= applies ? at[a] >= 1 && at[a] <= size[a] : at[a] == 0;
            }
            expected += good;
        }
        fs_store_sweep s = points(arena, text);
        if (s.point_count != expected)
            fail_msg("seed %llu: %zu points, expected %zu\n%s", (unsigned long long)seed, s.point_count,
                     expected, text);
    }
}

/* ---- plans ---- */

static fs_sweep_item item(const char *geometry, const char *traffic) {
    return (fs_sweep_item){.key = "k",
                           .label = "",
                           .geometry_key = geometry,
                           .traffic_key = traffic,
                           .resolved = "",
                           .kind = "foam",
                           .seconds = {3, 2, 1}};
}

/* The layer of each item, as a letter. */
static void layers_of(fs_arena *arena, const fs_sweep_item *items, size_t count, const char *folder,
                      char *letters) {
    const fs_sweep_means means = {.registry = &fs_registry_all, .folder = folder, .recordings = true};
    fs_sweep_plan plan;
    memset(letters, '?', count);
    letters[count] = '\0';
    fs_sweep_plan_make(arena, items, NULL, count, &means, &plan);
    for (size_t j = 0; j < plan.count; j++)
        for (size_t i = 0; i < plan.jobs[j].count; i++)
            letters[plan.jobs[j].items[i]] = fs_layer_words[plan.jobs[j].layer][2]; /* n, p, i */
}

TEST(the_cheapest_layer_is_planned) {
    fs_arena *arena = test_arena();
    char letters[16];
    /* Three of one traffic; one of another with the same geometry; one alone. */
    fs_sweep_item items[] = {item("A", "a"), item("A", "a"), item("B", "b"), item("A", "c"), item("A", "a")};
    layers_of(arena, items, 5, "none", letters);
    assert_string_equal(letters, "ninpi");
    for (int i = 0; i < 5; i++) /* no activity: replays instead */
        items[i].seconds[FS_LAYER_PRICE] = i == 2 || i == 3 ? 1 : (double)NAN;
    layers_of(arena, items, 5, "none", letters);
    assert_string_equal(letters, "npnpp");
    for (int i = 0; i < 5; i++)
        items[i].seconds[FS_LAYER_REPLAY] = items[i].seconds[FS_LAYER_PRICE] = (double)NAN;
    layers_of(arena, items, 5, "none", letters);
    assert_string_equal(letters, "nnnnn");
    /* With recordings from before. */
    fs_sweep_item again[] = {item("A", "a"), item("A", "c"), item("B", "b")};
    assert_int_equal(system("mkdir rec && : > rec/A.itinerary && : > rec/a.activity"), 0);
    layers_of(arena, again, 3, "rec", letters);
    assert_string_equal(letters, "ipn");
}

/* Points of one recording: shared out among the processes, as many as one prices at most; the first is run and records. */
TEST(processes_share_a_recording) {
    static const struct {
        int jobs;
        size_t together, points, priced;
    } cases[] = {{0, 0, 9, 1}, {2, 0, 9, 2},   {3, 0, 9, 3}, {20, 0, 9, 8},
                 {2, 3, 9, 3}, {2, 0, 200, 7}, {4, 0, 1, 0}};
    for (size_t k = 0; k < FS_COUNT(cases); k++) {
        fs_arena *arena = test_arena();
        fs_sweep_item items[200];
        for (size_t i = 0; i < cases[k].points; i++)
            items[i] = item("A", "a");
        const fs_sweep_means means = {.registry = &fs_registry_all,
                                      .folder = "none",
                                      .recordings = true,
                                      .together = cases[k].together,
                                      .jobs = cases[k].jobs};
        fs_sweep_plan plan;
        fs_sweep_plan_make(arena, items, NULL, cases[k].points, &means, &plan);
        size_t priced = 0, least = SIZE_MAX, most = 0;
        for (size_t j = 0; j < plan.count; j++)
            if (plan.jobs[j].layer == FS_LAYER_PRICE) {
                priced++;
                least = plan.jobs[j].count < least ? plan.jobs[j].count : least;
                most = plan.jobs[j].count > most ? plan.jobs[j].count : most;
            }
        assert_int_equal(priced, cases[k].priced);
        assert_true(priced == 0 || cases[k].points > 20 || most - least <= 1);
    }
}

static int begin(void **state) {
    seed = test_seed(20250611);
    fs_say_quiet(true);
    return cli_enter(state);
}

/* An objective goes the way that its figure says, unless the sweep file says another. */
TEST(objectives_know_their_way) {
    fs_arena *arena = test_arena();
    fs_store_sweep s;
    err = (fs_error){0};
    assert_int_equal(
        read_sweep(arena,
                   BASE "axes: []\nobjectives: [{ figure: device.seconds }, { figure: image.psnr_db }, "
                        "{ figure: rays.finished, better: smaller }]\n",
                   &s),
        FS_OK);
    assert_int_equal(s.objective_count, 3);
    assert_false(s.objectives[0].larger);
    assert_true(s.objectives[1].larger);
    assert_false(s.objectives[2].larger);
    assert_int_equal(read_sweep(arena, BASE "axes: []\n", &s), FS_OK); /* the time of the workload */
    assert_int_equal(s.objective_count, 1);
    assert_string_equal(s.objectives[0].figure, fs_workload_find(&fs_registry_all, "foam")->time);
    assert_false(s.objectives[0].larger);
}

RUN_TESTS(begin, cli_leave)
