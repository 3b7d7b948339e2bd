/* Pages of stores and validations whose names somebody else chose: no text of theirs is run, and per cent
 * signs are letters. */
#include "registry/registry.h"
#include "reports/study/study_page.h"
#include "sim/store/store.h"
#include "tests/support/foreign/foreign_case.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/pages/validation_case.h"
#include "tests/support/scratch.h"
#include "tests/support/sweep/sweep_case.h"
#include "tests/support/test.h"
#include "validation/page/page.h"

#include <unistd.h>

static char canary[4200];

static int setup(void **state) {
    char here[4096];
    if (getcwd(here, sizeof here) == NULL)
        return 1;
    setenv("FOAMSIM_DATA", here, 1);
    if (scratch_enter(state) != 0 || getcwd(here, sizeof here) == NULL)
        return 1;
    snprintf(canary, sizeof canary, "%s/canary", here);
    return 0;
}

static double product(const size_t *at) {
    return 1 + (double)at[0] * (double)(at[1] + 2);
}

static double sum(const size_t *at) {
    return 1 + (double)at[0] + (double)at[1];
}

/* The page of a sweep of 3 x 4 points whose every name is `text`; words for values, or numbers with a unit. */
static void page_of_a_sweep(const char *text, bool numbers) {
    const size_t levels[] = {3, 4};
    sweep_case_figure *const figures[] = {product, sum};
    fs_error err = {0};
    fs_arena *arena = test_arena();
    sweep_case *c = sweep_case_cross(arena, levels, 2, figures, 2);
    const char **axes = FS_NEW(arena, const char *, 2);
    for (size_t i = 0; i < 2; i++)
        axes[i] = fs_arena_printf(arena, "%zu %s", i, text);
    c->sweep.axes = axes;
    c->sweep.name = text;
    for (size_t p = 0; p < c->sweep.point_count; p++) {
        c->point[p].label = text;
        for (size_t i = 0; i < 2; i++)
            if (!numbers) {
                fs_store_setting *s = &c->setting[2 * p + i];
                s->value = fs_arena_printf(arena, "%s %s", s->value, text);
                s->number = (double)NAN;
            }
        for (size_t i = 0; i < 2; i++)
            c->figure[2 * p + i].unit = text;
    }
    const fs_study *s = fs_study_of(&c->sweep, &fs_registry_all, arena);
    if (fs_study_write_page(s, text, "study.html", 0, &err) != FS_OK)
        fail_msg("%s: %s", text, err.text);
    if (scratch_there(canary))
        fail_msg("a command was run: %s", text);
}

TEST(no_text_of_a_store_is_run) {
    size_t texts = 0;
    char **text = foreign_texts(canary, &texts);
    for (size_t t = 0; t < texts; t++) {
        page_of_a_sweep(text[t], t % 2 == 1);
        free(text[t]);
    }
    free(text);
}

TEST(per_cent_signs_are_letters) {
    page_of_a_sweep("50 %", false);
    page_of_a_sweep("%s %d %h %", false);
    page_of_a_sweep("%", true);
}

TEST(no_text_of_a_case_is_run) {
    size_t texts = 0;
    char **text = foreign_texts(canary, &texts);
    for (size_t t = 0; t < texts; t += 3) {
        fs_error err = {0};
        fs_arena *arena = test_arena();
        const validation_case_spec spec = {.bicycles = 1, .gardens = 1};
        fs_validation *v = validation_case(arena, &spec);
        for (size_t i = 0; i < v->case_count; i++) {
            fs_validation_case *c = &v->cases[i];
            c->title = c->source = c->x_name = c->series_name = text[t];
            for (size_t k = 0; k < c->sensitivity_count; k++)
                c->sensitivities[k].key = c->sensitivities[k].low = c->sensitivities[k].high = text[t];
        }
        if (fs_validation_page(v, "page", &err) != FS_OK ||
            (have_program("gnuplot") && fs_validation_document(v, "page", "docs", &err) != FS_OK))
            fail_msg("%s: %s", text[t], err.text);
        if (scratch_there(canary))
            fail_msg("a command was run: %s", text[t]);
        if (have_program("gnuplot"))
            foreign_scripts_are_plain("page/pictures");
    }
    for (size_t t = 0; t < texts; t++)
        free(text[t]);
    free(text);
}

RUN_TESTS(setup, scratch_leave)
