/* Maps of the chip: a measure of each tile at its place. */
#include "reports/read/run_measured.h"
#include "reports/run/report_private.h"
#include "sim/base/arith.h"
#include "sim/base/detmath.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { MAPS = 8 };

typedef struct measure {
    const fs_plan_panel *panel;
    fs_report_picture *picture;
    double *value; /* [tiles]; NAN: the tile is not used */
    double most, least;
    size_t most_at;
    bool logarithmic;
} measure;

typedef struct chip {
    const char *id;
    fs_report *r;
    size_t tiles, unused, maps;
    int64_t columns, folds;
    int64_t shown[2]; /* rows of each half that are drawn: to the last one with a role */
    size_t beyond[2]; /* tiles of each half that are not */
    bool side;        /* the chip lies on its side: more rows than columns */
    double *x, *y;    /* [tiles] */
    const int64_t *tile, *level, *column, *row, *sub;
    const char *const *role;
    const fs_csv *table;
    measure map[MAPS];
    const measure *told; /* the one whose title is filled */
} chip;

/* Rows behind the last one that has a role in their half are left out. */
static bool drawn(const chip *c, size_t tile) {
    return c->row[tile] < c->shown[c->column[tile] >= c->folds];
}

/* Raw columns fold about the exchange spine: half 0 above it, half 1 below, row 0 next to it
 * (models/chip/geometry.h). The four tiles of a super-tile stand side by side, the two of an exchange pair
 * (sub differs in bit 1) next to each other. On its side the chip has half 0 left of the spine and half 1
 * right of it. */
static void place_tiles(fs_report *r, chip *c) {
    const double pitch = 4.3; /* super-tile, in tiles */
    FS_ASSERT(c->role != NULL, "tiles that nobody has read");
    c->columns = 1;
    for (size_t i = 0; i < c->tiles; i++)
        c->columns = c->column[i] >= c->columns ? c->column[i] + 1 : c->columns;
    c->folds = c->columns > 1 ? c->columns / 2 : 1;
    for (size_t i = 0; i < c->tiles; i++) {
        int64_t *shown = &c->shown[c->column[i] >= c->folds];
        if (strcmp(c->role[i], fs_role_unused) != 0 && c->row[i] >= *shown)
            *shown = c->row[i] + 1;
    }
    for (size_t i = 0; i < c->tiles; i++)
        c->beyond[c->column[i] >= c->folds] += !drawn(c, i);
    c->side = (double)(c->shown[0] + c->shown[1]) > (double)c->folds * pitch;
    c->x = FS_NEW(r->arena, double, c->tiles + 1);
    c->y = FS_NEW(r->arena, double, c->tiles + 1);
    for (size_t i = 0; i < c->tiles; i++) {
        const bool below = c->column[i] >= c->folds;
        const int64_t fold = below ? c->columns - 1 - c->column[i] : c->column[i];
        const double along = (double)fold * pitch + (double)((c->sub[i] & 1) * 2 + (c->sub[i] >> 1)) + 0.5,
                     out = (below ? -1 : 1) * ((double)c->row[i] + 1.6);
        c->x[i] = c->side ? -out : along;
        c->y[i] = c->side ? -along : out;
    }
}

static fs_status read_places(fs_report *r, const char *file, chip *c, fs_error *err) {
    const struct {
        const int64_t **to;
        const char *name;
    } wanted[] = {
        {&c->tile, "tile"}, {&c->level, "level"}, {&c->column, "column"}, {&c->row, "row"}, {&c->sub, "sub"}};
    c->table = fs_folder_table(r->run, file, err);
    for (size_t i = 0; c->table != NULL && i < sizeof wanted / sizeof *wanted; i++)
        if ((*wanted[i].to = fs_csv_ints(c->table, wanted[i].name, err)) == NULL)
            return err->status;
    c->role = c->table == NULL ? NULL : fs_csv_words(c->table, "role", err);
    if (c->role == NULL)
        return err->status;
    c->tiles = fs_csv_rows(c->table);
    for (size_t i = 0; i < c->tiles; i++) {
        c->unused += strcmp(c->role[i], fs_role_unused) == 0;
        if (c->column[i] < 0 || c->column[i] > 1000 || c->row[i] < 0 || c->row[i] > 1000 || c->sub[i] < 0 ||
            c->sub[i] > 3)
            return fs_fail(err, FS_INPUT, "%s/%s:%zu: no place on a chip", fs_folder_path(r->run), file,
                           i + 2);
    }
    return FS_OK;
}

