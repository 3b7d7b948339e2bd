/* foamsim run --trace: the timeline is JSON that a viewer can draw, and its spans are the run: they nest,
 * they follow one another, and they add up to the cycles of the tables. */
#include "sim/trace/trace.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

enum { DEVICE = 1, ROLES, TILES, TRACKS = 128, DEPTH = 8 };

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_must("run", "x.yaml", "--quiet", "--out", "run", "--trace", "t.json", CLI_NARROW, NULL);
    return 0;
}

static int64_t whole(const json_t *event, const char *key) {
    const json_t *value = json_object_get(event, key);
    assert_true(json_is_integer(value));
    return (int64_t)json_integer_value(value);
}

static double real(const json_t *event, const char *key) {
    const json_t *value = json_object_get(event, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static const char *text(const json_t *event, const char *key) {
    const char *value = json_string_value(json_object_get(event, key));
    assert_non_null(value);
    return value;
}

static int64_t cycles_of(const json_t *event) {
    return whole(json_object_get(event, "args"), "cycles");
}

static bool is_span(const json_t *event, int process) {
    return strcmp(text(event, "ph"), "X") == 0 && whole(event, "pid") == process;
}

/* On each track: begins never go back, and a span ends within the one that it began in. */
TEST(spans_nest) {
    json_t *root = run_json(".", "t.json");
    const json_t *events = json_object_get(root, "traceEvents");
    assert_true(json_array_size(events) > 1000);
    static double ends[4][TRACKS][DEPTH], last[4][TRACKS];
    static int depth[4][TRACKS];
    const double tick = 1.5e-4; /* two roundings of a tenth of a nanosecond, in microseconds */
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *e = json_array_get(events, i);
        const char *kind = text(e, "ph");
        assert_true(strcmp(kind, "X") == 0 || strcmp(kind, "M") == 0 || strcmp(kind, "C") == 0);
        if (strcmp(kind, "X") != 0)
            continue;
        int64_t p = whole(e, "pid"), t = whole(e, "tid");
        assert_true(p >= DEVICE && p <= TILES && t > 0 && t < TRACKS);
        double from = real(e, "ts"), to = from + real(e, "dur");
        assert_true(from >= last[p][t]);
        last[p][t] = from;
        while (depth[p][t] > 0 && from >= ends[p][t][depth[p][t] - 1] - tick)
            depth[p][t]--;
        if (depth[p][t] > 0)
            assert_true(to <= ends[p][t][depth[p][t] - 1] + tick);
        assert_true(depth[p][t] < DEPTH);
        ends[p][t][depth[p][t]++] = to;
    }
}

TEST(the_device_track_adds_up) {
    json_t *root = run_json(".", "t.json"), *summary = run_json("run", "summary.json");
    const json_t *events = json_object_get(root, "traceEvents");
    const double clock = real(json_object_get(root, "otherData"), "clock_hz");
    struct table t = table_read("run", "iterations.csv");
    static const char *const phases[] = {"compute", "sync", "exchange", "host"};
    int64_t sum = 0, sums[4] = {0}, iterations = 0, in_iteration = 0, first = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *e = json_array_get(events, i);
        if (!is_span(e, DEVICE))
            continue;
        int64_t cycles = cycles_of(e);
        bool is_phase = false;
        assert_true(fabs(real(e, "dur") - 1e6 * (double)cycles / clock) < 2e-4);
        for (int p = 0; p < 4; p++)
            if (strcmp(text(e, "name"), phases[p]) == 0) {
                sums[p] += cycles;
                in_iteration -= cycles;
                is_phase = true;
            }
        if (is_phase)
            continue;
        assert_int_equal(in_iteration, 0); /* the phases before this are the iteration before */
        assert_true(fabs(real(e, "ts") - 1e6 * (double)sum / clock) < 2e-4);
        sum += cycles;
        if (strncmp(text(e, "name"), "iteration ", 10) == 0) {
            assert_int_equal(table_int(&t, (size_t)iterations, "cycles"), cycles);
            in_iteration = cycles;
            iterations++;
        } else {
            first = cycles;
        }
    }
    assert_int_equal(in_iteration, 0);
    assert_int_equal(sum, figure_int(summary, "device.cycles"));
    assert_int_equal(iterations, figure_int(summary, "device.iterations"));
    assert_int_equal(sums[0], figure_int(summary, "device.cycles_compute"));
    assert_int_equal(sums[1], figure_int(summary, "device.cycles_sync"));
    assert_int_equal(sums[2], figure_int(summary, "device.cycles_exchange"));
    assert_int_equal(sums[3] + first, figure_int(summary, "device.cycles_host"));
}

