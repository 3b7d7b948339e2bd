/* Series of a chart for gnuplot: a file of data each, and a clause of `plot` by kind. */
#include "reports/plot/plot.h"
#include "reports/sheet/sheet_private.h"

#include <math.h>

/* ---- clauses ---- */

static const char *quoted(const fs_plotting *p, const char *text) {
    return fs_plot_quoted(p->arena, text == NULL ? "" : text);
}

static const char *colour_of(const fs_plotting *p, const fs_panel *panel, const fs_chart_series *s) {
    size_t at = 0;
    for (size_t i = 0; i < panel->count && panel->series[i] != s; i++)
        at += panel->series[i]->as != FS_DRAW_TOLD;
    const char *name = s->colour == NULL ? fs_arena_printf(p->arena, "series-%zu", at % 8) : s->colour;
    return s->shades > 0 ? fs_plot_shade(p->arena, name, s->shade, s->shades) : fs_plot_colour(name);
}

/* Begins the clause of a series: its data in a file of its own. */
__attribute__((format(printf, 2, 3))) static void clause(fs_plotting *p, const char *with, ...) {
    fs_page_text_print(&p->clauses, "%s'%s-%zu-%zu.dat' ", p->clauses.used > 0 ? ", " : "plot ", p->chart->id,
                       p->panel, p->series);
    FS_VARIADIC(args, with, fs_page_text_vprint(&p->clauses, with, args));
}

static const char *title_of(const fs_plotting *p, const fs_chart_series *s) {
    return s->label == NULL || s->label[0] == '\0'
               ? "notitle"
               : fs_arena_printf(p->arena, "title %s", quoted(p, s->label));
}

/* A line of the data: NAN where there is no value. */
static void put(fs_plotting *p, const double *numbers, size_t count) {
    bool whole = true;
    for (size_t i = 0; i < count; i++)
        whole &= isfinite(numbers[i]) != 0;
    p->points += whole;
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&p->data, isnan(numbers[i]) ? "%sNaN" : "%s%.9g", i > 0 ? " " : "", numbers[i]);
    fs_page_text_print(&p->data, "\n");
}

static double at(const fs_values *v, size_t i) {
    return v == NULL || i >= v->count ? (double)NAN : fs_values_at(v, i);
}

/* Half the way from one x to the next. */
static double half_of(const fs_values *x) {
    double least = INFINITY;
    for (size_t i = 1; i < x->count; i++)
        least = fmin(least, fabs(at(x, i) - at(x, i - 1)) / 2);
    return isfinite(least) && least > 0 ? least : 0.5;
}

/* ---- kinds: data and clause of a series ---- */

static void put_steps(fs_plotting *p, const fs_panel *panel, const fs_chart_series *s, const char *colour) {
    const double half = half_of(s->x);
    double scale = panel->y.scale > 0 ? panel->y.scale : 1;
    for (size_t i = 0; i < s->x->count; i++) {
        double sum = 0; /* of a stack with all that are below it */
        for (size_t k = 0; k < panel->count && s->as == FS_DRAW_STACK; k++) {
            sum += panel->series[k]->as == FS_DRAW_STACK ? at(panel->series[k]->y, i) : 0;
            if (panel->series[k] == s)
                break;
        }
        const double y = (s->as == FS_DRAW_STACK ? sum : at(s->y, i)) / scale;
        put(p, (double[]){at(s->x, i) - half, y}, 2);
        put(p, (double[]){at(s->x, i) + half, y}, 2);
    }
    if (s->as == FS_DRAW_STACK)
        clause(p, "using 1:2 with filledcurves x1 fillcolor rgb '%s' %s", colour, title_of(p, s));
    else
        clause(p, "using 1:2 with lines linewidth 1.5 linecolor rgb '%s' %s", colour, title_of(p, s));
}

static void put_dots(fs_plotting *p, const fs_chart_series *s, const char *colour) {
    static const int full[] = {7, 5, 9, 13}, hollow[] = {6, 4, 8, 12};
    for (size_t i = 0; i < s->x->count; i++)
        put(p, (double[]){at(s->x, i), at(s->y, i), s->hollow == NULL ? 0 : at(s->hollow, i)}, 3);
    clause(p, "using 1:($3 > 0 ? NaN : $2) with points pointtype %d pointsize %g linecolor rgb '%s' %s",
           full[s->form % 4], s->size > 0 ? s->size / 4.5 : 0.65, colour, title_of(p, s));
    if (s->hollow != NULL)
        clause(
            p,
            "using 1:($3 > 0 ? $2 : NaN) with points pointtype %d pointsize 0.75 linewidth 1.5 linecolor rgb "
            "'%s' notitle",
            hollow[s->form % 4], colour);
}

