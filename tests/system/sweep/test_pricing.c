/* fs_workload_price: the figures of a point are those of its run, to the last digit; what is wrong with one
 * point is said of that point.
 *
 * FOAMSIM_RECORDING_CASES: how many random points are tried (12; CI tries 200, and each row of prices alone).
 * `test_pricing EXPERIMENT ACTIVITY POINTS` prices POINTS variants of an experiment and prints how long a
 * point takes. */
#include "registry/registry.h"
#include "sim/base/host.h"
#include "sim/base/rng.h"
#include "sim/host/process.h"
#include "sim/workload/workload.h"
#include "tests/support/cli.h"
#include "tests/support/free_sections.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

enum { SETS = 20 };

typedef struct variant {
    char text[SETS][96];
    const char *set[SETS];
    size_t count;
} variant;

static void set(variant *v, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(v->text[v->count], sizeof v->text[0], format, args);
    va_end(args);
    v->set[v->count] = v->text[v->count];
    v->count++;
}

static void copy(variant *to, const variant *from) {
    *to = *from;
    for (size_t s = 0; s < to->count; s++)
        to->set[s] = to->text[s];
}

static variant *random_variants(size_t count, bool dynamic) {
    static const char *const ops[] = {"load", "store", "f32_add", "f32_div", "int_op", "branch", "cast"};
    variant *v = calloc(count, sizeof *v);
    fs_rng d = fs_rng_stream(5, "pricing");
    for (size_t i = 0; i < count; i++) {
        set(&v[i], "machine.clock=%u MHz", 800 + fs_rng_below(&d, 1200));
        const bool network = dynamic && fs_rng_below(&d, 3) == 0;
        if (network) {
            set(&v[i], "machine.exchange={kind: noc, mode: dynamic, noc: {size: [8, 12]}}");
            set(&v[i], "machine.exchange.noc={vcs: %u, buffer: %u, width: %u B}", 1 + fs_rng_below(&d, 4),
                1 + fs_rng_below(&d, 9), 4 << fs_rng_below(&d, 4));
        } else {
            set(&v[i], "machine.exchange.bytes_per_cycle=%u B/cycle", 1 + fs_rng_below(&d, 3));
        }
        set(&v[i], "machine.sync.base=%u cycles", fs_rng_below(&d, 200));
        set(&v[i], "machine.host.launch=%u us", 100 + fs_rng_below(&d, 200));
        set(&v[i], "machine.cost.%s=%u slots", ops[fs_rng_below(&d, 7)], fs_rng_below(&d, 9));
        set(&v[i], "machine.cost.pairing=%u %%", fs_rng_below(&d, 101));
        if (fs_rng_below(&d, 2) == 0)
            set(&v[i], "machine.cost.scale=%u.%u %%", 50 + fs_rng_below(&d, 150), fs_rng_below(&d, 10));
        if (!dynamic && fs_rng_below(&d, 3) == 0)
            set(&v[i], "machine.exchange.copies=serial");
        if (fs_rng_below(&d, 4) == 0)
            set(&v[i], "machine.tile.reuse_idle_slots=true");
        if (fs_rng_below(&d, 2) == 0)
            set(&v[i], "machine.tile.issue_width=%u", 1 + fs_rng_below(&d, 6));
        if (fs_rng_below(&d, 4) == 0)
            set(&v[i], "machine.tile={sram_ports: 1, sram_width: 2 B}");
        if (fs_rng_below(&d, 4) == 0)
            set(&v[i], "machine.tile={vectorised: 60 %%, lanes_f32: 8}");
        if (fs_rng_below(&d, 4) == 0)
            set(&v[i], "workload.kernels.router=hardware");
        if (fs_rng_below(&d, 3) == 0)
            set(&v[i], "workload.kernels.generator_workers=%u", 1 + fs_rng_below(&d, 6));
        if (fs_rng_below(&d, 4) == 0)
            set(&v[i], "workload.kernels.fixed_cost=false");
        if (fs_rng_below(&d, 2) == 0)
            set(&v[i], "workload.kernels={version: %s, compiled: %s, float_pairs: %s}",
                fs_rng_below(&d, 2) == 0 ? "2025-09-02" : "2025-09-11",
                fs_rng_below(&d, 2) == 0 ? "upper" : "lower", fs_rng_below(&d, 2) == 0 ? "true" : "false");
        if (fs_rng_below(&d, 3) == 0)
            set(&v[i], "workload.upload=true");
        if (dynamic && !network && fs_rng_below(&d, 3) == 0)
            set(&v[i], "machine.exchange.mode=dynamic");
        if (dynamic && fs_rng_below(&d, 8) == 0)
            set(&v[i], "machine.cost.int_op=90000 slots"); /* more cycles than 32 bits hold */
    }
    return v;
}

