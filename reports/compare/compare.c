/* Runs side by side: labels, settings that differ, figures with their changes. */
#include "reports/compare/compare.h"

#include <math.h>
#include <string.h>

/* ---- runs ---- */

/* The path's last `parts` parts. */
static const char *tail(const char *path, size_t parts) {
    const char *at = path + strlen(path);
    while (at > path) {
        if (at[-1] == '/' && at[0] != '\0' && --parts == 0)
            break;
        at--;
    }
    return at;
}

/* Labels: the folders' names, with as much of the path before them as it takes to tell them apart. */
static void label_runs(fs_compare *c) {
    for (size_t i = 0; i < c->count; i++) {
        const char *path = fs_folder_path(c->runs[i].folder);
        bool alike = true;
        for (size_t parts = 1; alike && parts < 64; parts++) {
            c->runs[i].label = tail(path, parts);
            alike = false;
            for (size_t k = 0; k < c->count; k++)
                alike |=
                    k != i && strcmp(tail(fs_folder_path(c->runs[k].folder), parts), c->runs[i].label) == 0;
        }
        if (alike) /* the same folder, given twice: a run against itself */
            c->runs[i].label =
                fs_arena_printf(c->arena, "%s (%zu)", fs_folder_label(c->runs[i].folder), i + 1);
    }
}

/* A figure that is counted here: tiles of a role ("tiles.routers"), or without one. */
static fs_stat tile_row(fs_compare *c, const char *name, const char *label, bool used, unsigned place) {
    return (fs_stat){.name = fs_arena_printf(c->arena, "tiles.%s", name),
                     .unit = "tiles",
                     .better = used ? FS_BETTER_LESS : FS_BETTER_MORE,
                     .label = fs_arena_printf(c->arena, "%s tiles", label),
                     .place = place,
                     .doc = used ? "tiles of that role" : "tiles without a role"};
}

static void add_count(fs_figure *to, const fs_stat *row, size_t value, fs_arena *arena) {
    *to = (fs_figure){.name = row->name,
                      .unit = row->unit,
                      .description = row->doc,
                      .row = row,
                      .whole = true,
                      .value = (double)value,
                      .text = fs_arena_printf(arena, "%zu", value)};
}

/* Tiles by role, which are in tiles.csv only; nothing when there is no such table. */
static fs_status count_tiles(fs_compare *c, fs_compare_run *run, fs_error *err) {
    enum { FIRST_PLACE = 140 };
    const char *file = fs_folder_has(run->folder, "tiles.csv") ? "tiles.csv" : "view-0/tiles.csv";
    if (!fs_folder_has(run->folder, file))
        return FS_OK;
    const fs_csv *tiles = fs_folder_table(run->folder, file, err);
    const char *const *role = tiles == NULL ? NULL : fs_csv_words(tiles, "role", err);
    if (role == NULL)
        return FS_INPUT;
    size_t count[FS_ROLES] = {0}, unused = 0;
    for (size_t i = 0; i < fs_csv_rows(tiles); i++)
        if (strcmp(role[i], fs_role_unused) == 0)
            unused++;
        else
            count[fs_roles_at(&run->roles, role[i])]++;
    fs_folder_forget(run->folder, file);
    fs_figure *more = FS_NEW(c->arena, fs_figure, FS_ROLES + 1);
    fs_stat *rows = FS_NEW(c->arena, fs_stat, FS_ROLES + 1);
    for (size_t k = 0; k < run->roles.count; k++) {
        if (count[k] < 2) /* a single tile is no matter of size */
            continue;
        const size_t at = run->more_count++;
        rows[at] = tile_row(c, run->roles.label[k], run->roles.name[k], true, FIRST_PLACE + (unsigned)k);
        add_count(&more[at], &rows[at], count[k], c->arena);
    }
    const size_t at = run->more_count++;
    rows[at] = tile_row(c, fs_role_unused, fs_role_unused, false, FIRST_PLACE + FS_ROLES);
    add_count(&more[at], &rows[at], unused, c->arena);
    run->more = more;
    return FS_OK;
}

