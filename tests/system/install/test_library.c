/* foamsim.h against the program and a real run: what it loads, runs, stops, reads and refuses. */
#include "api/foamsim.h"
#include "tests/support/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static foamsim_error error;

static void has(const char *part) {
    if (strstr(error.text, part) == NULL)
        fail_msg("\"%s\" is not in: %s", part, error.text);
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

static void a_run_is_made_and_read(void **state) {
    (void)state;
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

static void what_is_wrong_is_said(void **state) {
    (void)state;
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
    char *program = strdup(getenv("FOAMSIM"));
    setenv("FOAMSIM", "/nowhere/foamsim", 1);
    assert_null(foamsim_load("small.yaml", NULL, &error));
    assert_int_equal(error.status, FOAMSIM_FAILED);
    has("/nowhere/foamsim cannot be started");
    setenv("FOAMSIM", program, 1);
    free(program);
}

static void a_run_can_be_stopped(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_made_and_read),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(a_run_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, enter, scratch_leave);
}
