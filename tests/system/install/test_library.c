/* foamsim.h against the program and a real run: what it loads, runs, stops, prices, reads and refuses. */
#include "api/foamsim.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <locale.h>
#include <pthread.h>
#include <unistd.h>

static foamsim_error error;

static void has(const char *part) {
    assert_says(error.text, part);
}

static void *load(const char *const *sets) {
    foamsim_experiment *e = foamsim_load("small.yaml", sets, &error);
    if (e == NULL)
        fail_msg("%s", error.text);
    return e;
}

typedef struct heard {
    unsigned calls, most;
    unsigned long long done, total;
    char task[64];
} heard;

static bool hear(void *self, const char *task, unsigned long long done, unsigned long long total) {
    heard *h = self;
    h->calls++;
    assert_true(total == 0 || done <= total);
    h->done = done;
    h->total = total;
    snprintf(h->task, sizeof h->task, "%s", task);
    return h->calls < h->most;
}

TEST(a_run_is_made_and_read) {
    static const char *const sets[] = {"workload.batching.per_batch=1", NULL};
    foamsim_experiment *e = load(sets);
    assert_non_null(strstr(foamsim_resolved(e), "per_batch: 1"));
    heard h = {.most = 1000000};
    const foamsim_run_options options = {.threads = 1, .progress = hear, .self = &h};
    assert_int_equal(foamsim_run(e, "run", &options, &error), FOAMSIM_OK);
    assert_string_equal(error.text, "");
    assert_true(h.calls >= 2);
    assert_true(h.total > 0 && h.done == h.total);
    /* The folder is there: a second run needs leave. */
    assert_int_equal(foamsim_run(e, "run", NULL, &error), FOAMSIM_WRONG);
    has("run");
    const foamsim_run_options again = {.replace = true};
    assert_int_equal(foamsim_run(e, "run", &again, &error), FOAMSIM_OK);
    foamsim_forget(e);

    foamsim_folder *run = foamsim_open("run", &error);
    assert_non_null(run);
    foamsim_figure seconds, cycles, none, word;
    assert_true(foamsim_get(run, "device.seconds", &seconds));
    assert_true(foamsim_get(run, "device.cycles", &cycles));
    assert_false(foamsim_get(run, "device.parsecs", &none));
    assert_string_equal(seconds.unit, "s");
    assert_string_equal(cycles.unit, "cycles");
    assert_true(seconds.kind == FOAMSIM_NUMBER && cycles.number > 1000);
    assert_true(cycles.number == floor(cycles.number));
    const double hertz = cycles.number / seconds.number; /* the clock of the machine */
    assert_true(fabs(hertz - 1.33e9) < 1e7);
    size_t figures = 0;
    bool found = false;
    for (; foamsim_figure_at(run, figures, &word); figures++)
        found |= strcmp(word.name, "device.cycles") == 0;
    assert_true(found && figures > 50);

    /* Cycles of the iterations, and the start of the first, are those of the frame. */
    const foamsim_table *steps = foamsim_table_of(run, "iterations.csv", &error);
    assert_non_null(steps);
    assert_ptr_equal(steps, foamsim_table_of(run, "iterations.csv", &error));
    double sum = 0;
    for (size_t c = 0; c < foamsim_columns(steps); c++)
        if (strcmp(foamsim_column(steps, c), "cycles") == 0) {
            assert_string_equal(foamsim_unit(steps, c), "cycles");
            for (size_t row = 0; row < foamsim_rows(steps); row++)
                sum += foamsim_number(steps, row, c);
        }
    foamsim_figure iterations, host;
    assert_true(foamsim_get(run, "device.iterations", &iterations));
    assert_true(foamsim_get(run, "device.cycles_host", &host));
    assert_true((double)foamsim_rows(steps) == iterations.number);
    assert_true(sum <= cycles.number && sum >= cycles.number - host.number);
    assert_true(isnan(foamsim_number(steps, foamsim_rows(steps), 0)));
    assert_string_equal(foamsim_text(steps, 0, foamsim_columns(steps)), "");
    assert_null(foamsim_column(steps, foamsim_columns(steps)));
    assert_null(foamsim_table_of(run, "nothing.csv", &error));
    has("nothing.csv");
    bool listed = false;
    for (size_t i = 0; foamsim_file_at(run, i) != NULL; i++)
        listed |= strcmp(foamsim_file_at(run, i), "tiles.csv") == 0;
    assert_true(listed);
    foamsim_close(run);
}

