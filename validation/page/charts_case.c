/* The tables of the paper as charts: a figure along x, a line for each series; and its errors, cell by cell.
 * What is published as a trend alone has a chart of what is simulated. */
#include "sim/base/arith.h"
#include "validation/page/charts.h"

#include <math.h>
#include <string.h>

enum { MOST_SERIES = 8, MOST_LEVELS = 40 };

/* The figures of one statistic of a case that stand in its chart. */
typedef struct chart {
    const fs_validation_case *of;
    const char *figure, *unit;
    const fs_claim *trend;                      /* NULL: values are published */
    double x[MOST_LEVELS], series[MOST_SERIES]; /* ascending */
    size_t xs, lines;
    const fs_claim *at[MOST_SERIES][MOST_LEVELS]; /* NULL: none */
} chart;

static bool same(double a, double b) {
    return !(a < b || a > b); /* NAN: no series */
}

/* The place of a value in an ascending list, put in if it is new; `most` when there is no room. */
static size_t place(double *list, size_t *count, size_t most, double value) {
    size_t i = 0;
    while (i < *count && list[i] < value)
        i++;
    if (i < *count && same(list[i], value))
        return i;
    if (*count == most)
        return most;
    memmove(&list[i + 1], &list[i], (*count - i) * sizeof *list);
    list[i] = value;
    ++*count;
    return i;
}

/* A figure of a variant that has a place along x. */
static void put_claim(chart *q, const fs_claim *c) {
    const fs_variant *v = fs_claim_variant(q->of, c);
    const size_t x = place(q->x, &q->xs, MOST_LEVELS, v->x),
                 line = place(q->series, &q->lines, MOST_SERIES, v->series);
    if (x < q->xs && line < q->lines)
        q->at[line][x] = c;
}

typedef struct claim_list {
    const fs_claim **claim; /* [count] those of one statistic that have a place along x */
    size_t count;
    const fs_claim *trend; /* whose steps they are; NULL: published values */
} claim_list;

static void list_claim(claim_list *list, const fs_validation_case *of, const fs_claim *c,
                       const char *figure) {
    const fs_variant *variant = fs_claim_variant(of, c);
    if (strcmp(c->figure, figure) == 0 && variant != NULL && !isnan(variant->x))
        list->claim[list->count++] = c;
}

/* Published values, or where there are none the steps of a trend. */
static claim_list claims_of(fs_arena *arena, const fs_validation_case *of, const char *figure) {
    size_t most = of->claim_count;
    for (size_t i = 0; i < of->claim_count; i++)
        most += of->claims[i].step_count;
    claim_list list = {.claim = FS_NEW(arena, const fs_claim *, most + 1)};
    for (size_t i = 0; i < of->claim_count; i++)
        if (of->claims[i].use != FS_USE_BEHAVIOUR)
            list_claim(&list, of, &of->claims[i], figure);
    for (size_t i = 0; i < of->claim_count && list.count == 0; i++) {
        for (size_t k = 0; k < of->claims[i].step_count; k++)
            list_claim(&list, of, &of->claims[i].steps[k], figure);
        list.trend = list.count == 0 ? NULL : &of->claims[i];
    }
    return list;
}

/* The chart of a statistic; false: it is none (fewer than two places along x). */
static bool make_chart(fs_arena *arena, chart *q, const fs_validation_case *of, const char *figure) {
    const claim_list list = claims_of(arena, of, figure);
    *q = (chart){.of = of, .figure = figure, .unit = "", .trend = list.trend};
    for (size_t i = 0; i < list.count; i++) { /* all places first: a new one moves those after it */
        const fs_variant *v = fs_claim_variant(of, list.claim[i]);
        place(q->x, &q->xs, MOST_LEVELS, v->x);
        place(q->series, &q->lines, MOST_SERIES, v->series);
        q->unit = list.claim[i]->unit;
    }
    bool positive = false; /* for a logarithmic axis */
    for (size_t i = 0; i < list.count; i++) {
        put_claim(q, list.claim[i]);
        positive = positive || list.claim[i]->published > 0 || list.claim[i]->median > 0;
    }
    return q->xs > 1 && positive;
}

void fs_validation_list_cases(fs_validation_sheet *p, fs_validation_kind kind) {
    chart *q = FS_NEW(p->arena, chart, 1);
    for (size_t i = 0; i < p->v->case_count; i++) {
        const fs_validation_case *of = &p->v->cases[i];
        for (size_t j = 0; j < of->claim_count && of->x_name != NULL; j++) {
            const char *figure = of->claims[j].figure;
            bool seen = false;
            for (size_t k = 0; k < j; k++)
                seen = seen || strcmp(of->claims[k].figure, figure) == 0;
            if (seen || !make_chart(p->arena, q, of, figure) ||
                (kind == FS_VALIDATION_ERRORS && (q->lines < 2 || q->trend != NULL)))
                continue;
            fs_validation_list(p, (fs_validation_chart){.kind = kind, .of = of, .figure = figure}, of->name,
                               kind == FS_VALIDATION_ERRORS ? "errors" : fs_validation_word(figure));
        }
    }
}

