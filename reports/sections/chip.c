/* Maps of the chip: a measure of each tile at its place; of several runs side by side on one scale, with
 * their differences from the base. */
#include "reports/sections/sections_private.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { MAPS = 8 };
typedef struct fs_show_places chip;

typedef struct measure {
    const fs_plan_panel *panel;
    double *value[FS_SHOW_RUNS]; /* [tiles]; NAN: the tile is not used */
    double most, least;
    size_t most_at;
    bool logarithmic;
    const char *title;
    const fs_values *values[FS_SHOW_RUNS]; /* of the tiles that are drawn */
} measure;

typedef struct maps {
    fs_show *s;
    const fs_plan_section *section;
    chip run[FS_SHOW_RUNS];
    size_t count;
    measure map[MAPS];
    const measure *told; /* the one whose title is filled */
    const fs_values *x[FS_SHOW_RUNS], *y[FS_SHOW_RUNS], *names[FS_SHOW_RUNS], *marks[FS_SHOW_RUNS];
    const fs_chart_frames *frames; /* that the first map plays; NULL: none */
} maps;

/* ---- measures ---- */

static fs_status read_measure(maps *m, const fs_plan_panel *panel, fs_error *err) {
    measure *of = &m->map[m->count];
    *of = (measure){.panel = panel, .least = INFINITY};
    for (size_t r = 0; r < m->s->count; r++) {
        const chip *c = &m->run[r];
        if (c->tiles == 0)
            continue;
        of->value[r] = fs_measured(m->s->arena, c->table, &panel->columns[0], err);
        if (err->status != FS_OK)
            return err->status;
        for (size_t i = 0; of->value[r] != NULL && i < c->tiles; i++) {
            const double v = of->value[r][i];
            if (v > of->most) {
                of->most = v;
                of->most_at = i;
            }
            if (strcmp(c->role[i], fs_role_unused) == 0)
                of->value[r][i] = NAN;
            else
                of->least = fmin(of->least, v);
        }
    }
    const char *form = panel->form;
    of->logarithmic = strcmp(form, "log") == 0 || (strcmp(form, "auto") == 0 && of->least < of->most / 50);
    m->count += of->most > 0; /* a chip on which nothing is to be seen is not drawn */
    return FS_OK;
}

/* Tiles at the same places. */
static bool is_alike(const chip *a, const chip *b) {
    return a->drawn > 0 && a->drawn == b->drawn && memcmp(a->x, b->x, a->drawn * sizeof *a->x) == 0 &&
           memcmp(a->y, b->y, a->drawn * sizeof *a->y) == 0;
}

/* The same chip as the base's: differences can be drawn. */
static bool is_same(const maps *m, size_t run) {
    return is_alike(&m->run[0], &m->run[run]);
}

/* ---- words ---- */

/* "tracers 12 %, routers 3 %": the mean of each role. */
static const char *means(const maps *m) {
    const char *text = "", *unit = m->told->panel->columns[0].unit;
    fs_roles *roles = m->s->roles;
    const chip *c = &m->run[0];
    for (size_t k = 0; k < roles->count; k++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < c->tiles; i++)
            if (!isnan(m->told->value[0][i]) && strcmp(c->role[i], roles->name[k]) == 0) {
                sum += m->told->value[0][i];
                count++;
            }
        if (count > 0)
            text = fs_arena_append(m->s->arena, text, ", ", "%s %s %.*s",
                                   fs_roles_group(roles, roles->name[k], false, 0, (size_t)count),
                                   fs_number_short(sum / count, 2), (int)strcspn(unit, " "), unit);
    }
    return text;
}

/* A value of the map in the plain unit of its kind, which a sentence writes by its size. */
static fs_number_value sized(const measure *of, double value) {
    static const struct {
        const char *of, *unit;
        double factor;
    } plain[] = {{"\xc2\xb5J", "J", 1e-6}, {"MB", "B", 1e6}, {"KiB", "B", 1024}};
    const char *unit = of->panel->columns[0].unit;
    const size_t i = unit == NULL ? FS_COUNT(plain) : FS_PLACE(plain, FS_COUNT(plain), of, unit);
    return i == FS_COUNT(plain) ? (fs_number_value){.number = value, .unit = ""}
                                : (fs_number_value){.number = value * plain[i].factor, .unit = plain[i].unit};
}

