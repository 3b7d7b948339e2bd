/* Charts of a sheet by gnuplot: one file of data a series, one clause of `plot` a kind, one script a chart. */
#include "reports/sheet/plots.h"
#include "reports/plot/drawing.h"
#include "reports/plot/script.h"
#include "reports/sheet/sheet_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 95, RIGHT = 185, WIDE = 960, TALL = 230, HEAD = 70, FOOT = 62, BETWEEN = 26 };

typedef struct plotting {
    fs_arena *arena;
    const char *folder;
    const fs_chart *chart;
    fs_text script, clauses, data;
    size_t panel, series; /* of the file being written */
    size_t points;        /* of that series, which have all their numbers */
} plotting;

/* ---- clauses ---- */

static const char *quoted(const plotting *p, const char *text) {
    return fs_plot_quoted(p->arena, text == NULL ? "" : text);
}

static const char *colour_of(const plotting *p, const fs_panel *panel, const fs_chart_series *s) {
    size_t at = 0;
    for (size_t i = 0; i < panel->count && panel->series[i] != s; i++)
        at += panel->series[i]->as != FS_DRAW_TOLD;
    const char *name = s->colour == NULL ? fs_arena_printf(p->arena, "series-%zu", at % 8) : s->colour;
    return s->shades > 0 ? fs_plot_shade(p->arena, name, s->shade, s->shades) : fs_plot_colour(name);
}

/* Begins the clause of a series: its data in a file of its own. */
static void clause(plotting *p, const char *with, ...) __attribute__((format(printf, 2, 3)));
static void clause(plotting *p, const char *with, ...) {
    va_list args;
    va_start(args, with);
    fs_page_text_print(&p->clauses, "%s'%s-%zu-%zu.dat' ", p->clauses.used > 0 ? ", \\\n    " : "plot ",
                       p->chart->id, p->panel, p->series);
    fs_page_text_vprint(&p->clauses, with, args);
    va_end(args);
}

static const char *title_of(const plotting *p, const fs_chart_series *s) {
    return s->label == NULL || s->label[0] == '\0'
               ? "notitle"
               : fs_arena_printf(p->arena, "title %s", quoted(p, s->label));
}

