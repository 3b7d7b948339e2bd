/* The tables of the paper as charts: a figure along x, a line for each series; and its errors, cell by cell.
 * What is published as a trend alone has a chart of what is simulated. */
#include "validation/page/pictures.h"

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

/* Calls `write` for each chart of each case. */
static fs_status for_charts(fs_validation_drawing *d,
                            fs_status (*write)(fs_validation_drawing *, const chart *, fs_error *),
                            fs_error *err) {
    chart *q = FS_NEW(d->arena, chart, 1);
    for (size_t i = 0; i < d->v->case_count; i++) {
        const fs_validation_case *of = &d->v->cases[i];
        for (size_t j = 0; j < of->claim_count && of->x_name != NULL; j++) {
            bool seen = false;
            for (size_t k = 0; k < j; k++)
                seen = seen || strcmp(of->claims[k].figure, of->claims[j].figure) == 0;
            if (!seen && make_chart(d->arena, q, of, of->claims[j].figure) && write(d, q, err))
                return err->status;
        }
    }
    return FS_OK;
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

/* "5 columns in a batch, 100 idle iterations after a frame" is too long: the figure's own name says it. */
static const char *label_of(fs_validation_drawing *d, const chart *q, const fs_claim *c) {
    return fs_arena_printf(d->arena, "%s: %s", q->of->source, c->name);
}

/* ---- lines ---- */

static void put_lines(fs_validation_drawing *d, fs_validation_picture *p, const chart *q, fs_range *r) {
    for (size_t k = 0; k < q->lines; k++) {
        fs_page_text_print(&d->text, "nan nan nan nan nan nan nan 0\n");
        for (size_t i = 0; i < q->xs; i++) {
            const fs_claim *c = q->at[k][i];
            if (c == NULL)
                continue;
            const double all[] = {c->published, c->median,        c->low,
                                  c->high,      c->uncertain_low, c->uncertain_high};
            fs_page_text_print(&d->text, "%.9g", q->x[i]);
            for (size_t n = 0; n < 6; n++) {
                if (n < 4 || q->lines == 1)
                    fs_range_widen(r, all[n]);
                fs_page_text_print(&d->text, " %.9g", all[n]);
            }
            fs_page_text_print(&d->text, " %d\n", c->saturated);
            if (q->trend == NULL)
                fs_validation_add_place(p->data, q->x[i], c->published, label_of(d, q, c), c);
            if (fs_claim_there(c))
                fs_validation_add_place(p->data, q->x[i], c->median, label_of(d, q, c), c);
        }
        fs_page_text_print(&d->text, "\n\n");
    }
}

/* set xtics ('0' 0, '100' 100). */
static void put_tics(fs_validation_drawing *d, char axis, const double *at, size_t count, bool by_number) {
    fs_page_text_print(&d->text, "set %ctics (", axis);
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&d->text, "%s'%.9g' %.9g", i > 0 ? ", " : "", at[i],
                           by_number ? at[i] : (double)i);
    fs_page_text_print(&d->text, ")\n");
}

/* What a chart shows; of a trend what was published. */
static const char *marks_of(fs_validation_drawing *d, const chart *q) {
    const char *standins = fs_words_count(d->arena, q->of->standin_count, "stand-in");
    if (q->trend != NULL)
        return fs_arena_printf(d->arena, "Median and range over %s. Published is the trend alone: %s. %s.",
                               standins, q->trend->name,
                               q->trend->reached ? "It does on all of them" : "Not on all of them");
    return fs_arena_printf(d->arena,
                           q->lines > 1
                               ? "Rings, dashed: published. Dots, solid: median over %s; bars: their range."
                               : "Median and range over %s. Thin bars: the median over the stated ranges of "
                                 "the uncertain parameters.",
                           standins);
}

/* What is drawn, and what is not there to be drawn. */
static const char *caption_of(fs_validation_drawing *d, const chart *q) {
    size_t missing = 0;
    const char *why = "", *marks = marks_of(d, q);
    for (size_t i = 0; i < q->xs * q->lines; i++) {
        const fs_claim *c = q->at[i / q->xs][i % q->xs];
        if (c == NULL || fs_claim_there(c))
            continue;
        if (missing++ == 0)
            why = fs_claim_first_why(c, d->arena);
    }
    return missing == 0 ? marks
                        : fs_arena_printf(d->arena, "%s Missing: %s (%s).", marks,
                                          fs_words_count(d->arena, missing, "figure"), why);
}