/* "per batch" of the key "per_batch". */
static const char *spaced(fs_arena *arena, const char *key) {
    char *out = fs_arena_strdup(arena, key);
    for (char *c = out; *c != '\0'; c++)
        if (*c == '_')
            *c = ' ';
    return out;
}

static const char *series_name(fs_arena *arena, const chart *q) {
    return q->of->series_name == NULL ? "" : spaced(arena, q->of->series_name);
}

/* Values as names of tics: [count] "0", "100". */
static const fs_values *named(fs_validation_sheet *p, const double *at, size_t count) {
    const char **name = FS_NEW(p->arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        name[i] = fs_arena_printf(p->arena, "%.9g", at[i]);
    return fs_values_words(p->sheet, name, count);
}

/* ---- lines ---- */

/* A line with its dots: of what is published dashed, with rings. */
static void put_through(fs_validation_sheet *p, fs_panel *panel, const fs_claim_marks *marks,
                        const char *label, const char *colour, bool published) {
    if (marks->count == 0)
        return;
    fs_chart_series *line = fs_panel_series(p->sheet, panel, FS_DRAW_LINE, label, NULL);
    line->colour = colour;
    line->width = 1.8;
    line->dash = published;
    line->x = fs_values_reals(p->sheet, marks->x, marks->count);
    line->y = fs_values_reals(p->sheet, marks->y, marks->count);
    fs_chart_series *dots = fs_validation_dots(p, panel, marks, NULL, colour);
    if (published)
        dots->hollow = fs_values_steps(p->sheet, 1, 0, marks->count);
}

static const char *range_name(const fs_validation *v) {
    return v->drawn ? "the range that holds four fifths of the draws" : "the range over stand-ins";
}

/* Medians with their range, and what is published, along x. */
static void put_line(fs_validation_sheet *p, fs_panel *panel, const chart *q, size_t k, fs_range *r) {
    fs_claim_marks published = fs_validation_marks(p), median = fs_validation_marks(p);
    const bool alone = q->lines == 1;
    for (size_t i = 0; i < q->xs; i++) {
        const fs_claim *c = q->at[k][i];
        if (c == NULL)
            continue;
        const double all[] = {c->published, c->median, c->low, c->high};
        for (size_t n = 0; n < FS_COUNT(all); n++)
            fs_range_widen(r, all[n]);
        fs_validation_mark(p, &median, c, q->x[i], c->median);
        if (q->trend == NULL)
            fs_validation_mark(p, &published, c, q->x[i], c->published);
    }
    const char *colour = fs_arena_printf(p->arena, "series-%zu", k);
    if (alone && median.count > 0) {
        fs_chart_series *band = fs_panel_series(p->sheet, panel, FS_DRAW_BAND, range_name(p->v), NULL);
        band->colour = colour;
        band->x = fs_values_reals(p->sheet, median.x, median.count);
        band->low = fs_values_reals(p->sheet, median.low, median.count);
        band->high = fs_values_reals(p->sheet, median.high, median.count);
    } else
        fs_validation_bars(p, panel, &median, colour);
    put_through(p, panel, &published, alone ? "published" : NULL, alone ? "series-1" : colour, true);
    put_through(p, panel, &median,
                alone ? "median"
                      : fs_arena_printf(p->arena, "%s %.9g", series_name(p->arena, q),
                                        isnan(q->series[k]) ? 0 : q->series[k]),
                colour, false);
}

/* What a chart shows; of a trend what was published. */
static const char *marks_of(const fs_validation_sheet *p, const chart *q) {
    const char *standins = fs_words_count(p->arena, q->of->standin_count, "stand-in");
    if (q->trend != NULL)
        return fs_arena_printf(p->arena, "Median and range over %s. Published is the trend alone: %s. %s.",
                               standins, q->trend->name,
                               q->trend->reached ? "It does on all of them" : "Not on all of them");
    return fs_arena_printf(p->arena,
                           q->lines > 1 ? "Rings, dashed: published. Dots, solid: median over %s; bars: %s."
                                        : "Median over %s, and %s.",
                           p->v->drawn ? "the draws" : standins, range_name(p->v));
}

/* What is drawn, and what is not there to be drawn. */
static const char *caption_of(const fs_validation_sheet *p, const chart *q) {
    size_t missing = 0;
    const char *why = "", *marks = marks_of(p, q);
    for (size_t i = 0; i < q->xs * q->lines; i++) {
        const fs_claim *c = q->at[i / q->xs][i % q->xs];
        if (c == NULL || fs_claim_there(c))
            continue;
        if (missing++ == 0)
            why = fs_claim_first_why(c, p->arena);
    }
    return missing == 0 ? marks
                        : fs_arena_printf(p->arena, "%s Missing: %s (%s).", marks,
                                          fs_words_count(p->arena, missing, "figure"), why);
}

void fs_validation_draw_lines(fs_validation_sheet *p, const fs_validation_chart *of) {
    fs_range r = {INFINITY, 0};
    chart *q = FS_NEW(p->arena, chart, 1);
    make_chart(p->arena, q, of->of, of->figure);
    const fs_paper_figure *measured = fs_paper_measure(p->v->paper, q->figure);
    const char *what = measured != NULL ? measured->one : fs_validation_word(q->figure);
    const bool in_unit = measured != NULL && measured->priced && q->unit[0] != '\0';
    fs_chart *drawn = fs_sheet_chart(
        p->sheet, of->id, fs_arena_printf(p->arena, "%s: %s", q->of->source, what), caption_of(p, q));
    fs_panel *panel = fs_chart_panel(p->sheet, drawn, NULL);
    for (size_t k = 0; k < q->lines; k++)
        put_line(p, panel, q, k, &r);
    const double space = 0.05 * (q->x[q->xs - 1] - q->x[0]);
    drawn->half = true;
    panel->tall = 240;
    panel->x = (fs_axis){.label = spaced(p->arena, q->of->x_name),
                         .low = q->x[0] - space,
                         .high = q->x[q->xs - 1] + space,
                         .tics = fs_values_reals(p->sheet, q->x, q->xs),
                         .names = named(p, q->x, q->xs)};
    panel->y = (fs_axis){
        .label = fs_arena_printf(p->arena, "%s%s%s", what, in_unit ? ", " : "", in_unit ? q->unit : ""),
        .low = r.low / 1.06,
        .high = r.high * 1.06,
        .log = true};
}

/* ---- errors ---- */

void fs_validation_draw_errors(fs_validation_sheet *p, const fs_validation_chart *of) {
    chart *q = FS_NEW(p->arena, chart, 1);
    double reach = 10;
    make_chart(p->arena, q, of->of, of->figure);
    fs_claim_marks cell = fs_validation_marks(p);
    double *error = FS_NEW(p->arena, double, q->xs * q->lines);
    const char **text = FS_NEW(p->arena, const char *, q->xs * q->lines);
    for (size_t k = 0; k < q->lines; k++)
        for (size_t i = 0; i < q->xs; i++) {
            const fs_claim *c = q->at[k][i];
            if (c == NULL)
                continue;
            error[cell.count] = 100 * c->error;
            reach = fmax(reach, fabs(100 * c->error));
            text[cell.count] =
                isnan(c->error) ? "missing" : fs_arena_printf(p->arena, "%+.1f", 100 * c->error);
            fs_validation_mark(p, &cell, c, (double)i, (double)k);
        }
    fs_chart *drawn = fs_sheet_chart(
        p->sheet, of->id, fs_arena_printf(p->arena, "%s: error of each cell", q->of->source),
        "Per cent of the published value. Orange: simulated slower than published; blue: faster.");
    fs_panel *panel = fs_chart_panel(p->sheet, drawn, NULL);
    drawn->half = true;
    panel->tall = 40 * (double)q->lines;
    panel->colours = FS_COLOURS_DIFFERENCE;
    panel->colour = (fs_axis){.label = "error, %", .low = -reach, .high = reach};
    panel->x = (fs_axis){.label = spaced(p->arena, q->of->x_name),
                         .low = -0.5,
                         .high = (double)q->xs - 0.5,
                         .names = named(p, q->x, q->xs)};
    panel->y = (fs_axis){.label = series_name(p->arena, q),
                         .low = -0.5,
                         .high = (double)q->lines - 0.5,
                         .names = named(p, q->series, q->lines),
                         .down = true};
    fs_chart_series *cells = fs_panel_series(p->sheet, panel, FS_DRAW_CELLS, "error", "%");
    cells->x = fs_values_reals(p->sheet, cell.x, cell.count);
    cells->y = fs_values_reals(p->sheet, cell.y, cell.count);
    cells->value = fs_values_reals(p->sheet, error, cell.count);
    cells->texts = fs_values_words(p->sheet, text, cell.count);
    cells->points = p->claims;
    cells->at = fs_values_whole(p->sheet, cell.at, cell.count, 1);
}
