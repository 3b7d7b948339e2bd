/* Tables by level of the overlay, and ladders, of runs side by side. */
#include "reports/compare/compare_page.h"
#include "reports/read/run_verdict.h"
#include "sim/base/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { FIGURES = 24 };

/* Row and group of a table: its first columns of the forms "level" and "text", of the whole run. */
typedef struct keys {
    const fs_plan_panel *panel;
    const fs_plan_column *figure[FIGURES];
    double most[FIGURES];
    size_t figures;
} keys;

static bool of_whole_run(const fs_csv *t, size_t row) {
    return !fs_csv_has(t, "part") || strcmp(fs_csv_text(t, row, "part"), "all") == 0;
}

static bool is_key(const fs_plan_column *c) {
    return strcmp(c->form, "level") == 0 || strcmp(c->form, "text") == 0;
}

/* The row of another table with the same keys; SIZE_MAX: none. */
static size_t same_row(const keys *k, const fs_csv *from, size_t row, const fs_csv *in) {
    for (size_t i = 0; in != NULL && i < fs_csv_rows(in); i++) {
        bool same =
            of_whole_run(in, i) && strcmp(fs_csv_text(in, i, "role"), fs_csv_text(from, row, "role")) == 0;
        for (size_t c = 0; c < k->panel->column_count && same; c++)
            if (is_key(&k->panel->columns[c]))
                same = strcmp(fs_csv_text(in, i, k->panel->columns[c].column),
                              fs_csv_text(from, row, k->panel->columns[c].column)) == 0;
        if (same)
            return i;
    }
    return SIZE_MAX;
}

/* One group of rows a level, one row a run in it. */
static void put_group(const fs_comparison_page *p, const keys *k, const fs_csv *const *tables,
                      const fs_csv *from, size_t row) {
    const char *role = fs_csv_text(from, row, "role"), *title = role;
    for (size_t c = 0; c < k->panel->column_count; c++) {
        const fs_plan_column *plan = &k->panel->columns[c];
        if (is_key(plan) && (strcmp(plan->form, "level") != 0 || fs_roles_levelled(p->roles, role)))
            title = strcmp(plan->form, "level") == 0
                        ? fs_roles_group(p->roles, role, true,
                                         strtoll(fs_csv_text(from, row, plan->column), NULL, 10), 2)
                        : fs_arena_printf(p->c->arena, "%s%s%s", title, title[0] == '\0' ? "" : " ",
                                          fs_csv_text(from, row, plan->column));
    }
    fs_page_group(p->page, title, k->figures + 1);
    for (size_t i = 0; i < p->shown; i++) {
        const size_t at = same_row(k, from, row, tables[i]);
        fs_page_row(p->page);
        fs_page_cell(p->page, p->c->runs[p->run[i].run].label);
        for (size_t n = 0; n < k->figures; n++)
            fs_planned_put(p->page, k->figure[n], fs_planned_at(tables[i], at, k->figure[n]), k->most[n],
                           role[0] == '\0' ? "plain" : fs_roles_colour(p->roles, role));
    }
}

/* Columns in which some run has more than 0. */
static void find_figures(const fs_comparison_page *p, keys *k, const fs_csv *const *tables) {
    for (size_t c = 0; c < k->panel->column_count && k->figures < FIGURES; c++) {
        const fs_plan_column *plan = &k->panel->columns[c];
        const char *form = plan->form;
        double most = 0;
        if (is_key(plan) || strcmp(form, "stack") == 0 || strcmp(form, "place") == 0)
            continue;
        for (size_t i = 0; i < p->shown; i++)
            for (size_t row = 0; tables[i] != NULL && row < fs_csv_rows(tables[i]); row++)
                if (of_whole_run(tables[i], row) && fs_planned_at(tables[i], row, plan) > most)
                    most = fs_planned_at(tables[i], row, plan);
        if (most > 0) {
            k->figure[k->figures] = plan;
            k->most[k->figures++] = most;
        }
    }
}