static void put_ranges(fs_plotting *p, const fs_chart_series *s, const char *colour) {
    const fs_values *place = s->x != NULL ? s->x : s->y;
    for (size_t i = 0; i < place->count; i++)
        put(p, (double[]){at(place, i), at(s->low, i), at(s->high, i)}, 3);
    if (s->as == FS_DRAW_BAND)
        clause(
            p,
            "using 1:2:3 with filledcurves fillcolor rgb '%s' fillstyle transparent solid 0.16 noborder %s",
            colour, title_of(p, s));
    else
        clause(p, "using %s with vectors nohead linewidth 1.1 linecolor rgb '%s' %s",
               s->x != NULL ? "1:2:(0):($3 - $2)" : "2:1:($3 - $2):(0)", colour, title_of(p, s));
}

static void put_bars(fs_plotting *p, const fs_panel *panel, const fs_chart_series *s, const char *colour) {
    const double half = half_of(s->x);
    for (size_t i = 0; i < s->x->count; i++) {
        const double x = at(s->x, i);
        const bool zero = panel->x.log && x < 1; /* 0 stands at 0.5 of a logarithmic axis */
        put(p, (double[]){zero ? 0.5 : x, at(s->y, i), zero ? 0.35 : x - half, zero ? 0.7 : x + half}, 4);
    }
    if (s->x->count > 400)
        clause(p, "using 1:2 with impulses linewidth 1.2 linecolor rgb '%s' %s", colour, title_of(p, s));
    else
        clause(p, "using 1:2:3:4:(%s):2 with boxxyerror fillcolor rgb '%s' %s", panel->y.log ? "0.5" : "0",
               colour, title_of(p, s));
}

static void put_spans(fs_plotting *p, const fs_chart_series *s, const char *colour) {
    for (size_t i = 0; i < s->y->count; i++) {
        fs_page_text_print(&p->data, "%s ",
                           fs_plot_cell(p->arena, s->texts == NULL ? "" : fs_values_word(s->texts, i)));
        put(p, (double[]){at(s->low, i), at(s->high, i), at(s->y, i)}, 3);
    }
    clause(p, "using (0.5 * ($2 + $3)):4:(0.5 * abs($3 - $2)):(0.3) with boxxyerror fillcolor rgb '%s' %s",
           colour, title_of(p, s));
    if (s->texts != NULL)
        clause(p,
               "using ($3 == $3 ? $3 : 0):4:(strcol(1) eq '-' ? '' : '  '.strcol(1).'  ') with labels %s "
               "font ',10.5' textcolor rgb ink noenhanced notitle",
               at(s->high, 0) < at(s->low, 0) ? "right" : "left");
}

static void put_tail(fs_plotting *p, const fs_chart_series *s, const char *colour) {
    static const char *const dash[] = {"1", "2", "4"};
    double all = 0, left;
    for (size_t i = 0; i < s->x->count; i++)
        all += at(s->y, i);
    left = all;
    for (size_t i = 0; i < s->x->count; i++) {
        put(p, (double[]){at(s->x, i), 100 * left / all}, 2);
        left -= at(s->y, i);
    }
    clause(p, "using 1:2 with fsteps linewidth %g dashtype %s linecolor rgb '%s' %s",
           s->width > 0 ? s->width : 1.6, dash[s->dash % 3], colour, title_of(p, s));
}

/* Cells below the least of a logarithmic scale have its colour. */
static const char *raised(const fs_plotting *p, const fs_panel *panel) {
    return panel->colour.log
               ? fs_arena_printf(p->arena, "($3 < %.9g ? %.9g : $3)", panel->colour.low, panel->colour.low)
               : "($3)";
}

static void put_texts(fs_plotting *p, const fs_chart_series *s) {
    if (s->texts != NULL)
        clause(
            p,
            "using 1:2:(strcol(4) eq '-' ? '' : strcol(4)) with labels noenhanced font ',10.5' textcolor rgb "
            "mark_dark notitle");
}

/* Those of 0 have none there. */
static void put_cell(fs_plotting *p, const fs_panel *panel, const fs_chart_series *s, double x, double y,
                     double value, size_t i) {
    put(p, (double[]){x, y, panel->colour.log && value <= 0 ? (double)NAN : value}, 3);
    p->data.used--; /* the line goes on */
    fs_page_text_print(&p->data, " %s\n",
                       fs_plot_cell(p->arena, s->texts == NULL ? "" : fs_values_word(s->texts, i)));
}