static bool know(void *self, const char *name, fs_number_value *out) {
    const maps *m = self;
    const chip *c = &m->run[0];
    *out = (fs_number_value){.unit = ""};
    if (strcmp(name, "most") == 0 || strcmp(name, "least") == 0)
        *out = sized(m->told, name[0] == 'm' ? m->told->most : m->told->least);
    else if (strcmp(name, "tile") == 0)
        out->text = fs_arena_printf(m->s->arena, "%s %lld", c->role[m->told->most_at],
                                    (long long)c->tile[m->told->most_at]);
    else if (strcmp(name, "means") == 0)
        out->text = means(m);
    else
        return false;
    return true;
}

/* What letters and colours mean. */
static const char *legend(const maps *m) {
    fs_roles *roles = m->s->roles;
    const chip *c = &m->run[0];
    const char *text = "";
    for (size_t k = 0; k < roles->count; k++) {
        const char *mark = roles->mark[k];
        bool there = false;
        for (size_t i = 0; i < c->tiles && !there; i++)
            there = strcmp(c->role[i], roles->name[k]) == 0;
        if (mark != NULL && there)
            text = fs_arena_append(m->s->arena, text, ", ", "%s: %s%s",
                                   fs_roles_levelled(roles, roles->name[k]) ? "number" : mark,
                                   fs_roles_levelled(roles, roles->name[k]) ? "level of a " : "",
                                   roles->name[k]);
    }
    if (c->unused > 0)
        text = fs_arena_append(m->s->arena, text, ", ", "grey: %zu tiles without a role", c->unused);
    text = fs_arena_append(m->s->arena, text, ", ", "grey bar: the exchange spine");
    return fs_arena_printf(m->s->arena, " %c%s.",
                           text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' + 'A' : text[0], text + 1);
}

static const char *job_of(const maps *m, size_t run, size_t i) {
    const chip *c = &m->run[run];
    return !fs_roles_levelled(m->s->roles, c->role[i])
               ? c->role[i]
               : fs_arena_printf(m->s->arena, "%s, level %lld", c->role[i], (long long)c->level[i]);
}

/* "tracer 12, shard 3; column 1, row 2, place 0", with what the tile is in other runs. */
static const char *name_of(const maps *m, size_t run, size_t drawn) {
    const chip *c = &m->run[run];
    const size_t i = c->tile_of[drawn];
    const char *shard = fs_csv_has(c->table, "shard") ? fs_csv_text(c->table, i, "shard") : "", *words;
    words = fs_arena_printf(m->s->arena, "%s %lld", c->role[i], (long long)c->tile[i]);
    if (fs_roles_levelled(m->s->roles, c->role[i]))
        words = fs_arena_printf(m->s->arena, "%s, level %lld", words, (long long)c->level[i]);
    else if (shard[0] >= '0' && shard[0] <= '9')
        words = fs_arena_printf(m->s->arena, "%s, shard %s", words, shard);
    if (c->chips > 1)
        words = fs_arena_printf(m->s->arena, "%s; chip %lld", words, (long long)(c->column[i] / c->columns));
    for (size_t other = run + 1; other < m->s->count && is_same(m, run); other++)
        if (is_same(m, other)) {
            const char *job = job_of(m, other, m->run[other].tile_of[drawn]);
            if (strcmp(job, job_of(m, run, i)) != 0)
                words = fs_arena_printf(m->s->arena, "%s (%s in %s)", words, job, m->s->label[other]);
        }
    return fs_arena_printf(m->s->arena, "%s; column %lld, row %lld, place %lld", words,
                           (long long)c->column[i], (long long)c->row[i], (long long)c->sub[i]);
}

/* ---- charts ---- */

/* Places, letters and names of a run's tiles, once for all of its maps. */
static void add_places(maps *m, size_t run) {
    const chip *c = &m->run[run];
    const maps *first = m->s->chip;
    if (first != NULL && is_alike(&first->run[run], c)) {
        m->x[run] = first->x[run];
        m->y[run] = first->y[run];
        m->names[run] = first->names[run];
        m->marks[run] = first->marks[run];
        return;
    }
    const char **name = FS_NEW(m->s->arena, const char *, c->drawn + 1),
               **mark = FS_NEW(m->s->arena, const char *, c->drawn + 1);
    for (size_t k = 0; k < c->drawn; k++) {
        const size_t i = c->tile_of[k];
        name[k] = name_of(m, run, k);
        mark[k] = strcmp(c->role[i], fs_role_unused) == 0
                      ? ""
                      : fs_roles_mark(m->s->roles, c->role[i], c->level[i]);
    }
    m->x[run] = fs_values_reals(m->s->sheet, c->x, c->drawn);
    m->y[run] = fs_values_reals(m->s->sheet, c->y, c->drawn);
    m->names[run] = fs_values_words(m->s->sheet, name, c->drawn);
    m->marks[run] = fs_values_words(m->s->sheet, mark, c->drawn);
}

static void add_values(maps *m, measure *of, size_t run) {
    const chip *c = &m->run[run];
    double *value = FS_NEW(m->s->arena, double, c->drawn + 1);
    for (size_t k = 0; k < c->drawn; k++)
        value[k] = of->value[run][c->tile_of[k]];
    of->values[run] = fs_values_reals(m->s->sheet, value, c->drawn);
}

static fs_panel *add_panel(maps *m, fs_chart *chart, const measure *of, size_t run, const char *title) {
    const fs_plan_column *c = &of->panel->columns[0];
    const chip *at = &m->run[run];
    fs_panel *panel = fs_chart_panel(m->s->sheet, chart, title);
    fs_show_frame(m->s, panel, at, m->s->count == 1);
    panel->colour = (fs_axis){.label = fs_arena_printf(m->s->arena, "%s, %s", c->label, c->unit),
                              .low = of->logarithmic ? of->most / 1000 : 0,
                              .high = of->most,
                              .log = of->logarithmic};
    fs_chart_series *one = fs_panel_series(m->s->sheet, panel, FS_DRAW_CELLS, c->label, c->unit);
    one->x = m->x[run];
    one->y = m->y[run];
    one->value = of->values[run];
    one->names = m->names[run];
    one->texts = m->marks[run];
    return panel;
}

static void put_one(maps *m, const measure *of) {
    const chip *c = &m->run[0];
    m->told = of;
    const char *caption =
        fs_arena_printf(m->s->arena, "%s%s", fs_show_caption(m->s, of->panel, know, m, NULL), legend(m));
    for (int half = 0; half < 2; half++)
        if (c->beyond[half] > 0)
            caption = fs_arena_printf(m->s->arena, "%s %s spare tiles %s are not drawn.", caption,
                                      fs_number_grouped((double)c->beyond[half]),
                                      c->side ? (half == 0 ? "on the left" : "on the right")
                                              : (half == 0 ? "above" : "below"));
    fs_chart *chart = fs_sheet_chart(m->s->sheet, of->panel->name, of->title, caption);
    fs_panel *panel = add_panel(m, chart, of, 0, NULL);
    panel->series[0]->frames = of == &m->map[0] ? m->frames : NULL;
    for (size_t i = 0; i < m->count; i++)
        if (&m->map[i] != of)
            fs_show_tell(m->s, panel, m->map[i].values[0], m->map[i].panel->columns[0].label,
                         m->map[i].panel->columns[0].unit);
}

/* A tile that only one of the two uses does nothing in the other. */
static const fs_values *difference(maps *m, const measure *of, size_t run, double *reach) {
    const size_t n = m->run[0].drawn;
    double *a = FS_NEW(m->s->arena, double, n + 1), *b = FS_NEW(m->s->arena, double, n + 1),
           *gap_of = FS_NEW(m->s->arena, double, n + 1);
    for (size_t k = 0; k < n; k++) {
        const double x = of->value[0][m->run[0].tile_of[k]], y = of->value[run][m->run[run].tile_of[k]];
        a[k] = isnan(x) ? 0 : x;
        b[k] = isnan(y) ? 0 : y;
        gap_of[k] = isnan(x) && isnan(y) ? NAN : b[k] - a[k];
    }
    *reach = fmax(*reach, fs_show_reach(a, b, n));
    return fs_values_reals(m->s->sheet, gap_of, n);
}

static fs_panel *add_told(void *self, fs_chart *chart, size_t run, const char *title) {
    maps *m = self;
    return add_panel(m, chart, m->told, run, title);
}

static void put_several(maps *m, const measure *of) {
    const fs_plan_column *c = &of->panel->columns[0];
    fs_show_maps beside = {.unit = c->unit, .add = add_told, .self = m};
    m->told = of;
    for (size_t r = 0; r < m->s->count; r++) {
        beside.of[r] = of->values[r];
        if (r > 0 && is_same(m, r) && of->value[0] != NULL && of->value[r] != NULL)
            beside.gap[r] = difference(m, of, r, &beside.reach);
    }
    const char *caption = fs_arena_printf(
        m->s->arena,
        "Each tile at its place on the chip: %s (%s)%s.%s A tile without a role counts as 0 in differences.",
        c->label, c->unit, of->logarithmic ? ", logarithmic; the difference is not" : "", legend(m));
    fs_show_beside(m->s, fs_sheet_chart(m->s->sheet, of->panel->name, of->title, caption), &beside);
}

static void say_what_differs(maps *m) {
    for (size_t r = 0; r < m->s->count && m->s->count > 1; r++)
        if (m->run[r].tiles == 0)
            fs_sheet_note(m->s->sheet, "%s has no tiles that can be placed on a chip.", m->s->label[r]);
        else if (!is_same(m, r))
            fs_sheet_note(m->s->sheet,
                          "The tiles of %s stand otherwise than those of %s: no difference can be drawn.",
                          m->s->label[r], m->s->label[0]);
}

static fs_status read_maps(maps *m, fs_error *err) {
    fs_show *s = m->s;
    for (size_t r = 0; r < s->count; r++)
        if (fs_show_places_read(s, r, m->section->file, &m->run[r], err))
            return err->status;
    for (size_t p = 0; p < m->section->panel_count && m->count < MAPS; p++)
        if (fs_show_shown(s, &m->section->panels[p]) && read_measure(m, &m->section->panels[p], err))
            return err->status;
    return FS_OK;
}

/* The maps of a section, read once: the first screen may have asked for them. */
static maps *maps_of(fs_show *s, const fs_plan_section *section, fs_error *err) {
    maps *m = s->chip;
    if (m != NULL && m->section == section)
        return m;
    m = FS_NEW(s->arena, maps, 1);
    m->s = s;
    m->section = section;
    if (read_maps(m, err))
        return NULL;
    for (size_t r = 0; r < s->count && m->count > 0; r++)
        if (m->run[r].tiles > 0)
            add_places(m, r);
    for (size_t i = 0; i < m->count; i++) {
        m->told = &m->map[i];
        m->map[i].title = fs_show_title(s, m->map[i].panel, false, know, m);
        for (size_t r = 0; r < s->count; r++)
            if (m->map[i].value[r] != NULL)
                add_values(m, &m->map[i], r);
    }
    s->chip = s->chip == NULL && m->count > 0 ? m : s->chip;
    return m;
}

static fs_status put_chip(fs_show *s, const fs_plan_section *section, fs_error *err) {
    maps *m = maps_of(s, section, err);
    if (m == NULL || m->count == 0)
        return err->status;
    fs_show_begin(s, section, fs_show_inside(s, m->map[0].title, m->count));
    say_what_differs(m);
    for (size_t i = 0; i < m->count && s->count > 1; i++)
        put_several(m, &m->map[i]);
    if (s->count > 1)
        return FS_OK;
    if (fs_show_frames(s, &m->run[0], &m->frames, err))
        return err->status;
    fs_sheet_choice(s->sheet, fs_arena_printf(s->arena, "%s-choice", section->id),
                    "what to show on the chip");
    for (size_t i = 0; i < m->count; i++) {
        fs_sheet_panel(s->sheet, fs_show_label(m->map[i].panel));
        put_one(m, &m->map[i]);
    }
    fs_sheet_end(s->sheet);
    return FS_OK;
}

static fs_status sight_of_chip(fs_show *s, const fs_plan_section *section, fs_error *err) {
    maps *m = maps_of(s, section, err);
    if (m == NULL || m->count == 0)
        return err->status;
    s->sight = add_panel(m, FS_NEW(s->arena, fs_chart, 1), &m->map[0], 0, NULL);
    s->sight_title = m->map[0].title;
    s->sight_id = section->id;
    return FS_OK;
}

const fs_show_kind fs_show_kind_chip = {"chip", put_chip, sight_of_chip};
