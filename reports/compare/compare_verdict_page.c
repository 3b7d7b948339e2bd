/* What comes first on a comparison's page: the verdict, run by run, and why in a few words; and on one
 * page what to build. */
#include "reports/boss/boss.h"
#include "reports/compare/compare_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

static void put_sentences(fs_sheet *sheet, const fs_verdict *verdict) {
    if (verdict->count == 0)
        return;
    fs_sheet_list(sheet, true, "findings");
    for (size_t i = 0; i < verdict->count; i++)
        fs_sheet_item(sheet, NULL, "%s", verdict->sentences[i].text);
    fs_sheet_end(sheet);
}

/* Seconds of a run in so many of its cycles. */
static double seconds_of(const fs_compare *c, size_t run, const char *cycles) {
    return fs_compare_number(c, run, cycles) / fs_compare_number(c, run, "device.cycles") *
           fs_compare_number(c, run, "device.seconds");
}

/* What binds a run, by the figure that says so; NULL: none does. */
static const char *binds(const fs_compare *c, size_t run) {
    static const char end[] = ".binds";
    for (size_t i = 0; i < c->figure_count; i++) {
        const fs_compare_figure *f = &c->figures[i];
        const size_t length = strlen(f->name);
        if (length > sizeof end && strcmp(f->name + length - (sizeof end - 1), end) == 0 &&
            f->values[run] != NULL && f->values[run]->kind == FS_FIGURE_WORD)
            return f->values[run]->text;
    }
    return NULL;
}

/* In a few words: clock, iterations, and the phase of the device whose time changed most; of other work what
 * comes of it. */
static const char *why(const fs_compare *c, size_t run) {
    if (c->works_differ && c->runs[run].other_work[0] != '\0')
        return c->work != NULL ? c->runs[run].other_work
                               : fs_arena_printf(c->arena, "other work: %s", c->runs[run].other_work);
    const char *text = "";
    double most = 0, percent = 0;
    const char *phase = NULL;
    for (size_t k = 0; k < FS_TIME_PHASES; k++) {
        const char *name = fs_time_phases[k].figure;
        const double a = seconds_of(c, c->base, name), b = seconds_of(c, run, name);
        if (fabs(b - a) > most && a > 0) {
            most = fabs(b - a);
            percent = 100 * (b / a - 1);
            phase = fs_time_phases[k].words;
        }
    }
    const double a = fs_compare_number(c, c->base, "device.iterations"),
                 b = fs_compare_number(c, run, "device.iterations");
    const double clock =
        fs_compare_number(c, run, "device.cycles") / fs_compare_number(c, run, "device.seconds") /
        (fs_compare_number(c, c->base, "device.cycles") / fs_compare_number(c, c->base, "device.seconds"));
    if (fabs(clock - 1) > 0.001)
        text = fs_arena_printf(c->arena, "clock %s; ", fs_number_change(clock - 1));
    if (b > a || b < a)
        text = fs_arena_printf(c->arena, "%siterations %s; ", text, fs_number_change(b / a - 1));
    if (phase != NULL)
        return fs_arena_printf(c->arena, "%smost in %s: %s", text, phase, fs_number_change(percent / 100));
    if (binds(c, run) != NULL)
        return fs_arena_printf(c->arena, "%sbound by %s", text, binds(c, run));
    return text[0] == '\0' ? "the same in every phase"
                           : fs_arena_printf(c->arena, "%sno phase differs", text);
}

/* Shares of a limit, such as that of a chip's area, of the main table [at most `room`]. */
static size_t limits_of(const fs_compare *c, const fs_compare_figure **limit, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < c->main_count && count < room; i++)
        if (c->main[i]->row->held != NULL && fs_compare_find(c, c->main[i]->row->held) != NULL)
            limit[count++] = c->main[i];
    return count;
}

/* "2,919 mm2 (340 %)": what a limit holds, and its share of the limit, if there is one. */
static void put_held(const fs_compare *c, fs_rows *to, const fs_compare_figure *limit, size_t run) {
    const fs_compare_figure *held = fs_compare_find(c, limit->row->held);
    const double value = fs_compare_number(c, run, held->name),
                 share = fs_compare_number(c, run, limit->name);
    const char *text = fs_number_with(value, held->unit);
    fs_cell_number(
        to, share > 0 ? fs_arena_printf(c->arena, "%s (%s %%)", text, fs_number_short(100 * share, 3)) : text,
        value);
}

/* Run, time, change, why: the sentences stand behind a fold. */
static void put_verdict_table(const fs_compare *c, fs_sheet *sheet) {
    enum { LIMITS = 4 };
    const fs_compare_figure *f = fs_compare_decides(c), *limit[LIMITS];
    if (f == NULL)
        return;
    const size_t limits = limits_of(c, limit, LIMITS);
    fs_rows_column columns[4 + LIMITS] = {{.name = "run"},
                                          {.name = f->label, .number = true},
                                          {.name = "change", .number = true, .hint = "against the base"}};
    for (size_t k = 0; k < limits; k++)
        columns[3 + k] = (fs_rows_column){.name = fs_compare_find(c, limit[k]->row->held)->label,
                                          .number = true,
                                          .hint = "in brackets its share of the limit"};
    columns[3 + limits] =
        (fs_rows_column){.name = "why", .hint = "clock, iterations, and the phase whose time changed most"};
    fs_rows *to = fs_sheet_table_of(sheet, NULL, columns, 4 + limits);
    for (size_t i = 0; i < c->count; i++) {
        const size_t run = fs_compare_place(c, i);
        const double value = fs_compare_number(c, run, f->name);
        fs_rows_add(to);
        fs_cell_head(to, "%s", fs_compare_head(c, i));
        fs_cell_number(to, fs_compare_decided(c, value), value);
        if (i == 0)
            fs_cell(to, "");
        else
            fs_compare_put_difference(c, to, f, run);
        for (size_t k = 0; k < limits; k++)
            put_held(c, to, limit[k], run);
        fs_cell(to, i == 0 && binds(c, run) == NULL ? "" : why(c, run));
    }
}