TEST(what_is_wrong_is_said) {
    static const char *const unknown[] = {"machine.clokc=1 GHz", NULL}, *const unfit[] = {
                                                                            "overlay.kind=nothing", NULL};
    assert_null(foamsim_load("small.yaml", unknown, &error));
    assert_int_equal(error.status, FOAMSIM_WRONG);
    has("machine.clokc");
    assert_null(strstr(error.text, "foamsim: "));
    assert_null(foamsim_load("small.yaml", unfit, &error));
    has("quadtree");
    assert_null(foamsim_load("absent.yaml", NULL, &error));
    has("absent.yaml");
    assert_null(foamsim_load("--help", NULL, &error)); /* a name, no option */
    assert_null(foamsim_open("absent", &error));
    assert_int_equal(error.status, FOAMSIM_WRONG);
    has("absent");
    char *program = test_keep(strdup(getenv("FOAMSIM")));
    setenv("FOAMSIM", "/nowhere/foamsim", 1);
    foamsim_experiment *e = load(NULL);
    assert_int_equal(foamsim_run(e, "nowhere", NULL, &error), FOAMSIM_FAILED);
    has("/nowhere/foamsim cannot be started");
    foamsim_forget(e);
    /* A plug-in's kinds are the program's, which is asked. */
    setenv("FOAMSIM_PLUGINS", "/nowhere/plugin.so", 1);
    assert_null(foamsim_load("small.yaml", NULL, &error));
    has("/nowhere/foamsim cannot be started");
    setenv("FOAMSIM", program, 1);
    assert_null(foamsim_load("small.yaml", NULL, &error));
    has("/nowhere/plugin.so");
    unsetenv("FOAMSIM_PLUGINS");
    setenv("FOAMSIM", program, 1);
}

TEST(a_run_can_be_stopped) {
    static const char *const sets[] = {"workload.camera.width=1280", "workload.camera.height=960", NULL};
    foamsim_experiment *e = foamsim_load("small.yaml", sets, &error);
    if (e == NULL) /* the keys of the camera are not the matter here */
        e = load(NULL);
    heard h = {.most = 1};
    const foamsim_run_options options = {.progress = hear, .self = &h};
    assert_int_equal(foamsim_run(e, "stopped", &options, &error), FOAMSIM_FAILED);
    has("the run was stopped");
    assert_false(scratch_there("stopped"));
    assert_int_equal(h.calls, 1);
    foamsim_forget(e);
}

/* ---- prices ---- */

static foamsim_experiment *at_clock(const foamsim_experiment *base, double hertz) {
    char set[64];
    snprintf(set, sizeof set, "machine.clock=%.17g Hz", hertz);
    const char *const sets[] = {set, NULL};
    foamsim_experiment *e = foamsim_change(base, sets, &error);
    if (e == NULL)
        fail_msg("%s", error.text);
    return e;
}

TEST(a_price_is_the_run_that_it_stands_for) {
    foamsim_experiment *base = load(NULL), *quick = at_clock(base, 1.7e9);
    const foamsim_run_options record = {.record = "small.activity"}, *plain = NULL;
    assert_int_equal(foamsim_run(base, "recorded", &record, &error), FOAMSIM_OK);
    assert_int_equal(foamsim_run(quick, "quick", plain, &error), FOAMSIM_OK);
    assert_non_null(strstr(foamsim_resolved(quick), "clock: 1.7 GHz"));
    foamsim_recording *recording = foamsim_open_recording("small.activity", &error);
    assert_non_null(recording);
    foamsim_folder *priced = foamsim_price(recording, quick, &error), *run = foamsim_open("quick", &error);
    assert_non_null(priced);
    foamsim_forget(quick);
    foamsim_figure a, b;
    size_t figures = 0;
    for (; foamsim_figure_at(run, figures, &a); figures++) {
        assert_true(foamsim_figure_at(priced, figures, &b));
        assert_string_equal(a.name, b.name);
        assert_string_equal(a.text, b.text);
        assert_string_equal(a.unit, b.unit);
        assert_string_equal(a.description, b.description);
    }
    assert_true(figures > 50 && !foamsim_figure_at(priced, figures, &b));
    assert_null(foamsim_table_of(priced, "iterations.csv", &error));
    has("figures alone");
    assert_null(foamsim_file_at(priced, 0));
    foamsim_close(priced);
    foamsim_close(run);

    /* Of another traffic: the parameter is named, and the next price is as good as the first. */
    static const char *const other[] = {"workload.batching.per_batch=1", NULL};
    foamsim_experiment *stray = foamsim_change(base, other, &error);
    assert_null(foamsim_price(recording, stray, &error));
    assert_int_equal(error.status, FOAMSIM_WRONG);
    has("per_batch");
    priced = foamsim_price(recording, base, &error);
    assert_non_null(priced);
    foamsim_close(priced);
    foamsim_forget(stray);
    foamsim_close_recording(recording);
    assert_null(foamsim_open_recording("recorded/summary.json", &error));
    assert_int_equal(error.status, FOAMSIM_WRONG);
    foamsim_forget(base);
}

