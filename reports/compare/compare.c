#include "reports/compare.h"

#include <math.h>
#include <stdlib.h>
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

static const fs_figure *add_count(fs_figure *to, const char *name, const char *description, size_t value,
                                  fs_arena *arena) {
    *to = (fs_figure){.name = name,
                      .unit = "tiles",
                      .description = description,
                      .whole = true,
                      .value = (double)value,
                      .text = fs_arena_printf(arena, "%zu", value)};
    return to;
}

/* Tiles by role, which are in tiles.csv only; nothing when there is no such table. */
static fs_status count_tiles(fs_compare *c, fs_compare_run *run, fs_error *err) {
    const char *file = fs_folder_has(run->folder, "tiles.csv") ? "tiles.csv" : "view-0/tiles.csv";
    if (!fs_folder_has(run->folder, file))
        return FS_OK;
    const fs_csv *tiles = fs_folder_table(run->folder, file, err);
    const char *const *role = tiles == NULL ? NULL : fs_csv_words(tiles, "role", err);
    if (role == NULL)
        return FS_INPUT;
    size_t tracers = 0, routers = 0, spare = 0;
    for (size_t i = 0; i < fs_csv_rows(tiles); i++) {
        tracers += strcmp(role[i], "tracer") == 0;
        routers += strcmp(role[i], "router") == 0;
        spare += strcmp(role[i], "spare") == 0;
    }
    fs_folder_forget(run->folder, file);
    fs_figure *more = FS_NEW(c->arena, fs_figure, 3);
    add_count(&more[0], "tiles.tracers", "tiles that trace", tracers, c->arena);
    add_count(&more[1], "tiles.routers", "tiles that route", routers, c->arena);
    add_count(&more[2], "tiles.spare", "tiles without a role", spare, c->arena);
    run->more = more;
    run->more_count = 3;
    return FS_OK;
}

/* A run of several views whose own summary has no time: the mean over its views. */
static fs_status mean_of_views(fs_compare *c, fs_compare_run *run, fs_error *err) {
    size_t views = fs_folder_views(run->folder);
    if (views == 0 || fs_folder_figure(run->folder, "device.seconds") != NULL)
        return FS_OK;
    double sum = 0;
    for (size_t v = 0; v < views; v++) {
        fs_folder *view = fs_folder_view(run->folder, v, err);
        if (view == NULL)
            return FS_INPUT;
        sum += fs_folder_number(view, "device.seconds");
    }
    fs_figure *more = FS_NEW(c->arena, fs_figure, run->more_count + 1);
    if (run->more_count > 0)
        memcpy(more, run->more, run->more_count * sizeof *more);
    more[run->more_count++] = (fs_figure){.name = "device.seconds",
                                          .unit = "s",
                                          .description = "mean over the views",
                                          .value = sum / (double)views,
                                          .text = fs_arena_printf(c->arena, "%.9g", sum / (double)views)};
    run->more = more;
    return FS_OK;
}

static fs_status open_run(fs_compare *c, fs_compare_run *run, const char *dir, fs_error *err) {
    run->folder = fs_folder_open(dir, err);
    if (run->folder == NULL)
        return err->status;
    run->settings = fs_folder_settings(run->folder, &run->setting_count, err);
    if (run->settings == NULL)
        return err->status;
    fs_status status = count_tiles(c, run, err);
    return status ? status : mean_of_views(c, run, err);
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
    for (size_t i = 0; figure == NULL && i < run->more_count; i++)
        if (strcmp(run->more[i].name, name) == 0)
            figure = &run->more[i];
    return figure;
}

static bool same(const fs_figure *a, const fs_figure *b) {
    return a != NULL && b != NULL && a->kind == b->kind &&
           (a->kind == FS_FIGURE_WORD ? strcmp(a->text, b->text) == 0
                                      : a->value == b->value || (isnan(a->value) && isnan(b->value)));
}

static void add_figure(fs_compare *c, const fs_figure *f, size_t *room) {
    if (fs_compare_find(c, f->name) != NULL)
        return;
    if (c->figure_count == *room) {
        size_t more = *room ? 2 * *room : 128;
        fs_compare_figure *list = FS_NEW(c->arena, fs_compare_figure, more);
        if (c->figure_count > 0)
            memcpy(list, c->figures, c->figure_count * sizeof *list);
        c->figures = list;
        *room = more;
    }
    fs_compare_figure *to = &c->figures[c->figure_count++];
    *to = (fs_compare_figure){.name = f->name,
                              .unit = f->unit,
                              .description = f->description,
                              .rule = fs_figure_rule_of(f->name),
                              .values = FS_NEW(c->arena, const fs_figure *, c->count),
                              .equal = true};
    for (size_t r = 0; r < c->count; r++)
        to->values[r] = figure_of(&c->runs[r], f->name);
    for (size_t r = 0; r < c->count; r++)
        to->equal &= same(to->values[c->base], to->values[r]);
}

static void compare_figures(fs_compare *c) {
    size_t room = 0;
    for (size_t i = 0; i < c->count; i++) {
        const fs_compare_run *run = &c->runs[fs_compare_place(c, i)];
        size_t n = 0;
        const fs_figure *list = fs_folder_figures(run->folder, &n);
        for (size_t k = 0; k < n; k++)
            add_figure(c, &list[k], &room);
        for (size_t k = 0; k < run->more_count; k++)
            add_figure(c, &run->more[k], &room);
    }
}

const fs_compare_figure *fs_compare_find(const fs_compare *c, const char *name) {
    for (size_t i = 0; i < c->figure_count; i++)
        if (strcmp(c->figures[i].name, name) == 0)
            return &c->figures[i];
    return NULL;
}

double fs_compare_number(const fs_compare *c, size_t run, const char *name) {
    const fs_figure *figure = figure_of(&c->runs[run], name);
    return figure == NULL ? NAN : figure->value;
}

/* ---- all of it ---- */

fs_compare *fs_compare_open(const char *const *dirs, size_t count, size_t base, const char *const *groups,
                            size_t group_count, fs_error *err) {
    FS_ASSERT(count >= 2 && base < count, "base %zu of %zu runs", base, count);
    fs_arena *arena = fs_arena_create();
    fs_compare *c = FS_NEW(arena, fs_compare, 1);
    *c = (fs_compare){
        .arena = arena, .runs = FS_NEW(arena, fs_compare_run, count), .count = count, .base = base};
    for (size_t i = 0; i < count; i++)
        if (open_run(c, &c->runs[i], dirs[i], err)) {
            fs_compare_free(c);
            return NULL;
        }
    label_runs(c);
    compare_settings(c);
    compare_figures(c);
    c->matrix = fs_matrix_make(c, groups, group_count);
    return c;
}

void fs_compare_free(fs_compare *c) {
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->count; i++)
        fs_folder_close(c->runs[i].folder);
    fs_arena_free(c->arena);
}
