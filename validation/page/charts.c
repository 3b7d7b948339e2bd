/* The charts of a validation: which exist, under which ids, and what marks of figures show. */
#include "validation/page/charts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- which exist ---- */

const char *fs_validation_word(const char *figure) {
    const char *dot = strrchr(figure, '.');
    if (strstr(figure, " / ") != NULL)
        return "quotient";
    return dot == NULL ? figure : dot + 1;
}

static bool taken(const fs_validation_sheet *p, const char *id) {
    for (size_t i = 0; i < p->charts; i++)
        if (strcmp(p->chart[i].id, id) == 0)
            return true;
    return false;
}

void fs_validation_list(fs_validation_sheet *p, fs_validation_chart chart, const char *of, const char *word) {
    char *name = (char *)(uintptr_t)fs_arena_printf(p->arena, "%.14s-%.12s", of, word);
    for (char *c = name; *c != '\0'; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    chart.id = name;
    for (unsigned i = 2; taken(p, chart.id); i++)
        chart.id = fs_arena_printf(p->arena, "%s-%u", name, i);
    fs_validation_chart *all = FS_NEW(p->arena, fs_validation_chart, p->charts + 1);
    if (p->charts > 0)
        memcpy(all, p->chart, p->charts * sizeof *all);
    all[p->charts++] = chart;
    p->chart = all;
}

const fs_validation_chart *fs_validation_next(const fs_validation_sheet *p, fs_validation_kind kind,
                                              const fs_validation_case *of,
                                              const fs_validation_chart *after) {
    for (size_t i = after == NULL ? 0 : (size_t)(after - p->chart) + 1; i < p->charts; i++)
        if (p->chart[i].kind == kind && (of == NULL || p->chart[i].of == of))
            return &p->chart[i];
    return NULL;
}

fs_status fs_validation_draw(fs_validation_sheet *p, const fs_validation_chart *chart, fs_error *err) {
    static void (*const draw[])(fs_validation_sheet *, const fs_validation_chart *) = {
        fs_validation_draw_scatter, fs_validation_draw_lines, fs_validation_draw_errors,
        fs_validation_draw_tornado};
    if (chart->kind == FS_VALIDATION_MAP)
        return fs_validation_draw_map(p, chart, err);
    draw[chart->kind](p, chart);
    return FS_OK;
}

/* ---- figures under the pointer ---- */

static void add_claim(fs_validation_sheet *p, const fs_validation_case *of, const fs_claim *c,
                      const char **name) {
    name[p->claim_count] = fs_claim_there(c) ? fs_arena_printf(p->arena, "%s: %s", of->title, c->name)
                                             : fs_arena_printf(p->arena, "%s: %s; missing: %s", of->title,
                                                               c->name, fs_claim_why(c));
    p->claim[p->claim_count++] = c;
}

/* A figure of each claim in words, under the pointer. */
static void tell(fs_validation_sheet *p, fs_panel *told, const char *what,
                 const char *(*words)(fs_arena *arena, const fs_claim *c)) {
    const char **text = FS_NEW(p->arena, const char *, p->claim_count + 1);
    for (size_t i = 0; i < p->claim_count; i++)
        if (words(p->arena, p->claim[i]) != NULL)
            text[i] = fs_arena_printf(p->arena, "%s: %s", what, words(p->arena, p->claim[i]));
    fs_panel_series(p->sheet, told, FS_DRAW_TOLD, NULL, NULL)->texts =
        fs_values_words(p->sheet, text, p->claim_count);
}

static const char *published(fs_arena *arena, const fs_claim *c) {
    return isnan(c->published) ? NULL : fs_words_value(arena, c->published, c->unit);
}

static const char *simulated(fs_arena *arena, const fs_claim *c) {
    return isnan(c->median) ? NULL : fs_words_value(arena, c->median, c->unit);
}

static const char *of_standins(fs_arena *arena, const fs_claim *c) {
    return isnan(c->low) ? NULL : fs_words_range(arena, c->low, c->high);
}

static const char *error(fs_arena *arena, const fs_claim *c) {
    return isnan(c->error) ? NULL : fs_words_change(arena, c->error);
}

/* All figures, steps of trends among them, once for all charts. */
static void list_claims(fs_validation_sheet *p) {
    size_t most = 0;
    for (size_t i = 0; i < p->v->case_count; i++)
        for (size_t j = 0; j < p->v->cases[i].claim_count; j++)
            most += 1 + p->v->cases[i].claims[j].step_count;
    const char **name = FS_NEW(p->arena, const char *, most + 1);
    p->claim = FS_NEW(p->arena, const fs_claim *, most + 1);
    for (size_t i = 0; i < p->v->case_count; i++)
        for (size_t j = 0; j < p->v->cases[i].claim_count; j++) {
            const fs_claim *c = &p->v->cases[i].claims[j];
            add_claim(p, &p->v->cases[i], c, name);
            for (size_t k = 0; k < c->step_count; k++)
                add_claim(p, &p->v->cases[i], &c->steps[k], name);
        }
    fs_panel *told = NULL;
    p->claims = fs_sheet_points(p->sheet, "claims", fs_values_words(p->sheet, name, p->claim_count), &told);
    tell(p, told, "published", published);
    tell(p, told, "simulated", simulated);
    tell(p, told, "stand-ins", of_standins);
    tell(p, told, "error", error);
}

fs_validation_sheet fs_validation_sheet_of(const fs_validation *v, fs_arena *arena, const char *title) {
    fs_validation_sheet p = {.v = v, .arena = arena, .sheet = fs_sheet_create(title)};
    list_claims(&p);
    fs_validation_list_scatter(&p);
    fs_validation_list_cases(&p, FS_VALIDATION_LINES);
    fs_validation_list_cases(&p, FS_VALIDATION_ERRORS);
    for (size_t i = 0; i < v->case_count; i++)
        if (v->cases[i].sensitivity_count > 0)
            fs_validation_list(&p, (fs_validation_chart){.kind = FS_VALIDATION_TORNADO, .of = &v->cases[i]},
                               v->cases[i].name, "tornado");
    fs_validation_list_maps(&p);
    return p;
}

/* ---- marks of figures ---- */

fs_claim_marks fs_validation_marks(const fs_validation_sheet *p) {
    const size_t most = p->claim_count + 1;
    return (fs_claim_marks){.x = FS_NEW(p->arena, double, most),
                            .y = FS_NEW(p->arena, double, most),
                            .low = FS_NEW(p->arena, double, most),
                            .high = FS_NEW(p->arena, double, most),
                            .at = FS_NEW(p->arena, int64_t, most)};
}

void fs_validation_mark(const fs_validation_sheet *p, fs_claim_marks *marks, const fs_claim *claim, double x,
                        double y) {
    size_t at = 0;
    while (at < p->claim_count && p->claim[at] != claim)
        at++;
    if (isnan(y))
        return;
    marks->x[marks->count] = x;
    marks->y[marks->count] = y;
    marks->low[marks->count] = claim->low > 0 ? claim->low : claim->median;
    marks->high[marks->count] = claim->high > 0 ? claim->high : claim->median;
    marks->at[marks->count++] = (int64_t)at;
}

fs_chart_series *fs_validation_dots(fs_validation_sheet *p, fs_panel *panel, const fs_claim_marks *marks,
                                    const char *label, const char *colour) {
    if (marks->count == 0)
        return NULL;
    fs_chart_series *q = fs_panel_series(p->sheet, panel, FS_DRAW_DOTS, label, NULL);
    q->colour = colour;
    q->x = fs_values_reals(p->sheet, marks->x, marks->count);
    q->y = fs_values_reals(p->sheet, marks->y, marks->count);
    q->points = p->claims;
    q->at = fs_values_whole(p->sheet, marks->at, marks->count, 1);
    return q;
}

void fs_validation_bars(fs_validation_sheet *p, fs_panel *panel, const fs_claim_marks *marks,
                        const char *colour) {
    if (marks->count == 0)
        return;
    fs_chart_series *q = fs_panel_series(p->sheet, panel, FS_DRAW_RANGE, NULL, NULL);
    q->colour = colour;
    q->x = fs_values_reals(p->sheet, marks->x, marks->count);
    q->low = fs_values_reals(p->sheet, marks->low, marks->count);
    q->high = fs_values_reals(p->sheet, marks->high, marks->count);
}

void fs_range_widen(fs_range *r, double value) {
    if (!(value > 0))
        return;
    r->low = value < r->low ? value : r->low;
    r->high = value > r->high ? value : r->high;
}