/* A chip on which nothing is to be seen is not drawn, nor a column that the run does not have. */
static fs_status read_measure(fs_report *r, chip *c, const fs_plan_panel *panel, fs_error *err) {
    measure *m = &c->map[c->maps];
    FS_ASSERT(c->role != NULL, "tiles that nobody has read");
    *m = (measure){
        .panel = panel, .value = fs_measured(r->arena, c->table, &panel->columns[0], err), .least = INFINITY};
    if (m->value == NULL)
        return err->status;
    for (size_t i = 0; i < c->tiles; i++) {
        if (m->value[i] > m->most) {
            m->most = m->value[i];
            m->most_at = i;
        }
        if (strcmp(c->role[i], fs_role_unused) == 0)
            m->value[i] = NAN;
        else
            m->least = fmin(m->least, m->value[i]);
    }
    const char *form = panel->form;
    m->logarithmic = strcmp(form, "log") == 0 || (strcmp(form, "auto") == 0 && m->least < m->most / 50);
    c->maps += m->most > 0;
    return FS_OK;
}

/* "tracers 12 %, routers 3 %": the mean of each role. */
static const char *means(const chip *c, const measure *m) {
    const char *text = "";
    fs_roles *roles = &c->r->roles;
    const char *unit = m->panel->columns[0].unit;
    for (size_t k = 0; k < roles->count; k++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < c->tiles; i++)
            if (!isnan(m->value[i]) && strcmp(c->role[i], roles->name[k]) == 0) {
                sum += m->value[i];
                count++;
            }
        if (count > 0)
            text = fs_arena_printf(c->r->arena, "%s%s%s %s %.*s", text, text[0] == '\0' ? "" : ", ",
                                   fs_roles_group(roles, roles->name[k], false, 0, (size_t)count),
                                   fs_number_short(sum / count, 2), (int)strcspn(unit, " "), unit);
    }
    return text;
}

/* A value of the map in the plain unit of its kind, which a sentence writes by its size. */
static fs_fill_value sized(const measure *m, double value) {
    static const struct {
        const char *of, *unit;
        double factor;
    } plain[] = {{"\xc2\xb5J", "J", 1e-6}, {"MB", "B", 1e6}, {"KiB", "B", 1024}};
    const char *unit = m->panel->columns[0].unit;
    for (size_t i = 0; unit != NULL && i < FS_COUNT(plain); i++)
        if (strcmp(unit, plain[i].of) == 0)
            return (fs_fill_value){.number = value * plain[i].factor, .unit = plain[i].unit};
    return (fs_fill_value){.number = value, .unit = ""};
}

static bool know(void *self, const char *name, fs_fill_value *out) {
    const chip *c = self;
    const measure *m = c->told;
    *out = (fs_fill_value){.unit = ""};
    if (strcmp(name, "most") == 0 || strcmp(name, "least") == 0)
        *out = sized(m, name[0] == 'm' ? m->most : m->least);
    else if (strcmp(name, "tile") == 0)
        out->text =
            fs_arena_printf(c->r->arena, "%s %lld", c->role[m->most_at], (long long)c->tile[m->most_at]);
    else if (strcmp(name, "means") == 0)
        out->text = means(c, m);
    else
        return false;
    return true;
}

/* What marks and colours mean. */
static const char *legend(const chip *c) {
    fs_roles *roles = &c->r->roles;
    const char *text = "";
    for (size_t k = 0; k < roles->count; k++) {
        const char *mark = roles->mark[k];
        bool there = false;
        for (size_t i = 0; i < c->tiles && !there; i++)
            there = strcmp(c->role[i], roles->name[k]) == 0;
        if (mark != NULL && there)
            text = fs_arena_printf(c->r->arena, "%s%s: %s%s   ", text,
                                   fs_roles_levelled(roles, roles->name[k]) ? "number" : mark,
                                   fs_roles_levelled(roles, roles->name[k]) ? "level of a " : "",
                                   roles->name[k]);
    }
    return c->unused > 0 ? fs_arena_printf(c->r->arena, "%sgrey: %zu tiles without a role", text, c->unused)
                         : text;
}

/* What is left out of a half: "2,924 spare". */
static const char *spare(const chip *c, size_t half) {
    return c->beyond[half] == 0
               ? ""
               : fs_arena_printf(c->r->arena, "%s spare", fs_number_grouped((double)c->beyond[half]));
}