static fs_status write_lines(fs_validation_drawing *d, const chart *q, fs_error *err) {
    fs_range r = {INFINITY, 0};
    fs_validation_picture *p =
        fs_validation_new_picture(d, FS_PICTURE_CHART, q->of->name, fs_validation_word(q->figure));
    p->of = q->of;
    p->data = fs_validation_places(q->unit);
    put_lines(d, p, q, &r);
    if (fs_validation_save(d, p, "dat", err))
        return err->status;
    const fs_paper_figure *measured = fs_paper_measure(d->v->paper, q->figure);
    const char *what = measured != NULL ? measured->one : fs_validation_word(q->figure);
    const bool in_unit = measured != NULL && measured->priced && q->unit[0] != '\0';
    fs_validation_begin_script(d, p, fs_arena_printf(d->arena, "%s: %s", q->of->source, what),
                               caption_of(d, q));
    fs_page_text_print(&d->text, "published = %d\nseries = %zu\narray series_name[%zu] = [", q->trend == NULL,
                       q->lines, q->lines);
    for (size_t k = 0; k < q->lines; k++)
        fs_page_text_print(&d->text, "%s'%.9g'", k > 0 ? ", " : "", isnan(q->series[k]) ? 0 : q->series[k]);
    fs_page_text_print(&d->text, "]\n");
    fs_validation_put_text(d, "heading", fs_arena_printf(d->arena, "%s:", series_name(d->arena, q)));
    fs_validation_put_text(d, "x_name", spaced(d->arena, q->of->x_name));
    fs_validation_put_text(
        d, "y_name", fs_arena_printf(d->arena, "%s%s%s", what, in_unit ? ", " : "", in_unit ? q->unit : ""));
    double space = 0.05 * (q->x[q->xs - 1] - q->x[0]);
    fs_page_text_print(&d->text, "low_x = %.9g\nhigh_x = %.9g\nlow_y = %.9g\nhigh_y = %.9g\n",
                       q->x[0] - space, q->x[q->xs - 1] + space, r.low / 1.06, r.high * 1.06);
    fs_validation_put_marks(d, "y", r.low / 1.06, r.high * 1.06);
    put_tics(d, 'x', q->x, q->xs, true);
    fs_page_text_print(&d->text, "load 'validation-chart.gp'\n");
    return fs_validation_save(d, p, "gp", err);
}

fs_status fs_validation_write_charts(fs_validation_drawing *d, fs_error *err) {
    return for_charts(d, write_lines, err);
}

/* ---- errors ---- */

static fs_status write_errors(fs_validation_drawing *d, const chart *q, fs_error *err) {
    double reach = 10;
    if (q->lines < 2 || q->trend != NULL)
        return FS_OK;
    fs_validation_picture *p = fs_validation_new_picture(d, FS_PICTURE_ERRORS, q->of->name, "errors");
    p->of = q->of;
    p->half[0] = p->half[1] = 0.5;
    p->data = fs_validation_places(q->unit);
    fs_page_text_print(&d->text, "nan nan nan -\n");
    for (size_t k = 0; k < q->lines; k++)
        for (size_t i = 0; i < q->xs; i++) {
            const fs_claim *c = q->at[k][i];
            if (c == NULL)
                continue;
            double error = 100 * c->error;
            reach = fabs(error) > reach ? fabs(error) : reach;
            if (isnan(error))
                fs_page_text_print(&d->text, "%zu %zu nan missing\n", i, k);
            else
                fs_page_text_print(&d->text, "%zu %zu %.9g %+.1f\n", i, k, error, error);
            fs_validation_add_place(p->data, (double)i, (double)k, label_of(d, q, c), c);
        }
    if (fs_validation_save(d, p, "dat", err))
        return err->status;
    fs_validation_begin_script(
        d, p, fs_arena_printf(d->arena, "%s: error of each cell", q->of->source),
        "Per cent of the published value. Orange: simulated slower than published; blue: faster.");
    fs_page_text_print(&d->text, "cols = %zu\nrows = %zu\nreach = %.9g\n", q->xs, q->lines, reach);
    fs_validation_put_text(d, "x_name", spaced(d->arena, q->of->x_name));
    fs_validation_put_text(d, "y_name", series_name(d->arena, q));
    put_tics(d, 'x', q->x, q->xs, false);
    put_tics(d, 'y', q->series, q->lines, false);
    fs_page_text_print(&d->text, "load 'validation-errors.gp'\n");
    return fs_validation_save(d, p, "gp", err);
}

fs_status fs_validation_write_errors(fs_validation_drawing *d, fs_error *err) {
    return for_charts(d, write_errors, err);
}