/* NULL: such an experiment is refused. */
static fs_config *try_load(fs_arena *arena, const char *path, const variant *v, fs_error *err) {
    return fs_config_load(arena, path, fs_registry_sections, fs_registry_all.section_count, v->set, v->count,
                          fs_configs_dir(), err);
}

static fs_config *load(fs_arena *arena, const char *path, const variant *v) {
    fs_error err = {0};
    fs_config *config = try_load(arena, path, v, &err);
    assert_got(config, &err);
    return config;
}

typedef struct results {
    size_t points;
    json_t **summary;
    fs_error *error;
} results;

static void take(void *self, size_t i, const json_t *summary, const fs_error *err) {
    results *r = self;
    assert_int_equal(i, r->points++);
    if (r->summary != NULL && summary != NULL)
        r->summary[i] = json_deep_copy(summary);
    if (err != NULL)
        r->error[i] = *err;
}

static results price(const variant *v, size_t count, const char *activity, fs_arena *arena) {
    const fs_config **config = test_keep(calloc(count + 1, sizeof *config));
    results r = {.summary = calloc(count + 1, sizeof *r.summary),
                 .error = calloc(count + 1, sizeof *r.error)};
    for (size_t i = 0; i < count; i++)
        config[i] = load(arena, "x.yaml", &v[i]);
    fs_error err = {0};
    assert_ok(fs_workload_price(config, count, activity, &(fs_priced_result){take, &r}, &err), &err);
    assert_int_equal(r.points, count);
    return r;
}

static void results_free(results *r) {
    for (size_t i = 0; i < r->points; i++)
        json_decref(r->summary[i]);
    free(r->summary);
    free(r->error);
}

static void run(const variant *v, const char *out, const char *option, const char *file) {
    fs_process_words w = {.arena = test_arena()};
    fs_process_add(&w, "run", "x.yaml", "-f", "-q", "-t", "1", "-o", out, NULL);
    fs_process_option(&w, option, file);
    for (size_t i = 0; i < v->count; i++)
        fs_process_option(&w, "--set", v->set[i]);
    cli_must_words(w.word);
}

TEST(points_are_their_runs) {
    const size_t count = test_number("FOAMSIM_RECORDING_CASES", 12);
    const variant none = {.count = 0};
    variant *v = random_variants(count, true);
    fs_arena *arena = test_arena();
    run(&none, "recorded", "--record-activity", "activity");
    results r = price(v, count, "activity", arena);
    for (size_t i = 0; i < count; i++) {
        run(&v[i], "run", NULL, NULL);
        json_t *summary = run_json("run", "summary.json");
        if (r.summary[i] == NULL || !json_equal(summary, r.summary[i])) {
            for (size_t s = 0; s < v[i].count; s++)
                print_error("%s ", v[i].set[s]);
            const char *key;
            json_t *group, *value;
            json_object_foreach(summary, key, group) {
                const char *name;
                json_object_foreach(group, name, value) {
                    const json_t *other = json_object_get(json_object_get(r.summary[i], key), name);
                    if (!json_equal(value, other))
                        print_error("\n%s.%s: %s, priced %s", key, name, json_dumps(value, JSON_ENCODE_ANY),
                                    other ? json_dumps(other, JSON_ENCODE_ANY) : "nothing");
                }
            }
            fail_msg("\npoint %zu differs from its run: %s", i, r.error[i].text);
        }
    }
    results_free(&r);
    free(v);
}

/* Every row that touches the price and whose name begins so, one at a time, from one activity and in one process. Between any two the
 * recorded machine is priced again, so that each point differs from the one before it in one row only. */
