/* Levels of the overlay and ladders of runs, side by side. */
#include "reports/compare_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The row of levels.csv for the whole run, a role and a level; SIZE_MAX: none. */
static size_t level_row(const fs_csv *t, const char *role, const char *level) {
    for (size_t row = 0; row < fs_csv_rows(t); row++)
        if (strcmp(fs_csv_text(t, row, "part"), "all") == 0 &&
            strcmp(fs_csv_text(t, row, "role"), role) == 0 &&
            strcmp(fs_csv_text(t, row, "level"), level) == 0)
            return row;
    return SIZE_MAX;
}

typedef struct level_figure {
    const char *column, *title, *hint, *colour;
    double scale; /* to what is shown */
    const char *format;
} level_figure;

static const level_figure level_figures[] = {
    {"tiles", "tiles", "tiles of the level", NULL, 1, "%.0f"},
    {"rays_per_iteration", "rays an iteration", "visits of rays at the level, mean over iterations", "plain",
     1, "%.1f"},
    {"utilisation", "slots in use", "rays over the slots of the in lanes", "tracer", 100, "%.2f %%"},
    {"paced_share", "set the pace", "share of iterations in which one of its tiles was the slowest", "router",
     100, "%.1f %%"},
    {"compute_slowest", "slowest tile, cycles", "cycles of its slowest tile, summed over iterations",
     "compute", 1e-6, "%.2f M"},
    {"imbalance", "imbalance", "most over mean of its tiles' compute", NULL, 1, "%.2f"},
    {"spilled", "spills", "rays that its tiles put in another lane than their own", "bad", 1, "%.0f"},
};
enum { LEVEL_FIGURES = sizeof level_figures / sizeof *level_figures };

static double cell_number(const fs_csv *t, size_t row, const char *column) {
    if (t == NULL || row == SIZE_MAX)
        return NAN;
    const char *text = fs_csv_text(t, row, column);
    char *end;
    double value = strtod(text, &end);
    return end == text ? NAN : value;
}

/* One group of rows a level, one row a run in it. */
static void put_level(const fs_comparison_page *p, const fs_csv *const *tables, const char *role,
                      const char *level, const double *most) {
    const char *title =
        strcmp(role, "router") == 0 ? fs_arena_printf(p->c->arena, "routers, level %s", level) : role;
    fs_page_group(p->page, title, LEVEL_FIGURES + 1);
    for (size_t i = 0; i < p->shown; i++) {
        size_t row = tables[i] == NULL ? SIZE_MAX : level_row(tables[i], role, level);
        fs_page_row(p->page);
        fs_page_cell(p->page, p->c->runs[p->run[i].run].label);
        for (size_t k = 0; k < LEVEL_FIGURES; k++) {
            const level_figure *f = &level_figures[k];
            double value = cell_number(tables[i], row, f->column);
            char text[64] = "-";
            if (!isnan(value)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                snprintf(text, sizeof text, f->format, value * f->scale);
#pragma GCC diagnostic pop
            }
            if (f->colour == NULL)
                fs_page_cell_number(p->page, text, isnan(value) ? 0 : value);
            else
                fs_page_cell_bar(p->page, text, isnan(value) ? 0 : value, most[k], f->colour);
        }
    }
}