/* Where a row or a column of a matrix begins, and how wide it is. */
double fs_plotting_first(const fs_values *v) {
    return v == NULL ? -0.5 : at(v, 0);
}
double fs_plotting_step(const fs_values *v) {
    return v == NULL || v->count < 2 ? 1 : at(v, 1) - at(v, 0);
}

static void put_matrix(fs_plotting *p, const fs_panel *panel, const fs_chart_series *s) {
    const double x = fs_plotting_step(s->x), y = fs_plotting_step(s->y);
    for (size_t row = 0, i = 0; row < s->rows; row++)
        for (size_t col = 0; col < s->cols; col++, i++)
            put_cell(p, panel, s, fs_plotting_first(s->x) + ((double)col + 0.5) * x,
                     fs_plotting_first(s->y) + ((double)row + 0.5) * y, at(s->value, s->row * s->cols + i),
                     i);
    if (s->texts == NULL && s->cols > 1 && s->rows > 1)
        clause(p, "using 1:2:%s with image notitle", raised(p, panel));
    else /* an image needs two rows */
        clause(p, "using 1:($3 == $3 ? $2 : NaN):(%g):(%g):%s with boxxyerror fillcolor palette notitle",
               0.5 * x, 0.5 * y, raised(p, panel));
    put_texts(p, s);
}

static void put_cells(fs_plotting *p, const fs_panel *panel, const fs_chart_series *s) {
    for (size_t i = 0; i < s->x->count; i++)
        put_cell(p, panel, s, at(s->x, i), at(s->y, i), at(s->value, i), i);
    clause(p, "using 1:2:(0.46):(0.46) with boxxyerror fillcolor rgb nothing notitle");
    clause(p, "using 1:($3 == $3 ? $2 : NaN):(0.46):(0.46):%s with boxxyerror fillcolor palette notitle",
           raised(p, panel));
    put_texts(p, s);
}

static void put_links(fs_plotting *p, const fs_chart_series *s) {
    for (size_t i = 0; i < s->x->count; i++)
        put(p,
            (double[]){at(s->x, i), at(s->y, i), at(s->x2, i) - at(s->x, i), at(s->y2, i) - at(s->y, i),
                       at(s->value, i)},
            5);
    clause(p, "using 1:2:3:4:5 with vectors nohead linewidth 3 linecolor palette notitle");
}

static void put_series(fs_plotting *p, const fs_panel *panel, const fs_chart_series *s) {
    const char *colour = colour_of(p, panel, s);
    switch (s->as) {
    case FS_DRAW_LINE:
        for (size_t i = 0; i < s->x->count; i++)
            put(p, (double[]){at(s->x, i), at(s->y, i)}, 2);
        clause(p, "using 1:2 with lines linewidth %g dashtype %u linecolor rgb '%s' %s",
               s->width > 0 ? s->width : 1.8, s->dash + 1, colour, title_of(p, s));
        break;
    case FS_DRAW_STEPS:
    case FS_DRAW_STACK:
        put_steps(p, panel, s, colour);
        break;
    case FS_DRAW_BAND:
    case FS_DRAW_RANGE:
        put_ranges(p, s, colour);
        break;
    case FS_DRAW_DOTS:
        put_dots(p, s, colour);
        break;
    case FS_DRAW_BARS:
        put_bars(p, panel, s, colour);
        break;
    case FS_DRAW_SPANS:
        put_spans(p, s, colour);
        break;
    case FS_DRAW_TAIL:
        put_tail(p, s, colour);
        break;
    case FS_DRAW_MATRIX:
        put_matrix(p, panel, s);
        break;
    case FS_DRAW_CELLS:
        put_cells(p, panel, s);
        break;
    case FS_DRAW_LINKS:
        put_links(p, s);
        break;
    case FS_DRAW_TOLD:
        break;
    }
}

/* All series of a panel; a stack from its top, which covers all, down. */
fs_status fs_plotting_series(fs_plotting *p, const fs_panel *panel, fs_error *err) {
    p->clauses.used = 0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < panel->count; k++) {
            const size_t i = pass == 0 ? panel->count - 1 - k : k;
            const fs_chart_series *s = panel->series[i];
            if (s->as == FS_DRAW_TOLD || (s->as == FS_DRAW_STACK) != (pass == 0))
                continue;
            const size_t before = p->clauses.used;
            p->data.used = p->points = 0;
            p->series = i;
            put_series(p, panel, s);
            if (p->points == 0)
                p->clauses.used = before; /* gnuplot draws no empty series */
            else if (fs_page_text_save(&p->data, p->folder,
                                       fs_arena_printf(p->arena, "%s-%zu-%zu", p->chart->id, p->panel, i),
                                       "dat", err))
                return err->status;
        }
    return FS_OK;
}