/* The row of a tile in a matrix of tiles and iterations. */
static size_t row_of(const struct table *matrix, int64_t tile) {
    for (size_t r = 0; r < matrix->rows; r++)
        if (table_int(matrix, r, "tile") == tile)
            return r;
    fail_msg("no tile %d", (int)tile);
    return 0;
}

static int64_t cell(const struct table *matrix, size_t row, size_t iteration) {
    char name[24];
    snprintf(name, sizeof name, "i%zu", iteration);
    return table_int(matrix, row, name);
}

/* The iteration that a span begins with; spans of a track come in order, so the search goes on from *k. */
static void find_iteration(const struct table *iterations, const json_t *event, double clock, size_t *k) {
    while (fabs(real(event, "ts") - 1e6 * (double)table_int(iterations, *k, "start") / clock) > 2e-4) {
        ++*k;
        assert_true(*k < iterations->rows);
    }
}

/* A chosen tile: compute is the matrix's, and with the waiting behind it the compute phase. */
TEST(tiles_are_those_of_the_tables) {
    cli_must("run", "x.yaml", "--quiet", "--out", "two", "--trace", "two.json", "--trace-tiles", "7,64,7",
             CLI_NARROW, NULL);
    json_t *root = run_json(".", "two.json");
    const json_t *events = json_object_get(root, "traceEvents");
    const double clock = real(json_object_get(root, "otherData"), "clock_hz");
    struct table t = table_read("two", "iterations.csv"), matrix = table_read("two", "cycles.csv"),
                 held = table_read("two", "occupancy.csv");
    static const int64_t tiles[] = {7, 64};
    for (int64_t track = 1; track <= 2; track++) {
        size_t k = 0, row = row_of(&matrix, tiles[track - 1]), held_row = row_of(&held, tiles[track - 1]);
        int64_t busy = 0, spans = 0;
        for (size_t i = 0; i < json_array_size(events); i++) {
            const json_t *e = json_array_get(events, i);
            if (!is_span(e, TILES) || whole(e, "tid") != track)
                continue;
            if (strcmp(text(e, "name"), "waiting") == 0) {
                assert_int_equal(busy + cycles_of(e), table_int(&t, k, "compute"));
                continue;
            }
            assert_string_equal(text(e, "name"), "compute");
            find_iteration(&t, e, clock, &k);
            busy = cycles_of(e);
            assert_int_equal(busy, cell(&matrix, row, k));
            assert_int_equal(whole(json_object_get(e, "args"), "rays"), cell(&held, held_row, k));
            spans++;
        }
        int64_t active = 0;
        for (size_t i = 0; i < t.rows; i++)
            active += cell(&matrix, row, i) > 0;
        assert_int_equal(spans, active);
        assert_true(active > 0);
    }
}