/* Of a folder that an earlier foamsim wrote: its figures and settings are compared, and no tables. */
static const fs_page_plan no_plan = {.workload = ""};

static fs_status open_run(fs_compare *c, fs_compare_run *run, const char *dir, fs_error *err) {
    run->folder = fs_folder_open(dir, c->registry == NULL ? NULL : c->registry->figures, err);
    if (run->folder == NULL)
        return err->status;
    run->settings = fs_folder_settings(run->folder, &run->setting_count, err);
    if (run->settings == NULL)
        return err->status;
    const fs_page_plan *plan = fs_folder_page(run->folder, err);
    if (err->status != FS_OK)
        return err->status;
    run->plan = plan == NULL ? &no_plan : plan;
    fs_roles_begin(&run->roles, c->arena, run->plan);
    return count_tiles(c, run, err) ? err->status : fs_compare_read_work(c, run, err);
}

/* ---- settings ---- */

static const char *value_of(const fs_compare_run *run, const char *section, const char *key, size_t likely) {
    for (size_t k = 0; k < run->setting_count; k++) {
        const fs_setting *s = &run->settings[(likely + k) % run->setting_count];
        if (strcmp(s->key, key) == 0 && strcmp(s->section, section) == 0)
            return s->value;
    }
    return NULL;
}

static bool known_before(const fs_compare *c, size_t run, const fs_setting *s) {
    for (size_t i = 0; i < run; i++)
        if (value_of(&c->runs[i], s->section, s->key, 0) != NULL)
            return true;
    return false;
}

/* Every parameter whose value is not the same in all runs, in the order of the first run that has it. */
static void compare_settings(fs_compare *c) {
    size_t most = 0;
    for (size_t i = 0; i < c->count; i++)
        most += c->runs[i].setting_count;
    c->settings = FS_NEW(c->arena, fs_compare_setting, most + 1);
    const char **values = FS_NEW(c->arena, const char *, c->count);
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->runs[i].setting_count; k++) {
            const fs_setting *s = &c->runs[i].settings[k];
            if (i > 0 && known_before(c, i, s))
                continue;
            bool differs = false;
            for (size_t r = 0; r < c->count; r++) {
                values[r] = value_of(&c->runs[r], s->section, s->key, k);
                differs |= values[r] == NULL || s->value == NULL || strcmp(values[r], s->value) != 0;
            }
            if (!differs)
                continue;
            c->settings[c->setting_count++] =
                (fs_compare_setting){.section = s->section, .key = s->key, .values = values};
            values = FS_NEW(c->arena, const char *, c->count);
        }
}

/* ---- figures ---- */

static const fs_figure *figure_of(const fs_compare_run *run, const char *name) {
    const fs_figure *figure = fs_folder_figure(run->folder, name);
    figure = figure == NULL ? FS_FOUND(run->more, run->more_count, name, name) : figure;
    return figure == NULL ? FS_FOUND(run->rates, run->rate_count, name, name) : figure;
}

static bool same(const fs_figure *a, const fs_figure *b) {
    return a != NULL && b != NULL && a->kind == b->kind &&
           (a->kind == FS_FIGURE_WORD ? strcmp(a->text, b->text) == 0
                                      : a->value == b->value || (isnan(a->value) && isnan(b->value)));
}

static void add_figure(fs_compare *c, const fs_figure *f) {
    if (fs_compare_find(c, f->name) != NULL)
        return;
    c->figures = fs_arena_grow(c->arena, c->figures, c->figure_count, sizeof *c->figures);
    fs_compare_figure *to = &c->figures[c->figure_count++];
    *to = (fs_compare_figure){.name = f->name,
                              .unit = f->unit,
                              .description = f->description,
                              .row = f->row,
                              .label = f->row == NULL || f->row->label == NULL ? f->name : f->row->label,
                              .values = FS_NEW(c->arena, const fs_figure *, c->count),
                              .equal = true};
    for (size_t r = 0; r < c->count; r++)
        to->values[r] = figure_of(&c->runs[r], f->name);
    for (size_t r = 0; r < c->count; r++)
        to->equal &= same(to->values[c->base], to->values[r]);
}