static size_t price_variants(fs_arena *arena, const variant *base, const char *below, size_t least,
                             variant **out) {
    size_t count = 0, refused = 0;
    variant *v = calloc(256, sizeof *v);
    const fs_config *config = load(arena, "x.yaml", base);
    const fs_section *sections =
        fs_sections_of_roles(arena, fs_registry_sections, fs_registry_all.section_count);
    for (size_t s = 0; s < fs_registry_all.section_count; s++) {
        const fs_section *section = &sections[s];
        if (!fs_config_has(config, section->name)) /* a named work is none of the experiment's */
            continue;
        const char *kind = fs_config_kind(config, section->name);
        for (size_t k = 0; k < section->count; k++)
            for (size_t i = 0;
                 strcmp(section->kinds[k].kind, kind) == 0 && i < section->kinds[k].table->count; i++) {
                const fs_param *row = &section->kinds[k].table->rows[i];
                const void *value = fs_config_value(config, section->name, row->name);
                if (row->touches != FS_TOUCHES_PRICE || value == NULL || /* NULL: the foam does not read it */
                    strncmp(row->name, below, strlen(below)) != 0 || (below[0] != '\0' && row->given != 0))
                    continue;
                if (strcmp(row->name, "exchange.noc.planes") == 0) /* messages of tiles go over one */
                    continue;
                copy(&v[count], base);
                set(&v[count], "%s.%s=%s", section->name, row->name, fs_test_another(arena, row, value));
                fs_error err = {0};
                const bool holds = try_load(arena, "x.yaml", &v[count], &err) != NULL;
                count += holds;
                refused += !holds;
                assert_true(count < 256);
            }
    }
    assert_true(count >= least);
    /* exchange.copies, which a dynamic exchange has not; the width of no port; a network without a size; links of
     * no cycle. Over a network the topologies that another size goes with. */
    assert_true(refused <= (below[0] == '\0' ? 4 : 10));
    *out = v;
    return count;
}

/* Up to four rows that hold together become one point: a run for each row alone takes four times as long, and is CI's. */
static size_t join(fs_arena *arena, const variant *base, variant *v, size_t count) {
    const size_t most = getenv("FOAMSIM_RECORDING_CASES") == NULL ? 4 : 1;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        variant both;
        fs_error err = {0};
        copy(&both, &v[kept > 0 ? kept - 1 : 0]);
        set(&both, "%s", v[i].set[base->count]);
        if (kept > 0 && both.count <= base->count + most && try_load(arena, "x.yaml", &both, &err) != NULL)
            copy(&v[kept - 1], &both);
        else
            copy(&v[kept++], &v[i]);
    }
    return kept;
}

static void rows_are_priced_as_they_run(const char *exchange, const char *chips, const char *below,
                                        size_t least) {
    variant base = {.count = 0}, *v;
    set(&base, "machine.exchange={%s}", exchange);
    set(&base, "machine.chips=%s", chips);
    set(&base, "scene.generate.cells=2000");
    set(&base, "workload.camera.width=16");
    set(&base, "workload.camera.height=12");
    fs_arena *arena = test_arena();
    const size_t rows = price_variants(arena, &base, below, least, &v), count = join(arena, &base, v, rows);
    variant *points = test_keep(calloc(2 * count + 1, sizeof *points));
    for (size_t i = 0; i < 2 * count; i++)
        copy(&points[i], i % 2 == 0 ? &base : &v[i / 2]);
    run(&base, "recorded", "--record-activity", "rows");
    json_t *recorded = run_json("recorded", "summary.json");
    results r = price(points, 2 * count, "rows", arena);
    for (size_t i = 0; i < count; i++) {
        run(&points[2 * i + 1], "run", NULL, NULL);
        json_t *summary = run_json("run", "summary.json");
        assert_true(json_equal(r.summary[2 * i], recorded));
        if (r.summary[2 * i + 1] == NULL || !json_equal(summary, r.summary[2 * i + 1]))
            fail_msg("%s ...: the priced figures are not those of the run: %s",
                     points[2 * i + 1].set[base.count], r.error[2 * i + 1].text);
    }
    results_free(&r);
    free(v);
}