static fs_status save_map(fs_report *r, chip *c, measure *m, fs_error *err) {
    FS_ASSERT(c->role != NULL && c->level != NULL, "tiles that nobody has read");
    r->text.used = 0;
    for (size_t i = 0; i < c->tiles; i++) {
        const bool used = !isnan(m->value[i]);
        if (!drawn(c, i))
            continue;
        const char *mark = used ? fs_roles_mark(&r->roles, c->role[i], c->level[i]) : "";
        /* -1: no role; gnuplot takes no empty word */
        fs_page_text_print(&r->text, "%g,%g,%s,%s\n", c->x[i], c->y[i],
                           used ? fs_arena_printf(r->arena, "%.6g", m->value[i]) : "-1",
                           mark[0] == '\0' ? "-" : mark);
    }
    if (fs_page_text_save(&r->text, r->pictures, m->panel->name, "dat", err))
        return err->status;
    c->told = m;
    m->picture = fs_report_begin(r, m->panel, false, know, c);
    const fs_plan_column *plan = &m->panel->columns[0];
    fs_report_set_text(r, "unit", fs_arena_printf(r->arena, "%s, %s", plan->label, plan->unit));
    fs_report_set_text(r, "legend", legend(c));
    fs_report_set_text(r, "spare_a", spare(c, 0));
    fs_report_set_text(r, "spare_b", spare(c, 1));
    fs_page_text_print(
        &r->text,
        "columns = %lld; folds = %lld; rows_a = %lld; rows_b = %lld; side = %d; low = %.9g; high = %.9g; "
        "logarithmic = %d\n",
        (long long)c->columns, (long long)c->folds, (long long)c->shown[0], (long long)c->shown[1], c->side,
        m->logarithmic ? m->most / 1000 : 0, m->most, m->logarithmic);
    return fs_report_end(r, m->panel->name, "chip.gp", err);
}

static fs_status prepare(fs_report *r, const fs_plan_section *s, void **own, fs_error *err) {
    chip *c = FS_NEW(r->arena, chip, 1);
    c->r = r;
    c->id = s->id;
    if (read_places(r, s->file, c, err))
        return err->status;
    place_tiles(r, c);
    for (size_t i = 0; i < s->panel_count && c->maps < MAPS; i++)
        if (s->panels[i].column_count > 0 && read_measure(r, c, &s->panels[i], err))
            return err->status;
    for (size_t i = 0; i < c->maps; i++)
        if (save_map(r, c, &c->map[i], err))
            return err->status;
    *own = c->maps > 0 ? c : NULL;
    r->seen = r->seen == NULL ? *own : r->seen;
    return FS_OK;
}

/* ---- small, for the first screen ---- */

enum { PLACES = 4096, SHADES = FS_REPORT_SHADES }; /* squares, at most */

/* Squares over the chip, of `side` tiles: each tile, or of a large chip the greatest value at each place of a grid. */
typedef struct squares {
    double width, height, side;
    size_t count;
    struct {
        double x, y, value;
    } * at;
} squares;

static squares squares_of(const chip *c, const measure *m) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    size_t tiles = 0;
    for (size_t i = 0; i < c->tiles; i++) {
        const double at[2] = {c->x[i], -c->y[i]};
        for (int a = 0; a < 2 && drawn(c, i); a++) {
            low[a] = fmin(low[a], at[a]);
            high[a] = fmax(high[a], at[a]);
        }
        tiles += drawn(c, i);
    }
    squares s = {.width = high[0] - low[0] + 1, .height = high[1] - low[1] + 1, .side = 1};
    s.at = fs_arena_alloc(c->r->arena, c->tiles + 1, sizeof *s.at);
    if (tiles > PLACES)
        s.side = sqrt(s.width * s.height / PLACES);
    const size_t columns = (size_t)(s.width / s.side) + 1, rows = (size_t)(s.height / s.side) + 1;
    size_t *square = FS_NEW(c->r->arena, size_t, columns * rows); /* 1 + its number */
    for (size_t i = 0; i < c->tiles; i++) {
        if (!drawn(c, i) || isnan(m->value[i]))
            continue;
        double x = c->x[i] - low[0], y = -c->y[i] - low[1];
        size_t *known = &square[(size_t)(y / s.side) * columns + (size_t)(x / s.side)];
        if (tiles > PLACES && *known > 0) {
            s.at[*known - 1].value = fmax(s.at[*known - 1].value, m->value[i]);
            continue;
        }
        if (tiles > PLACES) {
            x = s.side * floor(x / s.side);
            y = s.side * floor(y / s.side);
        }
        s.at[s.count].x = x;
        s.at[s.count].y = y;
        s.at[s.count].value = m->value[i];
        *known = ++s.count;
    }
    return s;
}

const char *const fs_report_shades[SHADES] = {"#440154", "#472c7a", "#3b518b", "#2c718e", "#21908d",
                                              "#27ad81", "#5cc863", "#aadc32", "#fde725"};

/* Of SHADES by the map's own scale. */
static size_t shade_of(const measure *m, double value) {
    const double part =
        m->logarithmic ? 1 + fs_log(fmax(value, m->most / 1000) / m->most) / fs_log(1000) : value / m->most;
    return part >= 1 ? SHADES - 1 : (size_t)(fmax(part, 0) * SHADES);
}