static void put_groups(const fs_comparison_page *p, const keys *k, const fs_csv *const *tables) {
    fs_page_column columns[FIGURES + 1] = {{.name = "run"}};
    for (size_t n = 0; n < k->figures; n++)
        columns[n + 1] = (fs_page_column){.name = k->figure[n]->label,
                                          .unit = k->figure[n]->unit,
                                          .number = true,
                                          .hint = k->figure[n]->hint};
    fs_page_table(p->page, k->panel->compared, columns, k->figures + 1);
    for (size_t i = 0; i < p->shown; i++)
        for (size_t row = 0; tables[i] != NULL && row < fs_csv_rows(tables[i]); row++) {
            bool before = !of_whole_run(tables[i], row);
            for (size_t other = 0; other < i && !before; other++)
                before = same_row(k, tables[i], row, tables[other]) != SIZE_MAX;
            if (!before)
                put_group(p, k, tables, tables[i], row);
        }
    fs_page_table_end(p->page);
}

fs_status fs_compare_put_table(const fs_comparison_page *p, const fs_plan_section *s, fs_error *err) {
    const fs_csv *tables[FS_SHOWN] = {NULL};
    bool any = false;
    for (size_t i = 0; i < p->shown; i++) {
        if (s->file == NULL || !fs_folder_has(p->run[i].folder, s->file))
            continue;
        tables[i] = fs_folder_table(p->run[i].folder, s->file, err);
        if (tables[i] == NULL)
            return err->status;
        any = true;
    }
    bool begun = false;
    for (size_t n = 0; n < s->panel_count && any; n++) {
        keys k = {.panel = &s->panels[n]};
        if (k.panel->compared == NULL)
            continue;
        find_figures(p, &k, tables);
        if (k.figures == 0)
            continue;
        if (!begun)
            fs_page_folded(p->page, s->id, s->title, "the table of each run, and what differs");
        begun = true;
        put_groups(p, &k, tables);
    }
    return FS_OK;
}

static size_t rung_row(const fs_csv *t, const char *name) {
    for (size_t row = 0; t != NULL && row < fs_csv_rows(t); row++)
        if (strcmp(fs_csv_text(t, row, "name"), name) == 0)
            return row;
    return SIZE_MAX;
}

fs_status fs_compare_put_ladder(const fs_comparison_page *p, const fs_plan_section *s, fs_error *err) {
    const fs_csv *tables[FS_SHOWN] = {NULL}, *any = NULL;
    double most = 0;
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->run[i].folder;
        if (!fs_folder_has(folder, s->file))
            continue;
        tables[i] = fs_folder_table(folder, s->file, err);
        if (tables[i] == NULL)
            return err->status;
        any = any == NULL ? tables[i] : any;
        for (size_t row = 0; row < fs_csv_rows(tables[i]); row++) {
            double gain = fs_csv_number(tables[i], row, "gain_percent");
            most = gain > most ? gain : most;
        }
    }
    if (any == NULL)
        return FS_OK;
    fs_page_folded(p->page, "ladder", "What if", "each run again with one cost taken away at a time");
    fs_page_column columns[2 * FS_SHOWN + 2] = {{.name = "what if"}, {.name = "kind"}};
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
        fs_page_row(p->page);
        fs_page_put(p->page, "<td title=\"%s\">%s</td>", fs_csv_text(any, row, "detail"),
                    fs_rung_words(p->c->arena, p->c->plan, name));
        fs_page_cell(p->page, fs_rung_kind(fs_csv_text(any, row, "kind")));
        for (size_t i = 0; i < p->shown; i++) {
            size_t at = rung_row(tables[i], name);
            double seconds = fs_csv_number(tables[i], at, "seconds"),
                   gain = fs_csv_number(tables[i], at, "gain_percent");
            fs_page_cell_number(p->page, fs_text_seconds(p->c->arena, seconds), seconds);
            fs_page_cell_bar(p->page, fs_number_change(gain / 100), gain, most, "exchange");
        }
    }
    fs_page_table_end(p->page);
    return FS_OK;
}