void fs_compare_put_verdict(const fs_compare *c, fs_sheet *sheet) {
    fs_sheet_section(sheet, "verdict", "Verdict", NULL);
    const fs_verdict *said = &c->verdicts[c->base];
    if (said->count == 0 && c->count == 2)
        said = &c->verdicts[fs_compare_place(c, 1)];
    if (said->count > 0) /* of other work: how it differs, and how fast each is at it */
        fs_sheet_headline(
            sheet, c->works_differ && said->count > 1
                       ? fs_arena_printf(c->arena, "%s %s", said->sentences[0].text, said->sentences[1].text)
                       : said->sentences[0].text);
    fs_compare_named_rows(c, sheet);
    if (c->matrix == NULL) {
        put_verdict_table(c, sheet);
        fs_sheet_fold(sheet, false, "Why, in sentences: %s",
                      c->count == 2 ? "iterations, phases, tiles, what moved" : "run by run");
    }
    put_sentences(sheet, &c->verdicts[c->base]);
    for (size_t i = 1; i < c->count && c->matrix == NULL; i++) {
        const fs_verdict *verdict = &c->verdicts[fs_compare_place(c, i)];
        if (c->count > 2 && verdict->count > 0)
            fs_sheet_say_as(sheet, "h3", "%s", fs_compare_label(c, i));
        put_sentences(sheet, verdict);
    }
    if (c->matrix == NULL)
        fs_sheet_end(sheet);
}

/* ---- on one page ---- */

/* The runs that are best and second best by the figure that decides. */
static void best_two(const fs_compare *c, const char *name, size_t best[2]) {
    best[0] = best[1] = SIZE_MAX;
    for (size_t r = 0; r < c->count; r++) {
        const double value = fs_compare_number(c, r, name);
        if (isnan(value))
            continue;
        if (best[0] == SIZE_MAX || fs_compare_beats(c, value, fs_compare_number(c, best[0], name))) {
            best[1] = best[0];
            best[0] = r;
        } else if (best[1] == SIZE_MAX || fs_compare_beats(c, value, fs_compare_number(c, best[1], name)))
            best[1] = r;
    }
}

static void add_settings(const fs_compare *c, size_t run, size_t than, fs_boss_row *rows, size_t *count) {
    for (size_t k = 0; k < c->setting_count; k++) {
        const fs_compare_setting *s = &c->settings[k];
        const char *value = s->values[run];
        if (value == NULL) /* a key of another kind */
            continue;
        if (than == SIZE_MAX || s->values[than] == NULL || strcmp(value, s->values[than]) != 0)
            fs_boss_add(rows, count,
                        (fs_boss_row){fs_arena_printf(c->arena, "%s.%s", s->section, s->key), value, NULL});
    }
}

fs_status fs_compare_boss(const fs_compare *c, const char *file, fs_error *err) {
    const fs_compare_figure *f = fs_compare_decides(c);
    size_t best[2] = {SIZE_MAX, SIZE_MAX};
    if (f != NULL)
        best_two(c, f->name, best);
    if (best[0] == SIZE_MAX || best[1] == SIZE_MAX)
        return fs_fail(err, FS_INPUT, "--boss: the runs have no figure in common by which one could decide");
    const double a = fs_compare_number(c, best[0], f->name), b = fs_compare_number(c, best[1], f->name);
    const char *name = c->runs[best[0]].label, *other = c->runs[best[1]].label;
    fs_boss boss = {.name = fs_arena_printf(c->arena, "%zu runs compared", c->count),
                    .build = fs_arena_printf(c->arena, "Build this: %s", name),
                    .second = fs_arena_printf(c->arena, "Second best: %s", other)};
    boss.verdict = b != a ? fs_arena_printf(c->arena, "Build %s: %s %s, %s %s than %s", name, f->label,
                                            fs_compare_decided(c, a), fs_number_percent(fabs(1 - a / b)),
                                            a < b ? "less" : "more", other)
                          : fs_arena_printf(c->arena, "Build %s or %s: both have the same %s, %s", name,
                                            other, f->label, fs_compare_decided(c, a));
    add_settings(c, best[0], SIZE_MAX, boss.what, &boss.what_count);
    fs_boss_costs(&boss, c->arena, c->runs[best[0]].folder, c->plan,
                  best[0] == c->base ? NULL : c->runs[c->base].folder);
    fs_boss_add(boss.other, &boss.other_count,
                (fs_boss_row){f->label, fs_compare_decided(c, b),
                              fs_arena_strdup(c->arena, fs_number_change(b / a - 1))});
    add_settings(c, best[1], best[0], boss.other, &boss.other_count);
    fs_boss_say(&boss, fs_arena_printf(c->arena, "The baseline is %s.", c->runs[c->base].label));
    for (size_t r = 0; r < c->count; r++) {
        const fs_figure *complete = fs_folder_figure(c->runs[r].folder, FS_STAT_COMPLETE);
        if (complete != NULL && complete->value == 0)
            fs_boss_say(&boss, fs_arena_printf(c->arena, "%s did not come to its end.", c->runs[r].label));
    }
    fs_boss_say(
        &boss,
        "Both stand on the same model, so what they share does not decide; a sweep over them with --robust "
        "says in how many draws of what is uncertain the order stays.");
    fs_boss_say(&boss, "Ranges beside a figure take all prices of energy and area to their ends at once.");
    return fs_boss_write(&boss, file, err);
}
