/* Maps of a network: its links as arrows between the places of routers, coloured by a measure. */
#include "reports/read/run_measured.h"
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { MAPS = 8 };
static const double of_a_pitch = 100; /* places in the file: hundredths of the way to a neighbour */

static const double aside = 0.1; /* of a pitch: from the line between two routers to the arrow */

typedef struct map {
    const fs_plan_panel *panel;
    fs_report_picture *picture;
    const double *value; /* [links] */
    double most, mean;
    size_t most_at;
} map;

typedef struct links {
    fs_report *r;
    const char *id;
    size_t count, maps;
    bool grid;
    const int64_t *out; /* a way out to an end point, which is no arrow */
    const char *const *name;
    double *at[4];          /* x, y of both ends */
    double low[2], high[2]; /* of all x, of all y */
    map map[MAPS];
    const map *told;
} links;

static bool know(void *self, const char *name, fs_fill_value *out) {
    const links *l = self;
    const map *m = l->told;
    *out = (fs_fill_value){.unit = ""};
    if (strcmp(name, "most") == 0 || strcmp(name, "mean") == 0)
        out->number = name[1] == 'o' ? m->most : m->mean;
    else if (strcmp(name, "link") == 0)
        out->text = l->name[m->most_at];
    else
        return false;
    return true;
}

typedef struct arrow {
    double x, y, dx, dy;
} arrow;

/* Arrows keep to their right, so that the two directions of a connection lie beside each other; those that lead
 * back round a ring end half way out. */
static arrow arrow_of(const links *l, size_t i) {
    const double x = l->at[0][i], y = l->at[1][i], dx = l->at[2][i] - x, dy = l->at[3][i] - y;
    const double length = sqrt(dx * dx + dy * dy);
    const double ux = length > 0 ? dx / length : 0, uy = length > 0 ? dy / length : 0;
    return (arrow){x + 0.18 * ux + aside * uy, y + 0.18 * uy - aside * ux, dx - 0.36 * ux, dy - 0.36 * uy};
}

static fs_status save(links *l, map *m, fs_error *err) {
    fs_report *r = l->r;
    double *low = l->low, *high = l->high;
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    r->text.used = 0;
    for (size_t i = 0; i < l->count; i++) {
        for (int d = 0; d < 2; d++) {
            low[d] = fmin(low[d], fmin(l->at[d][i], l->at[2 + d][i]));
            high[d] = fmax(high[d], fmax(l->at[d][i], l->at[2 + d][i]));
        }
        if (l->out[i] == 0) {
            const arrow a = arrow_of(l, i);
            fs_page_text_print(&r->text, "%g %g %g %g %.6g\n", a.x, a.y, a.dx, a.dy, m->value[i]);
        }
    }
    if (fs_page_text_save(&r->text, r->pictures, m->panel->name, "dat", err))
        return err->status;
    l->told = m;
    m->picture = fs_report_begin(r, m->panel, false, know, l);
    fs_report_set_text(r, "unit", m->panel->columns[0].label);
    fs_page_text_print(&r->text, "x_low = %g; x_high = %g; y_low = %g; y_high = %g; high = %.9g; grid = %d\n",
                       low[0], high[0], low[1], high[1], m->most, l->grid);
    return fs_report_end(r, m->panel->name, "links.gp", err);
}

static fs_status read_map(links *l, const fs_csv *t, const fs_plan_panel *panel, fs_error *err) {
    map *m = &l->map[l->maps];
    size_t arrows = 0;
    *m = (map){.panel = panel, .value = fs_measured(l->r->arena, t, &panel->columns[0], err)};
    if (m->value == NULL)
        return err->status;
    for (size_t i = 0; i < l->count; i++) {
        if (l->out[i] != 0)
            continue;
        arrows++;
        m->mean += m->value[i];
        if (m->value[i] > m->most) {
            m->most = m->value[i];
            m->most_at = i;
        }
    }
    m->mean = arrows > 0 ? m->mean / (double)arrows : 0;
    l->maps += m->most > 0;
    return FS_OK;
}

static fs_status prepare(fs_report *r, const fs_plan_section *s, void **own, fs_error *err) {
    static const char *const places[] = {"x", "y", "to_x", "to_y"};
    links *l = FS_NEW(r->arena, links, 1);
    const fs_csv *t = fs_folder_table(r->run, s->file, err);
    l->r = r;
    l->id = s->id;
    if (t == NULL || !fs_csv_has(t, "name"))
        return err->status;
    if ((l->out = fs_csv_ints(t, "out", err)) == NULL || (l->name = fs_csv_words(t, "name", err)) == NULL)
        return err->status;
    l->count = fs_csv_rows(t);
    l->grid = l->count > 0 && l->name[0][0] == '('; /* named by its places */
    for (int k = 0; k < 4; k++)
        if ((l->at[k] = fs_measured(
                 r->arena, t, &(fs_plan_column){.column = places[k], .scale = 1 / of_a_pitch}, err)) == NULL)
            return err->status;
    for (size_t i = 0; i < s->panel_count && l->maps < MAPS; i++)
        if (read_map(l, t, &s->panels[i], err))
            return err->status;
    for (size_t i = 0; i < l->maps; i++)
        if (save(l, &l->map[i], err))
            return err->status;
    *own = l->maps > 0 ? l : NULL;
    r->links = r->links == NULL ? *own : r->links;
    return FS_OK;
}