/* Every third tile of a role from its first on, of a range without the spare ones, each once, in the order of the words. */
TEST(tiles_are_picked_by_words) {
    static const char *const roles[] = {"router", "tracer", NULL};
    static const uint8_t of_role[] = {1, 2}, role[] = {2, 1, 2, 2, 0, 2, 2, 1, 2, 2};
    const fs_trace_tiles of = {
        .tiles = 10, .most = 16, .roles = roles, .role_of = of_role, .role = role, .spare = 0};
    static const struct {
        const char *text;
        uint32_t count, tile[8];
    } cases[] = {{"tracer/3", 3, {0, 5, 9}}, {"router", 2, {1, 7}},     {"2-8/2", 3, {2, 6, 8}},
                 {"9,3-5", 3, {9, 3, 5}},    {"7,router,7", 2, {7, 1}}, {"tracer/7", 1, {0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t tile[16], count = 0;
        fs_error err = {0};
        assert_int_equal(fs_trace_pick(cases[i].text, &of, tile, &count, &err), FS_OK);
        assert_int_equal(count, cases[i].count);
        assert_memory_equal(tile, cases[i].tile, count * sizeof *tile);
    }
}

/* The tile of the camera's shard: its cycles are those of the column compute_camera wherever it computes. */
static int64_t camera_tile(void) {
    struct table cycles = table_read("slow", "cycles.csv"), t = table_read("slow", "iterations.csv");
    int64_t found = -1;
    for (size_t row = 0; row < cycles.rows && found < 0; row++) {
        bool same = strcmp(table_text(&cycles, row, "role"), "tracer") == 0;
        int64_t busy = 0;
        for (size_t k = 0; k < t.rows && same; k++) {
            const int64_t own = cell(&cycles, row, k);
            busy += own;
            same = own == 0 || own == table_int(&t, k, "compute_camera");
        }
        if (same && busy > 0)
            found = table_int(&cycles, row, "tile");
    }
    assert_true(found >= 0);
    return found;
}

/* Without --trace-tiles: the generator, the roots, the camera's tile and the one that sets the pace most
 * often. */
TEST(tiles_are_chosen) {
    cli_must("run", "x.yaml", "--quiet", "--out", "slow", "--trace", "slow.json", "--set",
             "machine.exchange.mode=dynamic", "--set", "workload.kernels.router=hardware", "--set",
             "workload.kernels.router_cycles=3000 cycles", NULL);
    json_t *root = run_json(".", "slow.json");
    const json_t *events = json_object_get(root, "traceEvents");
    struct table t = table_read("slow", "tiles.csv");
    const int64_t camera = camera_tile();
    int64_t level = 0, most = 0, wanted = 0, there = 0;
    for (size_t i = 0; i < t.rows; i++) {
        if (strcmp(table_text(&t, i, "role"), "router") == 0 && table_int(&t, i, "level") > level)
            level = table_int(&t, i, "level");
        most = table_int(&t, i, "paced") > most ? table_int(&t, i, "paced") : most;
    }
    for (size_t i = 0; i < t.rows; i++) {
        const char *role = table_text(&t, i, "role");
        const bool root_router = strcmp(role, "router") == 0 && table_int(&t, i, "level") == level;
        if (strcmp(role, "generator") != 0 && !root_router && table_int(&t, i, "paced") != most &&
            table_int(&t, i, "tile") != camera)
            continue;
        char name[32];
        snprintf(name, sizeof name, "tile %d", (int)table_int(&t, i, "tile"));
        wanted++;
        for (size_t e = 0; e < json_array_size(events); e++) {
            const json_t *event = json_array_get(events, e);
            if (strcmp(text(event, "ph"), "M") != 0 || whole(event, "pid") != TILES)
                continue;
            const char *named = json_string_value(json_object_get(json_object_get(event, "args"), "name"));
            const size_t n = strlen(name);
            if (named != NULL && strncmp(named, name, n) == 0 && (named[n] < '0' || named[n] > '9')) {
                there++;
                break;
            }
        }
    }
    assert_true(wanted >= 3);
    assert_int_equal(there, wanted);
}

/* What sets the pace is the longest span of the roles, and is named. */
TEST(roles_name_the_pace) {
    json_t *root = run_json(".", "t.json");
    const json_t *events = json_object_get(root, "traceEvents");
    struct table t = table_read("run", "iterations.csv");
    const double clock = real(json_object_get(root, "otherData"), "clock_hz");
    size_t k = 0, named = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *e = json_array_get(events, i);
        if (!is_span(e, ROLES))
            continue;
        find_iteration(&t, e, clock, &k); /* the roles of an iteration stand together */
        assert_true(cycles_of(e) <= table_int(&t, k, "compute"));
        char name[32];
        snprintf(name, sizeof name, "tile %d", (int)table_int(&t, k, "pace_tile"));
        named += strcmp(text(e, "name"), name) == 0 && cycles_of(e) == table_int(&t, k, "compute");
    }
    assert_true(10 * named > 9 * t.rows); /* the rest are paced by an idle tile */
}

TEST(counters_are_those_of_the_table) {
    json_t *root = run_json(".", "t.json");
    const json_t *events = json_object_get(root, "traceEvents");
    struct table t = table_read("run", "iterations.csv");
    static const char *const counters[] = {"rays in flight", "backlog", "spills"};
    static const char *const columns[] = {"in_flight", "backlog", "spilled"};
    for (int c = 0; c < 3; c++) {
        int64_t changes = 0, told = 0, before = -1;
        for (size_t k = 0; k < t.rows; k++) {
            changes += table_int(&t, k, columns[c]) != before;
            before = table_int(&t, k, columns[c]);
        }
        int64_t last = -1;
        double at = -1;
        for (size_t i = 0; i < json_array_size(events); i++) {
            const json_t *e = json_array_get(events, i);
            if (strcmp(text(e, "ph"), "C") != 0 || strcmp(text(e, "name"), counters[c]) != 0)
                continue;
            last = whole(json_object_get(e, "args"), "rays");
            assert_true(real(e, "ts") > at);
            at = real(e, "ts");
            told++;
        }
        assert_int_equal(told, changes);
        assert_int_equal(last, before);
        assert_true(changes > 1);
    }
}

TEST(the_trace_changes_nothing_and_is_the_same_each_time) {
    cli_must("run", "x.yaml", "--quiet", "--out", "again", "--trace", "again.json", "--threads", "3",
             CLI_NARROW, NULL);
    cli_must("run", "x.yaml", "--quiet", "--out", "without", CLI_NARROW, NULL);
    assert_true(files_equal("t.json", "again.json"));
    assert_same_run("run", "again", SAME_SETTINGS);
    assert_same_run("run", "without", SAME_SETTINGS);
}

/* Without barriers there are slices, and no phases in them. */
TEST(a_decoupled_run_has_slices) {
    cli_must("run", "x.yaml", "--quiet", "--out", "loose", "--trace", "loose.json", "--set",
             "machine.execution=decoupled", "--set", "machine.exchange.mode=dynamic", NULL);
    json_t *root = run_json(".", "loose.json");
    const json_t *events = json_object_get(root, "traceEvents");
    int64_t sum = 0;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *e = json_array_get(events, i);
        if (strcmp(text(e, "ph"), "X") != 0)
            continue;
        assert_string_not_equal(text(e, "name"), "waiting");
        if (whole(e, "pid") == DEVICE) {
            assert_true(sum == 0 || strncmp(text(e, "name"), "slice ", 6) == 0);
            sum += cycles_of(e);
        }
    }
    assert_true((double)sum == run_figure("loose", "device.cycles"));
}

