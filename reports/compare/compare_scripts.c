/* The scripts of a comparison's pictures: settings, then the script of the kind. */
#include "reports/compare/compare_page.h"

#include <math.h>
#include <stdlib.h>

enum { PLOTS = FS_MEASURES + FS_CHIP_MEASURES + FS_TAILS + FS_SERIES + 2 };

typedef struct scripts {
    fs_comparison_page *p;
    fs_text text;
    const char *name[PLOTS];
    size_t count;
} scripts;

static void set_text(scripts *s, const char *name, const char *text) {
    fs_plot_put_text(&s->text, s->p->c->arena, name, text == NULL ? "" : text);
}

static void set_texts(scripts *s, const char *name, const char *const *texts, size_t count) {
    fs_page_text_print(&s->text, "array %s[%zu]\n", name, count);
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&s->text, "%s[%zu] = %s\n", name, i + 1, fs_plot_quoted(s->p->c->arena, texts[i]));
}

static void begin(scripts *s, const char *id, const char *title, const char *caption) {
    s->text.used = 0;
    s->name[s->count] = fs_arena_printf(s->p->c->arena, "compare-%s", id);
    fs_page_text_print(&s->text, "load 'style.gp'\nload 'run.gp'\n");
    set_text(s, "file", s->name[s->count]);
    set_text(s, "words", title);
    set_text(s, "more", caption);
}

static fs_status end(scripts *s, const char *kind, fs_error *err) {
    fs_page_text_print(&s->text, "load '%s'\n", kind);
    return fs_page_text_save(&s->text, s->p->folder, s->name[s->count++], "gp", err);
}

static fs_status write_map(scripts *s, size_t m, fs_error *err) {
    const fs_comparison_page *p = s->p;
    const fs_measure *map = &p->map[m];
    begin(
        s, map->id, fs_arena_printf(p->c->arena, "%s: %s", map->panel->compared, map->label),
        fs_arena_printf(
            p->c->arena, "Each pixel: %s.%s One scale for all runs, up to the 99.5th percentile.", map->label,
            p->block > 1
                ? fs_arena_printf(p->c->arena, " Each dot: the mean of %zu x %zu pixels.", p->block, p->block)
                : ""));
    set_text(s, "kind", "pixel");
    set_text(s, "measure", map->id);
    set_text(s, "unit", map->unit);
    fs_page_text_print(
        &s->text,
        "low = %s_low; high = %s_high; reach = %s_reach\n"
        "tall = map_height_0 > 0 ? map_height_0 / (1.0 * map_width_0) : map_height_1 / (1.0 * map_width_1)\n",
        map->id, map->id, map->id);
    return end(s, "grid.gp", err);
}

static fs_status write_chip(scripts *s, size_t m, fs_error *err) {
    const fs_comparison_page *p = s->p;
    const fs_measure *map = &p->chip[m];
    const char *marks = "";
    for (size_t k = 0; k < p->roles->count; k++)
        if (p->roles->mark[k] != NULL)
            marks = fs_arena_printf(
                p->c->arena, "%s%s%s: %s%s", marks, marks[0] == '\0' ? " " : ", ",
                fs_roles_levelled(p->roles, p->roles->name[k]) ? "Numbers" : p->roles->mark[k],
                fs_roles_levelled(p->roles, p->roles->name[k]) ? "level of a " : "", p->roles->name[k]);
    begin(s, map->id, map->panel->compared,
          fs_arena_printf(
              p->c->arena,
              "Each tile at its place on the chip: %s (%s), logarithmic; the difference is not.%s%s A tile "
              "without a role counts as 0 in differences.",
              map->label, map->unit, marks, marks[0] == '\0' ? "" : "."));
    set_text(s, "kind", "chip");
    set_text(s, "measure", map->id);
    set_text(s, "unit", map->unit);
    fs_page_text_print(
        &s->text,
        "low = %s_high / 1000.0; high = %s_high; reach = %s_reach\ntall = chip_height_0 > 60 ? 1.5 : 1.15\n",
        map->id, map->id, map->id);
    return end(s, "grid.gp", err);
}

static fs_status write_held(scripts *s, fs_error *err) {
    const fs_comparison_page *p = s->p;
    const fs_plan_column *c = &p->held->columns[0];
    begin(s, "held", p->held->compared,
          fs_arena_printf(
              p->c->arena,
              "Each tile, a row of dots, in each iteration: %s (%s); grey: none.%s One scale for all runs.",
              c->label, c->unit,
              p->pool > 1 ? fs_arena_printf(p->c->arena, " Each column: the most of %zu iterations.", p->pool)
                          : ""));
    set_text(s, "unit", c->unit);
    return end(s, "held.gp", err);
}