fs_status fs_compare_put_levels(const fs_comparison_page *p, fs_error *err) {
    const fs_csv *tables[FS_SHOWN] = {NULL};
    double most[LEVEL_FIGURES] = {0};
    const fs_csv *any = NULL;
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->run[i].folder;
        if (!fs_folder_has(folder, "levels.csv"))
            continue;
        tables[i] = fs_folder_table(folder, "levels.csv", err);
        if (tables[i] == NULL)
            return err->status;
        any = any == NULL ? tables[i] : any;
        for (size_t row = 0; row < fs_csv_rows(tables[i]); row++)
            for (size_t k = 0; k < LEVEL_FIGURES && strcmp(fs_csv_text(tables[i], row, "part"), "all") == 0;
                 k++) {
                double v = cell_number(tables[i], row, level_figures[k].column);
                most[k] = v > most[k] ? v : most[k];
            }
    }
    fs_page_section(p->page, "levels", "Level by level");
    if (any == NULL) {
        fs_page_note(p->page, "No run has a levels.csv.");
        return FS_OK;
    }
    fs_page_column columns[LEVEL_FIGURES + 1] = {{.name = "run"}};
    for (size_t k = 0; k < LEVEL_FIGURES; k++)
        columns[k + 1] =
            (fs_page_column){.name = level_figures[k].title, .number = true, .hint = level_figures[k].hint};
    fs_page_table(p->page, "Over the whole run; bars of a column share one scale.", columns,
                  LEVEL_FIGURES + 1);
    /* Levels of every run, each once. */
    for (size_t i = 0; i < p->shown; i++)
        for (size_t row = 0; tables[i] != NULL && row < fs_csv_rows(tables[i]); row++) {
            const char *role = fs_csv_text(tables[i], row, "role"),
                       *level = fs_csv_text(tables[i], row, "level");
            bool before = strcmp(fs_csv_text(tables[i], row, "part"), "all") != 0;
            for (size_t k = 0; k < i && !before; k++)
                before = tables[k] != NULL && level_row(tables[k], role, level) != SIZE_MAX;
            if (!before)
                put_level(p, tables, role, level, most);
        }
    fs_page_table_end(p->page);
    return FS_OK;
}

static size_t rung_row(const fs_csv *t, const char *name) {
    for (size_t row = 0; t != NULL && row < fs_csv_rows(t); row++)
        if (strcmp(fs_csv_text(t, row, "name"), name) == 0)
            return row;
    return SIZE_MAX;
}

fs_status fs_compare_put_ladder(const fs_comparison_page *p, fs_error *err) {
    const fs_csv *tables[FS_SHOWN] = {NULL}, *any = NULL;
    double most = 0;
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->run[i].folder;
        if (!fs_folder_has(folder, "ladder.csv"))
            continue;
        tables[i] = fs_folder_table(folder, "ladder.csv", err);
        if (tables[i] == NULL)
            return err->status;
        any = any == NULL ? tables[i] : any;
        for (size_t row = 0; row < fs_csv_rows(tables[i]); row++) {
            double gain = cell_number(tables[i], row, "gain_percent");
            most = gain > most ? gain : most;
        }
    }
    fs_page_section(p->page, "ladder", "What if it cost nothing");
    if (any == NULL) {
        fs_page_note(p->page, "No run has a ladder.csv.");
        return FS_OK;
    }
    fs_page_column columns[2 * FS_SHOWN + 2] = {{.name = "if"}, {.name = "kind"}};
    size_t n = 2;
    for (size_t i = 0; i < p->shown; i++) {
        columns[n++] = (fs_page_column){.name = p->c->runs[p->run[i].run].label, .number = true};
        columns[n++] = (fs_page_column){.name = "gain", .number = true};
    }
    fs_page_table(p->page,
                  "Each run with one thing idealised: its time, and what that gains of its own time.",
                  columns, n);
    for (size_t row = 0; row < fs_csv_rows(any); row++) {
        const char *name = fs_csv_text(any, row, "name");
        char *words = fs_arena_strdup(p->c->arena, name);
        for (char *at = words; *at != '\0'; at++)
            if (*at == '_')
                *at = ' ';
        fs_page_row(p->page);
        fs_page_put(p->page, "<td title=\"%s\">%s</td>", fs_csv_text(any, row, "detail"), words);
        fs_page_cell(p->page, fs_csv_text(any, row, "kind"));
        for (size_t i = 0; i < p->shown; i++) {
            size_t at = rung_row(tables[i], name);
            double seconds = cell_number(tables[i], at, "seconds"),
                   gain = cell_number(tables[i], at, "gain_percent");
            fs_page_cell_number(p->page, fs_text_seconds(p->c->arena, seconds), isnan(seconds) ? 0 : seconds);
            fs_page_cell_bar(p->page, isnan(gain) ? "-" : fs_text_change(p->c->arena, gain),
                             isnan(gain) ? 0 : gain, most, "exchange");
        }
    }
    fs_page_table_end(p->page);
    return FS_OK;
}