void fs_report_small_links(fs_report *r) {
    enum { SHADES = FS_REPORT_SHADES, LINKS = 4096 };
    const links *l = r->links;
    if (l == NULL || r->seen != NULL || l->count > LINKS)
        return;
    const map *m = &l->map[0];
    const double breadth = l->high[0] - l->low[0] + 0.6, drop = l->high[1] - l->low[1] + 0.6;
    fs_page_put(r->page,
                "<figure><a href=\"#%s\"><svg viewBox=\"%g %g %g %g\" role=\"img\" aria-label=\"%s\" "
                "fill=\"none\" stroke-width=\"0.12\">",
                l->id, l->low[0] - 0.3, l->low[1] - 0.3, breadth, drop, m->picture->title);
    fs_page_put(r->page, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#120818\"/>",
                l->low[0] - 0.3, l->low[1] - 0.3, breadth, drop);
    for (size_t k = 0; k < SHADES; k++) {
        fs_page_put(r->page, "<path stroke=\"%s\" d=\"", fs_report_shades[k]);
        for (size_t i = 0; i < l->count; i++) {
            const size_t shade = (size_t)(m->value[i] / m->most * SHADES);
            if (l->out[i] != 0 || (shade < SHADES ? shade : SHADES - 1) != k)
                continue;
            const arrow a = arrow_of(l, i);
            fs_page_put(r->page, "M%.2f %.2fl%.2f %.2f", a.x, a.y, a.dx, a.dy);
        }
        fs_page_put(r->page, "\"/>");
    }
    fs_page_put(r->page, "</svg></a><figcaption>%s.</figcaption></figure>\n", m->picture->title);
}

/* The middle of each arrow, its link, and what all maps show of it: under the pointer. */
static void put_data(const links *l) {
    json_t *x = json_array(), *y = json_array(), *labels = json_array(), *layers = json_array();
    for (size_t k = 0; k <= l->maps; k++) {
        json_t *values = json_array();
        for (size_t i = 0; i < l->count; i++) {
            if (l->out[i] != 0)
                continue;
            if (k < l->maps) {
                json_array_append_new(values, json_real(l->map[k].value[i]));
                continue;
            }
            const double dx = l->at[2][i] - l->at[0][i], dy = l->at[3][i] - l->at[1][i];
            const double length = fmax(sqrt(dx * dx + dy * dy), 1e-9);
            json_array_append_new(x, json_real(l->at[0][i] + dx / 2 + aside * dy / length));
            json_array_append_new(y, json_real(l->at[1][i] + dy / 2 - aside * dx / length));
            json_array_append_new(labels, json_string(l->name[i]));
        }
        if (k == l->maps) {
            json_decref(values);
            continue;
        }
        const fs_plan_column *c = &l->map[k].panel->columns[0];
        json_array_append_new(
            layers, json_pack("{s:s, s:s, s:o}", "what", c->label, "unit", c->unit, "values", values));
    }
    fs_page_json(l->r->page, fs_arena_printf(l->r->arena, "%s-links", l->id), 6,
                 json_pack("{s:o, s:o, s:o, s:o}", "x", x, "y", y, "labels", labels, "layers", layers));
}

static json_t *show(const fs_plot_panel *panel, void *self) {
    const links *l = self;
    (void)panel;
    return json_pack("{s:s, s:b, s:s}", "kind", "dots", "own", 1, "data",
                     fs_arena_printf(l->r->arena, "%s-links", l->id));
}

static fs_status put(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    links *l = own;
    const char *label[MAPS] = {NULL};
    put_data(l);
    for (size_t i = 0; i < l->maps; i++)
        label[i] = l->map[i].panel->label;
    fs_page_choice(r->page, fs_arena_printf(r->arena, "%s-choice", s->id), "what to show on the links", label,
                   l->maps);
    for (size_t i = 0; i < l->maps; i++) {
        fs_page_panel(r->page, label[i]);
        if (fs_report_figure(r, l->map[i].picture, err))
            return err->status;
        fs_report_hover(r, l->map[i].picture, show, l);
    }
    fs_page_choice_end(r->page);
    return FS_OK;
}

const fs_report_kind fs_report_kind_links = {"links", prepare, put};
