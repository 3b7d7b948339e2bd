/* A small map without words, as it stands where no script runs: cells or links by a few shades. */
#include "reports/sheet/sheet_private.h"
#include "sim/base/detmath.h"

#include <math.h>

enum { SHADES = 9, PLACES = 4096 }; /* of more cells the greatest at each place of a grid */

static const char *const shade_colour[SHADES] = {"#440154", "#472c7a", "#3b518b", "#2c718e", "#21908d",
                                                 "#27ad81", "#5cc863", "#aadc32", "#fde725"};

typedef struct small {
    double low[2], high[2], side; /* of all places; of a cell */
    double *x, *y, *value;        /* [count] */
    size_t count;
    bool log;
    double least, most;
} small;

static double place_at(const fs_panel *p, const fs_values *v, size_t i, bool upright) {
    return upright && !p->y.down ? -fs_values_at(v, i) : fs_values_at(v, i);
}

static void widen(small *m, double x, double y) {
    m->low[0] = fmin(m->low[0], x);
    m->low[1] = fmin(m->low[1], y);
    m->high[0] = fmax(m->high[0], x);
    m->high[1] = fmax(m->high[1], y);
}

/* Cells that have a value, by the corner that they begin at. */
static small read_cells(fs_arena *arena, const fs_panel *p, const fs_chart_series *s) {
    const size_t all = s->x->count;
    small m = {.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}, .side = 1};
    m.x = FS_NEW(arena, double, all + 1);
    m.y = FS_NEW(arena, double, all + 1);
    m.value = FS_NEW(arena, double, all + 1);
    for (size_t i = 0; i < all; i++)
        widen(&m, place_at(p, s->x, i, false), place_at(p, s->y, i, true));
    const double wide = m.high[0] - m.low[0] + 1, tall = m.high[1] - m.low[1] + 1;
    if (all > PLACES)
        m.side = sqrt(wide * tall / PLACES);
    const size_t columns = (size_t)(wide / m.side) + 1, rows = (size_t)(tall / m.side) + 1;
    size_t *square =
        all > PLACES ? FS_NEW(arena, size_t, columns * rows) : NULL; /* 1 + the cell that is there */
    for (size_t i = 0; i < all; i++) {
        const double value = fs_values_at(s->value, i);
        double x = place_at(p, s->x, i, false) - m.low[0], y = place_at(p, s->y, i, true) - m.low[1];
        if (isnan(value))
            continue;
        size_t *known =
            square == NULL ? NULL : &square[(size_t)(y / m.side) * columns + (size_t)(x / m.side)];
        if (known != NULL && *known > 0) {
            m.value[*known - 1] = fmax(m.value[*known - 1], value);
            continue;
        }
        m.x[m.count] = known == NULL ? x : m.side * floor(x / m.side);
        m.y[m.count] = known == NULL ? y : m.side * floor(y / m.side);
        m.value[m.count++] = value;
        if (known != NULL)
            *known = m.count;
    }
    return m;
}

static void set_range(small *m, const fs_panel *p, const fs_values *values) {
    m->log = p->colour.log;
    m->least = p->colour.low;
    m->most = p->colour.high;
    for (size_t i = 0; i < values->count && p->colour.low >= p->colour.high; i++)
        m->most = fmax(m->most, fs_values_at(values, i));
}

static size_t shade_of(const small *m, double value) {
    const double part = m->log ? fs_log(fmax(value, m->least) / m->least) / fs_log(m->most / m->least)
                               : (value - m->least) / (m->most - m->least);
    return part >= 1 ? SHADES - 1 : (size_t)(fmax(part, 0) * SHADES);
}

static void put_cells(fs_html *h, const fs_panel *p, const fs_chart_series *s, const char *title) {
    small m = read_cells(h->sheet->arena, p, s);
    set_range(&m, p, s->value);
    fs_html_put(h, "<svg viewBox=\"0 0 %.1f %.1f\" role=\"img\" aria-label=\"%s\">", m.high[0] - m.low[0] + 1,
                m.high[1] - m.low[1] + 1, title);
    for (size_t k = 0; k < SHADES; k++) {
        fs_html_put(h, "<path fill=\"%s\" d=\"", shade_colour[k]);
        for (size_t i = 0; i < m.count; i++)
            if (shade_of(&m, m.value[i]) == k)
                fs_html_put(h, "M%.1f %.1fh%.1fv%.1fh-%.1fz", m.x[i], m.y[i], m.side, m.side, m.side);
        fs_html_put(h, "\"/>");
    }
    fs_html_put(h, "</svg>");
}

static void put_links(fs_html *h, const fs_panel *p, const fs_chart_series *s, const char *title) {
    small m = {.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    set_range(&m, p, s->value);
    for (size_t i = 0; i < s->x->count; i++) {
        widen(&m, place_at(p, s->x, i, false), place_at(p, s->y, i, true));
        widen(&m, place_at(p, s->x2, i, false), place_at(p, s->y2, i, true));
    }
    const double left = m.low[0] - 0.3, top = m.low[1] - 0.3, wide = m.high[0] - left + 0.3,
                 tall = m.high[1] - top + 0.3;
    fs_html_put(h,
                "<svg viewBox=\"%g %g %g %g\" role=\"img\" aria-label=\"%s\" fill=\"none\" "
                "stroke-width=\"0.12\"><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#120818\"/>",
                left, top, wide, tall, title, left, top, wide, tall);
    for (size_t k = 0; k < SHADES; k++) {
        fs_html_put(h, "<path stroke=\"%s\" d=\"", shade_colour[k]);
        for (size_t i = 0; i < s->x->count && s->x->count <= PLACES; i++)
            if (shade_of(&m, fs_values_at(s->value, i)) == k)
                fs_html_put(h, "M%.2f %.2fL%.2f %.2f", place_at(p, s->x, i, false),
                            place_at(p, s->y, i, true), place_at(p, s->x2, i, false),
                            place_at(p, s->y2, i, true));
        fs_html_put(h, "\"/>");
    }
    fs_html_put(h, "</svg>");
}

void fs_html_small(fs_html *h, const fs_item *item) {
    fs_html_put(h, "<figure><a href=\"#%s\">", item->id);
    for (size_t i = 0; i < item->panel->count; i++) {
        const fs_chart_series *s = item->panel->series[i];
        if (s->as == FS_DRAW_CELLS)
            put_cells(h, item->panel, s, item->text);
        else if (s->as == FS_DRAW_LINKS)
            put_links(h, item->panel, s, item->text);
    }
    fs_html_put(h, "</a><figcaption>%s.</figcaption></figure>\n", item->text);
}