/* A line of the data: NAN where there is no value. */
static void put(plotting *p, const double *numbers, size_t count) {
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

static void put_steps(plotting *p, const fs_panel *panel, const fs_chart_series *s, const char *colour) {
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

static void put_dots(plotting *p, const fs_chart_series *s, const char *colour) {
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

static void put_ranges(plotting *p, const fs_chart_series *s, const char *colour) {
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

static void put_bars(plotting *p, const fs_panel *panel, const fs_chart_series *s, const char *colour) {
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

static void put_spans(plotting *p, const fs_chart_series *s, const char *colour) {
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

static void put_tail(plotting *p, const fs_chart_series *s, const char *colour) {
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
static const char *raised(const plotting *p, const fs_panel *panel) {
    return panel->colour.log
               ? fs_arena_printf(p->arena, "($3 < %.9g ? %.9g : $3)", panel->colour.low, panel->colour.low)
               : "($3)";
}

static void put_texts(plotting *p, const fs_chart_series *s) {
    if (s->texts != NULL)
        clause(
            p,
            "using 1:2:(strcol(4) eq '-' ? '' : strcol(4)) with labels noenhanced font ',10.5' textcolor rgb "
            "mark_dark notitle");
}

/* Those of 0 have none there. */
static void put_cell(plotting *p, const fs_panel *panel, const fs_chart_series *s, double x, double y,
                     double value, size_t i) {
    put(p, (double[]){x, y, panel->colour.log && value <= 0 ? (double)NAN : value}, 3);
    p->data.used--; /* the line goes on */
    fs_page_text_print(&p->data, " %s\n",
                       fs_plot_cell(p->arena, s->texts == NULL ? "" : fs_values_word(s->texts, i)));
}

/* Where a row or a column of a matrix begins, and how wide it is. */
static double first_of(const fs_values *v) {
    return v == NULL ? -0.5 : at(v, 0);
}
static double step_of(const fs_values *v) {
    return v == NULL || v->count < 2 ? 1 : at(v, 1) - at(v, 0);
}

static void put_matrix(plotting *p, const fs_panel *panel, const fs_chart_series *s) {
    const double x = step_of(s->x), y = step_of(s->y);
    for (size_t i = 0; i < s->cols * s->rows; i++)
        put_cell(p, panel, s, first_of(s->x) + ((double)(i % s->cols) + 0.5) * x,
                 first_of(s->y) + ((double)(i / s->cols) + 0.5) * y, at(s->value, s->row * s->cols + i), i);
    if (s->texts == NULL && s->cols > 1 && s->rows > 1)
        clause(p, "using 1:2:%s with image notitle", raised(p, panel));
    else /* an image needs two rows */
        clause(p, "using 1:($3 == $3 ? $2 : NaN):(%g):(%g):%s with boxxyerror fillcolor palette notitle",
               0.5 * x, 0.5 * y, raised(p, panel));
    put_texts(p, s);
}

static void put_cells(plotting *p, const fs_panel *panel, const fs_chart_series *s) {
    for (size_t i = 0; i < s->x->count; i++)
        put_cell(p, panel, s, at(s->x, i), at(s->y, i), at(s->value, i), i);
    clause(p, "using 1:2:(0.46):(0.46) with boxxyerror fillcolor rgb nothing notitle");
    clause(p, "using 1:($3 == $3 ? $2 : NaN):(0.46):(0.46):%s with boxxyerror fillcolor palette notitle",
           raised(p, panel));
    put_texts(p, s);
}

static void put_links(plotting *p, const fs_chart_series *s) {
    for (size_t i = 0; i < s->x->count; i++)
        put(p,
            (double[]){at(s->x, i), at(s->y, i), at(s->x2, i) - at(s->x, i), at(s->y2, i) - at(s->y, i),
                       at(s->value, i)},
            5);
    clause(p, "using 1:2:3:4:5 with vectors nohead linewidth 3 linecolor palette notitle");
}

static void put_series(plotting *p, const fs_panel *panel, const fs_chart_series *s) {
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
static fs_status put_all_series(plotting *p, const fs_panel *panel, fs_error *err) {
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

/* ---- panels ---- */

static void put_axis(plotting *p, char axis, fs_axis own, const fs_panel *panel) {
    const fs_axis *a = &own;
    const fs_chart_series *s =
        panel->count > 0 && panel->series[0]->as == FS_DRAW_MATRIX ? panel->series[0] : NULL;
    if (a->low >= a->high && s != NULL) {
        own.low = first_of(axis == 'x' ? s->x : s->y);
        own.high = own.low + (double)(axis == 'x' ? s->cols : s->rows) * step_of(axis == 'x' ? s->x : s->y);
    } else if (a->low >= a->high && p->clauses.used == 0) /* an empty panel */
        own.high = own.low + 1;
    const bool down = a->down && axis == 'y', scaled = axis == 'y' && a->scale > 0;
    fs_page_text_print(&p->script, "%sset logscale %c\n", a->log ? "" : "un", axis);
    if (a->low < a->high)
        fs_page_text_print(&p->script, "set %crange [%.9g:%.9g]\n", axis, down ? a->high : a->low,
                           down ? a->low : a->high);
    else
        fs_page_text_print(&p->script, "set %crange [*:*] noextend%s\n", axis, down ? " reverse" : "");
    if (scaled && a->low < a->high)
        fs_page_text_print(&p->script, "set yrange [%.9g:%.9g]\n", a->low / a->scale, a->high / a->scale);
    if (a->label == NULL) {
        fs_page_text_print(&p->script, "unset %ctics\nunset %clabel\n", axis, axis);
        return;
    }
    fs_page_text_print(&p->script, "set %clabel %s noenhanced textcolor rgb ink\nset %ctics autofreq\n", axis,
                       quoted(p, a->label), axis);
    if (a->names == NULL && a->tics == NULL)
        return;
    const size_t count = a->tics != NULL ? a->tics->count : a->names->count;
    fs_page_text_print(&p->script, "set %ctics (", axis);
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&p->script, "%s%s %.9g", i > 0 ? ", " : "",
                           a->names == NULL ? fs_arena_printf(p->arena, "'%g'", at(a->tics, i))
                                            : fs_plot_quoted_format(p->arena, fs_values_word(a->names, i)),
                           a->tics == NULL ? (double)i : at(a->tics, i));
    fs_page_text_print(&p->script, ")\n");
}

static void put_mark(plotting *p, const fs_chart_mark *m, size_t tag) {
    const char *line =
        fs_arena_printf(p->arena, "nohead front linecolor rgb '%s' dashtype %u",
                        m->colour == NULL ? "#707070" : fs_plot_colour(m->colour), m->dash + 1);
    const char *place = fs_arena_printf(p->arena, "first %.9g, first %.9g", m->x, m->y);
    fs_text *out = &p->script;
    if (m->kind == FS_MARK_UP) {
        fs_page_text_print(out, "set arrow %zu from first %.9g, graph 0 to first %.9g, graph 1 %s\n", tag,
                           m->x, m->x, line);
        place = fs_arena_printf(p->arena, "first %.9g, graph 0.95", m->x);
    } else if (m->kind == FS_MARK_ACROSS) {
        fs_page_text_print(out, "set arrow %zu from graph 0, first %.9g to graph 1, first %.9g %s\n", tag,
                           m->y, m->y, line);
        place = fs_arena_printf(p->arena, "graph 0.99, first %.9g", m->y);
    } else if (m->kind == FS_MARK_LINE)
        fs_page_text_print(out, "set arrow %zu from %s to first %.9g, first %.9g %s\n", tag, place, m->x2,
                           m->y2, line);
    else if (m->kind == FS_MARK_BOX || m->kind == FS_MARK_GROUND)
        fs_page_text_print(
            out, "set object %zu rectangle from %s to first %.9g, first %.9g %s\n", tag, place, m->x2, m->y2,
            m->kind == FS_MARK_BOX ? "front fillstyle empty border linecolor rgb faint"
                                   : "behind fillcolor rgb '#f0f0f0' fillstyle solid noborder");
    else if (m->kind == FS_MARK_RING)
        fs_page_text_print(out, "set label %zu '' at %s point pointtype 6 pointsize 1.8 linewidth 2\n",
                           tag + 1000, place);
    if (m->text != NULL)
        fs_page_text_print(out, "set label %zu %s at %s %s front noenhanced textcolor rgb faint\n", tag,
                           quoted(p, m->text), place,
                           m->kind == FS_MARK_ACROSS || m->side < 0  ? "right offset 0,0.5"
                           : m->side == 0 && m->kind == FS_MARK_TEXT ? "center"
                                                                     : "left offset 0.5,0");
}

static double tall_of(const fs_panel *panel, double wide) {
    const double most = panel->tall > 0 ? panel->tall : panel->flat > 0 ? 720 : TALL;
    return panel->flat > 0 ? fmin(most, wide * panel->flat) : most;
}

static bool is_matrix(const fs_panel *panel) {
    return panel->count > 0 && panel->series[0]->as == FS_DRAW_MATRIX;
}

/* Colours that are drawn once, beside the last of such panels. */
static bool is_same_scale(const fs_panel *a, const fs_panel *b) {
    return a->colours == b->colours && a->colour.low == b->colour.low && a->colour.high == b->colour.high &&
           a->colour.log == b->colour.log && b->colour.label != NULL;
}

/* One panel in the rectangle that begins at (left, top), in dots. */
static fs_status put_panel(plotting *p, double left, double top, double wide, double tall, bool last,
                           fs_error *err) {
    const fs_panel *panel = p->chart->panel[p->panel],
                   *next = p->panel + 1 < p->chart->panels ? p->chart->panel[p->panel + 1] : NULL;
    static const char *const palette[] = {"value", "reverse", "difference"};
    fs_text *out = &p->script;
    if (put_all_series(p, panel, err))
        return err->status;
    fs_page_text_print(out, "%sunset arrow\nunset object\neval panel(%g, %g, %g, %g)\n",
                       p->panel > 0 ? "unset label\n" : "", left, top, wide,
                       tall); /* the first has the caption */
    if (panel->dark || is_matrix(panel))
        fs_page_text_print(out,
                           "set object 9999 rectangle from graph 0, graph 0 to graph 1, graph 1 behind "
                           "fillcolor rgb %s fillstyle solid noborder\n",
                           panel->dark ? "'#120818'" : "nothing");
    fs_page_text_print(out, panel->x.label == NULL && panel->y.label == NULL ? "unset border\n"
                                                                             : "set border 3\n");
    put_axis(p, 'x', panel->x, panel);
    put_axis(p, 'y', panel->y, panel);
    if (p->chart->linked && !last)
        fs_page_text_print(out, "set format x ''\nunset xlabel\n");
    else
        fs_page_text_print(out, "set format x\n");
    if (panel->title != NULL)
        fs_page_text_print(out, "set label 5000 %s at graph 0, graph %s noenhanced\n",
                           quoted(p, panel->title),
                           p->chart->beside ? "0.5 right offset -1,0" : "1 left offset 0,0.7 font ',12'");
    if (panel->corner != NULL)
        fs_page_text_print(out,
                           "set label 5001 %s at graph 0.995, graph 0.95 right front noenhanced "
                           "textcolor rgb faint\n",
                           quoted(p, panel->corner));
    if (panel->colour.label != NULL) {
        fs_page_text_print(out, "eval colours_%s\n%sset logscale cb\nset cblabel %s noenhanced\n",
                           palette[panel->colours], panel->colour.log ? "" : "un",
                           quoted(p, panel->colour.label));
        fs_page_text_print(
            out, panel->colour.low < panel->colour.high ? "set cbrange [%.9g:%.9g]\n" : "set cbrange [*:*]\n",
            panel->colour.low, panel->colour.high);
        if (next != NULL && is_same_scale(panel, next))
            fs_page_text_print(out, "unset colorbox\n");
        else
            fs_page_text_print(out, "eval colourbar(%g, %g, 14, %g)\n", left + wide + 12, top, tall);
    }
    for (size_t i = 0; i < panel->marks; i++)
        put_mark(p, &panel->mark[i], i + 1);
    fs_page_text_print(out, "%s\n", p->clauses.used > 0 ? p->clauses.text : "plot NaN notitle");
    return FS_OK;
}

/* ---- charts ---- */

static fs_status put_chart(plotting *p, const fs_chart *c, bool bare, fs_error *err) {
    const size_t columns = c->columns > 1 ? c->columns : 1;
    const double whole = c->half ? 0.55 * WIDE : WIDE, right = c->half ? 90 : RIGHT,
                 wide = (whole - (double)(columns - 1) * (LEFT + 30)) / (double)columns;
    double height, tallest = 0, top;
    p->chart = c;
    p->script.used = 0;
    bool titled = false;
    for (size_t i = 0; i < c->panels; i++)
        titled |= c->panel[i]->title != NULL && !c->beside;
    const double head = HEAD + (titled ? 18 : 0),
                 between = c->linked ? BETWEEN + (titled ? 18 : 0) : FOOT + 18;
    height = head + FOOT - between;
    top = head;
    for (size_t i = 0; i < c->panels; i++) {
        tallest = fmax(tallest, tall_of(c->panel[i], wide));
        if ((i + 1) % columns == 0 || i + 1 == c->panels) {
            height += tallest + between;
            tallest = 0;
        }
    }
    fs_page_text_print(&p->script, "%sload 'style.gp'\n", bare ? "bare = 1\n" : "");
    fs_plot_put_text(&p->script, p->arena, "words", c->title);
    fs_plot_put_text(&p->script, p->arena, "more", c->caption);
    fs_page_text_print(
        &p->script,
        "eval picture('%s', %g, %g)\neval caption\nset multiplot\nset datafile separator "
        "whitespace\nunset datafile columnheaders\nset grid linecolor rgb '#ececec'\nset key at graph "
        "1.01, graph 1 left top vertical Left reverse samplen 1.2 spacing 1.2 width -2\n",
        c->id, LEFT + whole + right, height);
    for (size_t i = 0; i < c->panels; i++) {
        const double tall = tall_of(c->panel[i], wide);
        p->panel = i;
        if (put_panel(p, LEFT + (double)(i % columns) * (wide + LEFT + 30), top, wide, tall,
                      i + columns >= c->panels, err))
            return err->status;
        tallest = fmax(tallest, tall);
        if ((i + 1) % columns == 0) {
            top += tallest + between;
            tallest = 0;
        }
    }
    fs_page_text_print(&p->script, "unset multiplot\n");
    return fs_page_text_save(&p->script, p->folder, c->id, "gp", err);
}

static bool wanted(const char *id, const char *const *only, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(only[i], id) == 0)
            return true;
    return only == NULL;
}

/* Charts of items and of what they hold. */
static size_t charts_of(const fs_item *item, const char *const *only, size_t count, const fs_chart **out) {
    size_t found = 0;
    for (; item != NULL; item = item->next) {
        if (item->kind == FS_ITEM_CHART && wanted(item->chart->id, only, count)) {
            if (out != NULL)
                out[found] = item->chart;
            found++;
        }
        found += charts_of(item->first, only, count, out == NULL ? NULL : out + found);
    }
    return found;
}

fs_status fs_sheet_plot(const fs_sheet *s, const char *target, unsigned forms, const char *const *only,
                        size_t count, fs_error *err) {
    const size_t charts = charts_of(s->root.first, only, count, NULL);
    const fs_chart **chart = FS_NEW(s->arena, const fs_chart *, charts + 1);
    const char **name = FS_NEW(s->arena, const char *, charts + 1);
    charts_of(s->root.first, only, count, chart);
    if (charts == 0)
        return FS_OK;
    fs_drawing *d = fs_drawing_open(target, err);
    if (d == NULL)
        return err->status;
    plotting p = {.arena = s->arena, .folder = fs_drawing_folder(d)};
    for (size_t i = 0; i < charts && err->status == FS_OK; i++) {
        name[i] = chart[i]->id;
        put_chart(&p, chart[i], (forms & FS_PLOT_BARE) != 0, err);
    }
    if (err->status == FS_OK)
        fs_drawing_run(d, name, charts, forms & (FS_PLOT_PNG | FS_PLOT_SVG), err);
    free(p.script.text);
    free(p.clauses.text);
    free(p.data.text);
    const fs_status closed = fs_drawing_close(d, err->status == FS_OK, err);
    return err->status != FS_OK ? err->status : closed;
}