/* The tails of a section, its columns side by side. */
static fs_status write_tails(scripts *s, const fs_plan_section *section, fs_error *err) {
    const fs_comparison_page *p = s->p;
    const char *measure[FS_TAILS], *axis[FS_TAILS], *title = NULL;
    size_t count = 0, at[FS_TAILS];
    for (size_t k = 0; k < p->tails; k++) {
        bool there = false;
        for (size_t i = 0; i < p->shown; i++)
            there |= p->run[i].tail[k];
        if (p->tail_section[k] != section || !there)
            continue;
        title = title == NULL ? p->tail[k].panel->compared : title;
        measure[count] = p->tail[k].id;
        axis[count] = p->tail[k].label;
        at[count++] = k;
    }
    if (count == 0)
        return FS_OK;
    begin(s, fs_arena_printf(p->c->arena, "tails-%.20s", section->id), title,
          "Per cent that have at least the value: the further a curve lies to the right, the more. The mean "
          "decides how much "
          "there is, the tail how long the last ones take.");
    set_texts(s, "measure", measure, count);
    set_texts(s, "axis", axis, count);
    fs_page_text_print(&s->text, "panels = %zu\n", count);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < p->shown; i++)
            fs_page_text_print(&s->text, "tail_there_%zu_%zu = %d\n", k + 1, i, p->run[i].tail[at[k]]);
    return end(s, "tails.gp", err);
}

static fs_status write_series(scripts *s, size_t n, fs_error *err) {
    const fs_comparison_page *p = s->p;
    const fs_compared_series *one = &p->series[n];
    const double scale = one->top >= 1e6 ? 1e6 : one->top >= 1e4 ? 1e3 : 1;
    const char *word = one->timed ? "" : scale >= 1e6 ? "million " : scale >= 1e3 ? "thousand " : "";
    const char *unit = !one->timed ? one->unit : scale >= 1e6 ? "s" : scale >= 1e3 ? "ms" : "µs";
    const char *label[FS_STACK], *colour[FS_STACK];
    const size_t lines = one->lines;
    for (size_t k = 0; k < lines; k++) {
        const fs_lines_one *l = &one->line[k];
        label[k] = l->label;
        colour[k] = l->shades > 0 ? fs_plot_shade(p->c->arena, l->colour, l->shade, l->shades)
                                  : fs_plot_colour(l->colour);
    }
    begin(s, one->id, one->section->panels[one->panel].compared,
          fs_arena_printf(p->c->arena, "%s of an iteration in %s, on the same axes for all runs%s.",
                          one->timed ? "Time" : "What happens", unit,
                          one->stacked ? "; what towers over the rest is cut" : ""));
    set_text(s, "axis", fs_arena_printf(p->c->arena, "%s%s", word, unit));
    set_text(s, "measure", one->id);
    set_texts(s, "line_label", label, lines);
    set_texts(s, "line_colour", colour, lines);
    fs_page_text_print(&s->text, "place = %zu; lines = %zu; stacked = %d; scale = %.0f.0; top = %.9g\n", n,
                       one->lines, one->stacked, scale, one->top > 0 ? 1.05 * one->top / scale : 1);
    for (size_t i = 0; i < p->shown; i++)
        fs_page_text_print(&s->text, "series_there_%zu_%zu = %d\n", n, i, p->run[i].series[n]);
    return end(s, "series.gp", err);
}

static fs_status write_all(scripts *s, fs_error *err) {
    const fs_comparison_page *p = s->p;
    bool pixels = false;
    for (size_t i = 0; i < p->shown; i++)
        pixels |= i == 0 && p->run[i].pixels;
    for (size_t m = 0; m < p->maps && pixels; m++)
        if (write_map(s, m, err))
            return err->status;
    for (size_t m = 0; m < p->chips; m++)
        if (p->chip_has[m] && write_chip(s, m, err))
            return err->status;
    if (p->groups > 0 && write_held(s, err))
        return err->status;
    for (size_t i = 0; i < p->plan->section_count; i++)
        if (write_tails(s, p->plan->sections[i], err))
            return err->status;
    for (size_t n = 0; n < p->serieses; n++)
        if (p->series[n].lines > 0 && p->series[n].top > 0 && write_series(s, n, err))
            return err->status;
    return FS_OK;
}

fs_status fs_compare_draw(fs_comparison_page *p, fs_error *err) {
    scripts s = {.p = p};
    fs_status status = write_all(&s, err);
    free(s.text.text);
    p->plots = FS_NEW(p->c->arena, fs_plot, s.count + 1);
    p->plot_count = s.count;
    if (status || s.count == 0)
        return err->status;
    return fs_drawing_run(p->drawing, s.name, s.count, FS_PLOT_SVG | FS_PLOT_PNG, p->plots, err);
}
