/* Charts of a sheet by gnuplot: one file of data a series, one clause of `plot` a kind, one script a chart. */
#include "reports/plot/plot.h"
#include "reports/sheet/sheet.h"
#include "reports/sheet/sheet_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 95, RIGHT = 185, WIDE = 960, TALL = 230, HEAD = 70, FOOT = 62, BETWEEN = 26 };

/* ---- panels ---- */

/* 1, 2 and 5 of every decade; of less than a half of one about six equal steps. */
static void put_marks(fs_plotting *p, char axis, const fs_axis *a) {
    static const double mark[] = {1, 2, 5};
    const double scale = axis == 'y' && a->scale > 0 ? a->scale : 1, low = a->low / scale,
                 high = a->high / scale;
    const bool even = high < 4 * low;
    const char *between = "";
    double step = 0;
    fs_page_text_print(&p->script, "set %ctics (", axis);
    for (double decade = 1e-12; decade < 1e13 && step <= 0; decade *= 10)
        for (size_t i = 0; i < FS_COUNT(mark) && step <= 0; i++) {
            const double value = mark[i] * decade;
            if (even && value >= (high - low) / 6)
                step = value;
            if (even || value < low || value > high)
                continue;
            fs_page_text_print(&p->script, "%s%.6g", between, value);
            between = ", ";
        }
    for (double i = ceil(low / (step > 0 ? step : 1)); step > 0 && i * step <= high; i++) {
        fs_page_text_print(&p->script, "%s%.6g", between, i * step);
        between = ", ";
    }
    fs_page_text_print(&p->script, ")\n");
}

static void put_axis(fs_plotting *p, char axis, fs_axis own, const fs_panel *panel) {
    const fs_axis *a = &own;
    const fs_chart_series *s =
        panel->count > 0 && panel->series[0]->as == FS_DRAW_MATRIX ? panel->series[0] : NULL;
    if (a->low >= a->high && s != NULL) {
        own.low = fs_plotting_first(axis == 'x' ? s->x : s->y);
        own.high =
            own.low + (double)(axis == 'x' ? s->cols : s->rows) * fs_plotting_step(axis == 'x' ? s->x : s->y);
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
                       fs_plot_quoted(p->arena, a->label), axis);
    if (a->names == NULL && a->tics == NULL && a->log && a->high < 1000 * a->low)
        put_marks(p, axis, a); /* a decade or two have few powers of ten */
    if (a->names == NULL && a->tics == NULL)
        return;
    const size_t count = a->tics != NULL ? a->tics->count : a->names->count;
    fs_page_text_print(&p->script, "set %ctics (", axis);
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&p->script, "%s%s %.9g", i > 0 ? ", " : "",
                           a->names == NULL ? fs_arena_printf(p->arena, "'%g'", fs_values_at(a->tics, i))
                                            : fs_plot_quoted_format(p->arena, fs_values_word(a->names, i)),
                           a->tics == NULL ? (double)i : fs_values_at(a->tics, i));
    fs_page_text_print(&p->script, ")\n");
}

static void put_mark(fs_plotting *p, const fs_chart_mark *m, size_t tag) {
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
                           fs_plot_quoted(p->arena, m->text), place,
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
static fs_status put_panel(fs_plotting *p, double left, double top, double wide, double tall, bool last,
                           fs_error *err) {
    const fs_panel *panel = p->chart->panel[p->panel],
                   *next = p->panel + 1 < p->chart->panels ? p->chart->panel[p->panel + 1] : NULL;
    static const char *const palette[] = {"value", "reverse", "difference"};
    fs_text *out = &p->script;
    if (fs_plotting_series(p, panel, err))
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
                           fs_plot_quoted(p->arena, panel->title),
                           p->chart->beside ? "0.5 right offset -1,0" : "1 left offset 0,0.7 font ',12'");
    if (panel->corner != NULL)
        fs_page_text_print(out,
                           "set label 5001 %s at graph 0.995, graph 0.95 right front noenhanced "
                           "textcolor rgb faint\n",
                           fs_plot_quoted(p->arena, panel->corner));
    if (panel->colour.label != NULL) {
        fs_page_text_print(out, "eval colours_%s\n%sset logscale cb\nset cblabel %s noenhanced\n",
                           palette[panel->colours], panel->colour.log ? "" : "un",
                           fs_plot_quoted(p->arena, panel->colour.label));
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

static fs_status put_chart(fs_plotting *p, const fs_chart *c, bool bare, fs_error *err) {
    const size_t columns = c->columns > 1 ? c->columns : 1;
    const double left = c->beside ? 140 : LEFT;
    const double whole = c->half ? 0.55 * WIDE : WIDE, right = c->half ? 140 : RIGHT,
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
        c->id, left + whole + right, height);
    for (size_t i = 0; i < c->panels; i++) {
        const double tall = tall_of(c->panel[i], wide);
        p->panel = i;
        if (put_panel(p, left + (double)(i % columns) * (wide + LEFT + 30), top, wide, tall,
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

typedef struct drawn {
    fs_arena *arena;
    const fs_chart **chart;
    size_t count;
    bool bare;
} drawn;

static fs_status write_all(void *self, const char *folder, fs_error *err) {
    const drawn *d = self;
    fs_plotting p = {.arena = d->arena, .folder = folder};
    for (size_t i = 0; i < d->count && err->status == FS_OK; i++)
        put_chart(&p, d->chart[i], d->bare, err);
    free(p.script.text);
    free(p.clauses.text);
    free(p.data.text);
    return err->status;
}

fs_status fs_sheet_plot(const fs_sheet *s, const char *target, unsigned forms, const char *const *only,
                        size_t count, fs_error *err) {
    drawn d = {.arena = s->arena, .bare = (forms & FS_PLOT_BARE) != 0};
    d.count = charts_of(s->root.first, only, count, NULL);
    d.chart = FS_NEW(s->arena, const fs_chart *, d.count + 1);
    charts_of(s->root.first, only, count, d.chart);
    const char **name = FS_NEW(s->arena, const char *, d.count + 1);
    for (size_t i = 0; i < d.count; i++)
        name[i] = d.chart[i]->id;
    return d.count == 0 ? FS_OK : fs_plot_draw(target, name, d.count, forms, write_all, &d, err);
}