TEST(what_cannot_be_traced) {
    static const char *const wrong[][4] = {
        {"--trace-tiles", "1", NULL, "expected --trace FILE beside it"},
        {"--trace=no.json", "--trace-tiles=1,,2", NULL,
         "--trace-tiles: expected tiles below 96 as 7, 0-63 or 0-255/16, or a role: tracer, router, "
         "generator"},
        {"--trace=no.json", "--trace-tiles=4000", NULL, "found \"4000\""},
        {"--trace=no.json", "--trace-tiles=router/0", NULL, "found \"router/0\""},
        {"--trace=no.json", "--trace-tiles=5-3", NULL, "found \"5-3\""},
        {"--trace=no.json", "--trace-tiles=tracers", NULL, "found \"tracers\""},
        {"--trace=no.json", "--trace-tiles=90", NULL, "tile 90 is spare"},
        {"--trace=no.json", "--set", "run.statistics=basic", "--trace needs the full statistics"},
        {"--trace=no.json", "--set", "views={kind: list, positions: [[1, 2, 3]]}",
         "this experiment has 1 views"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cli_result r =
            cli("run", "x.yaml", "--quiet", "--out", "no", wrong[i][0], wrong[i][1], wrong[i][2], NULL);
        assert_int_equal(r.status, 2);
        assert_says(r.err, wrong[i][3]);
        assert_false(scratch_there("no") || scratch_there("no.json"));
    }
    cli_result r = cli("run", "x.yaml", "--quiet", "--out", "no", "--trace", "nowhere/t.json", NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "nowhere/t.json: cannot write"));
    assert_false(scratch_there("no"));
}

RUN_TESTS(begin, cli_leave)