static void compare_figures(fs_compare *c) {
    for (size_t i = 0; i < c->count; i++) {
        const fs_compare_run *run = &c->runs[fs_compare_place(c, i)];
        size_t n = 0;
        const fs_figure *list = fs_folder_figures(run->folder, &n);
        for (size_t k = 0; k < run->rate_count; k++)
            add_figure(c, &run->rates[k]);
        for (size_t k = 0; k < n; k++)
            add_figure(c, &list[k]);
        for (size_t k = 0; k < run->more_count; k++)
            add_figure(c, &run->more[k]);
    }
}

/* The main table: figures with a place, by their places. Of several views the worst of the first figure
 * stands behind its mean. */
static void choose_main(fs_compare *c) {
    c->main = FS_NEW(c->arena, const fs_compare_figure *, c->figure_count + 1);
    for (size_t i = 0; i < c->figure_count; i++) {
        const fs_compare_figure *f = &c->figures[i];
        if (f->row == NULL || f->row->place == 0 || strcmp(f->name, f->row->name) != 0)
            continue;
        size_t at = c->main_count++;
        for (; at > 0 && c->main[at - 1]->row->place > f->row->place; at--)
            c->main[at] = c->main[at - 1];
        c->main[at] = f;
    }
    if (c->main_count == 0)
        return;
    const char *worst = fs_arena_printf(c->arena, "worst.%s", c->main[0]->name);
    const size_t at = FS_PLACE(c->figures, c->figure_count, name, worst);
    if (at == c->figure_count)
        return;
    memmove(&c->main[2], &c->main[1], (c->main_count - 1) * sizeof *c->main);
    c->main[1] = &c->figures[at];
    c->figures[at].label = fs_arena_printf(c->arena, "%s, worst view", c->main[0]->label);
    c->main_count++;
}

const fs_compare_figure *fs_compare_find(const fs_compare *c, const char *name) {
    return FS_FOUND(c->figures, c->figure_count, name, name);
}

double fs_compare_number(const fs_compare *c, size_t run, const char *name) {
    const fs_figure *figure = figure_of(&c->runs[run], name);
    return figure == NULL ? NAN : figure->value;
}

/* ---- all of it ---- */

fs_compare *fs_compare_open(const fs_registry *registry, const char *const *dirs, size_t count, size_t base,
                            const char *const *groups, size_t group_count, fs_error *err) {
    FS_ASSERT(count >= 2 && base < count, "base %zu of %zu runs", base, count);
    fs_arena *arena = fs_arena_create();
    fs_compare *c = FS_NEW(arena, fs_compare, 1);
    *c = (fs_compare){.registry = registry,
                      .arena = arena,
                      .runs = FS_NEW(arena, fs_compare_run, count),
                      .count = count,
                      .base = base};
    for (size_t i = 0; i < count; i++)
        if (open_run(c, &c->runs[i], dirs[i], err)) {
            fs_compare_free(c);
            return NULL;
        }
    label_runs(c);
    compare_settings(c);
    compare_figures(c);
    choose_main(c);
    c->plan = c->runs[base].plan;
    c->matrix = fs_compare_matrix_make(c, groups, group_count);
    if (fs_compare_works(c)) { /* once more, by one unit of work */
        c->figure_count = c->main_count = 0;
        compare_figures(c);
        choose_main(c);
        c->matrix = fs_compare_matrix_make(c, groups, group_count);
    }
    return c;
}

void fs_compare_free(fs_compare *c) {
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->count; i++)
        fs_folder_close(c->runs[i].folder);
    fs_arena_free(c->arena);
}