enum { PRICERS = 4, PRICES = 40 };

/* Seconds are cycles over the clock, whoever prices what beside it. */
static void *price_many(void *wrong) {
    foamsim_error why;
    foamsim_experiment *base = foamsim_load("small.yaml", NULL, &why);
    foamsim_recording *recording = foamsim_open_recording("small.activity", &why);
    for (int i = 0; i < PRICES; i++) {
        char set[64];
        const double clock = 1e9 + 1e7 * i;
        snprintf(set, sizeof set, "machine.clock=%.17g Hz", clock);
        const char *const sets[] = {set, NULL};
        foamsim_experiment *e = foamsim_change(base, sets, &why);
        foamsim_folder *priced = foamsim_price(recording, e, &why);
        foamsim_figure seconds, cycles;
        foamsim_forget(e);
        *(bool *)wrong |= priced == NULL || !foamsim_get(priced, "device.seconds", &seconds) ||
                          !foamsim_get(priced, "device.cycles", &cycles) ||
                          fabs(seconds.number * clock / cycles.number - 1) > 1e-12;
        foamsim_close(priced);
    }
    foamsim_close_recording(recording);
    foamsim_forget(base);
    return NULL;
}

TEST(threads_price_side_by_side) {
    pthread_t thread[PRICERS];
    bool wrong[PRICERS] = {false};
    for (int i = 0; i < PRICERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, price_many, &wrong[i]), 0);
    for (int i = 0; i < PRICERS; i++) {
        assert_int_equal(pthread_join(thread[i], NULL), 0);
        assert_false(wrong[i]);
    }
}

/* A host program whose user writes 1,5 reads, changes, prices and asks as any other, and keeps its locale. */
TEST(a_comma_of_the_host_changes_nothing) {
    setenv("LOCPATH", ".", 1);
    if (system("localedef -c -i de_DE -f UTF-8 ./de_DE.UTF-8 >localedef.log 2>&1") != 0 ||
        setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        print_message("no locale with a comma can be made here (Debian's package locales)\n");
        skip();
    }
    char words[16];
    snprintf(words, sizeof words, "%.1f", 1.5);
    assert_string_equal(words, "1,5");
    bool wrong = false;
    price_many(&wrong);
    assert_false(wrong);
    static const char *const sets[] = {"machine.clock=1.85 GHz", NULL};
    foamsim_experiment *e = load(sets);
    assert_non_null(strstr(foamsim_resolved(e), "clock: 1.85 GHz"));
    foamsim_forget(e);
    foamsim_folder *run = foamsim_open("recorded", &error);
    foamsim_figure seconds;
    assert_true(run != NULL && foamsim_get(run, "device.seconds", &seconds));
    const foamsim_table *t = foamsim_table_of(run, "stats.csv", &error);
    bool found = false;
    for (size_t row = 0; row < foamsim_rows(t); row++)
        for (size_t column = 0; column < foamsim_columns(t); column++)
            found |= foamsim_number(t, row, column) == seconds.number;
    assert_true(found);
    foamsim_close(run);
    snprintf(words, sizeof words, "%.1f", 1.5);
    assert_string_equal(words, "1,5");
    setlocale(LC_ALL, "C");
}

static int enter(void **state) {
    char here[2048], from[4096], program[4096];
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    const char *named = getenv("FOAMSIM");
    snprintf(program, sizeof program, "%s%s%s", named != NULL && named[0] == '/' ? "" : here,
             named != NULL && named[0] == '/' ? "" : "/", named != NULL ? named : "build/foamsim");
    setenv("FOAMSIM", program, 1);
    setenv("FOAMSIM_DATA", here, 1);
    snprintf(from, sizeof from, "%s/tests/system/small.yaml", here);
    if (scratch_enter(state) != 0)
        return 1;
    return symlink(from, "small.yaml");
}

RUN_TESTS(enter, scratch_leave)