TEST(each_row_is_priced_as_it_runs) {
    rows_are_priced_as_they_run("mode: dynamic", "1", "", 41);
    rows_are_priced_as_they_run("kind: noc, mode: dynamic, noc: {size: [8, 12]}", "1", "exchange.noc.", 7);
    rows_are_priced_as_they_run("kind: noc, mode: dynamic, noc: {size: [8, 12], detail: sampled}", "1",
                                "exchange.noc.", 8);
    rows_are_priced_as_they_run("mode: dynamic", "4", "fabric.", 4);
    rows_are_priced_as_they_run("mode: static", "4", "fabric.", 4);
}

TEST(a_wrong_point_is_told_of_that_point) {
    variant v[3] = {{.count = 0}};
    set(&v[0], "machine.clock=1 GHz");
    set(&v[1], "machine.tile.workers=5");
    set(&v[2], "machine.clock=2 GHz");
    fs_arena *arena = test_arena();
    run(&(variant){.count = 0}, "recorded", "--record-activity", "activity");
    results r = price(v, 3, "activity", arena);
    assert_non_null(r.summary[0]);
    assert_null(r.summary[1]);
    assert_int_equal(r.error[1].status, FS_INPUT);
    assert_non_null(strstr(r.error[1].text, "machine.tile.workers is 6 there, 5 here"));
    assert_non_null(r.summary[2]);
    results_free(&r);
}

/* Where the SRAM does not suffice it depends on a price whether that is an error. */
TEST(a_point_that_does_not_fit_harms_no_other) {
    static const char *const checks[] = {"warn", "error", "warn"};
    variant v[3] = {{.count = 0}};
    for (size_t i = 0; i < 3; i++) {
        set(&v[i], "machine.memory.check=%s", checks[i]);
        set(&v[i], "machine.memory.sram=90 KiB");
    }
    fs_arena *arena = test_arena();
    run(&v[0], "recorded", "--record-activity", "activity");
    results r = price(v, 3, "activity", arena);
    assert_non_null(r.summary[0]);
    assert_null(r.summary[1]);
    assert_non_null(strstr(r.error[1].text, "SRAM"));
    assert_true(json_equal(r.summary[0], r.summary[2]));
    results_free(&r);
}

/* A frame that never ends does so at every price. */
TEST(points_of_a_frame_that_never_ends_fail_alike) {
    variant v[3] = {{.count = 0}};
    for (size_t i = 0; i < 3; i++) {
        set(&v[i], "run.max_iterations=30");
        set(&v[i], "machine.clock=%zu GHz", 1 + i);
    }
    fs_arena *arena = test_arena();
    const char *const words[] = {
        "run", "x.yaml", "-q", "-o", "none", "--record-activity", "nil", "--set", "run.max_iterations=30",
        NULL};
    cli_result run = cli_words(words, 0);
    assert_int_equal(run.status, 1);
    results r = price(v, 3, "nil", arena);
    for (size_t i = 0; i < 3; i++)
        assert_null(r.summary[i]);
    assert_int_equal(r.error[0].status, FS_RUN);
    assert_non_null(strstr(run.err, r.error[0].text));
    assert_string_equal(r.error[0].text, r.error[2].text);
    assert_string_equal(r.error[0].text, r.error[1].text);
    results_free(&r);
}

/* ---- how fast ---- */

static int bench(const char *experiment, const char *activity, size_t count) {
    fs_arena *arena = test_arena();
    const fs_config **config = test_keep(calloc(count, sizeof *config));
    variant *v = random_variants(count, false);
    fs_error err = {0};
    for (size_t i = 0; i < count; i++)
        config[i] = load(arena, experiment, &v[i]);
    for (int warm = 0; warm < 2; warm++) { /* loading, and one point: then the rest */
        results r = {0};
        r.error = calloc(count, sizeof *r.error);
        const size_t points = warm == 0 ? 1 : count;
        const double begun = fs_host_cpu_seconds();
        if (fs_workload_price(config, points, activity, &(fs_priced_result){take, &r}, &err)) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        const double seconds = fs_host_cpu_seconds() - begun;
        printf("%zu points: %.3f s of processor time, %.1f ms a point, %.0f a minute\n", points, seconds,
               1e3 * seconds / (double)points, 60.0 * (double)points / seconds);
        free(r.error);
    }
    free(v);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4)
        return bench(argv[1], argv[2], strtoul(argv[3], NULL, 10));
    return test_run(cli_enter_experiment, cli_leave);
}