void fs_report_small_chip(fs_report *r) {
    const chip *c = r->seen;
    if (c == NULL)
        return;
    const measure *m = &c->map[0];
    const squares s = squares_of(c, m);
    fs_page_put(r->page,
                "<figure><a href=\"#%s\"><svg viewBox=\"0 0 %.1f %.1f\" role=\"img\" aria-label=\"%s\">",
                c->id, s.width, s.height, m->picture->title);
    for (size_t k = 0; k < SHADES; k++) {
        fs_page_put(r->page, "<path fill=\"%s\" d=\"", fs_report_shades[k]);
        for (size_t i = 0; i < s.count; i++)
            if (shade_of(m, s.at[i].value) == k)
                fs_page_put(r->page, "M%.1f %.1fh%.1fv%.1fh-%.1fz", s.at[i].x, s.at[i].y, s.side, s.side,
                            s.side);
        fs_page_put(r->page, "\"/>");
    }
    fs_page_put(r->page, "</svg></a><figcaption>%s.</figcaption></figure>\n", m->picture->title);
}

/* Layers of numbers, one for each tile, beside places and labels: what all maps show under the pointer. Tiles that stand where
 * those of the page's first chip do have places and labels there. */
static void put_data(fs_report *r, const chip *c) {
    const chip *first = r->chip == NULL ? c : r->chip;
    const bool same = first != c && first->tiles == c->tiles &&
                      memcmp(first->x, c->x, c->tiles * sizeof *c->x) == 0 &&
                      memcmp(first->y, c->y, c->tiles * sizeof *c->y) == 0;
    json_t *x = json_array(), *y = json_array(), *labels = json_array(), *layers = json_array();
    r->chip = first;
    const bool shards = fs_csv_has(c->table, "shard");
    for (size_t i = 0; i < c->tiles && !same; i++) {
        const char *words = fs_arena_printf(r->arena, "%s %lld", c->role[i], (long long)c->tile[i]);
        const char *shard = shards ? fs_csv_text(c->table, i, "shard") : "";
        if (fs_roles_levelled(&r->roles, c->role[i]))
            words = fs_arena_printf(r->arena, "%s, level %lld", words, (long long)c->level[i]);
        else if (shard[0] >= '0' && shard[0] <= '9')
            words = fs_arena_printf(r->arena, "%s, shard %s", words, shard);
        words = fs_arena_printf(r->arena, "%s; column %lld, row %lld, place %lld", words,
                                (long long)c->column[i], (long long)c->row[i], (long long)c->sub[i]);
        json_array_append_new(labels, json_string(words));
        json_array_append_new(x, json_real(c->x[i]));
        json_array_append_new(y, json_real(c->y[i]));
    }
    for (size_t k = 0; k < c->maps; k++) {
        const fs_plan_column *plan = &c->map[k].panel->columns[0];
        json_t *values = json_array();
        for (size_t i = 0; i < c->tiles; i++)
            json_array_append_new(values, json_real(isnan(c->map[k].value[i]) ? 0 : c->map[k].value[i]));
        json_array_append_new(
            layers, json_pack("{s:s, s:s, s:o}", "what", plan->label, "unit", plan->unit, "values", values));
    }
    json_t *data = json_pack("{s:o, s:o, s:o, s:o}", "x", x, "y", y, "labels", labels, "layers", layers);
    if (same)
        json_object_set_new(data, "places", json_string(fs_arena_printf(r->arena, "%s-tiles", first->id)));
    fs_page_json(r->page, fs_arena_printf(r->arena, "%s-tiles", c->id), 6, data);
}

static json_t *show(const fs_plot_panel *panel, void *self) {
    const chip *c = self;
    (void)panel;
    return json_pack("{s:s, s:[f,f], s:s}", "kind", "points", "half", 0.5, 0.5, "data",
                     fs_arena_printf(c->r->arena, "%s-tiles", c->id));
}

static fs_status put(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    chip *c = own;
    const char *label[MAPS] = {NULL};
    for (size_t i = 0; i < c->maps; i++)
        label[i] = c->map[i].panel->label == NULL ? c->map[i].panel->name : c->map[i].panel->label;
    put_data(r, c);
    fs_page_choice(r->page, fs_arena_printf(r->arena, "%s-choice", s->id), "what to show on the chip", label,
                   c->maps);
    for (size_t i = 0; i < c->maps; i++) {
        fs_page_panel(r->page, label[i]);
        if (fs_report_figure(r, c->map[i].picture, err))
            return err->status;
        fs_report_hover(r, c->map[i].picture, show, c);
    }
    fs_page_choice_end(r->page);
    return FS_OK;
}

const fs_report_kind fs_report_kind_chip = {"chip", prepare, put};
