/* Tables: all rows of a file, by part of the run or not (table); those with the greatest of a column
 * (most); figures of the run side by side (figures). Of several runs the rows of a table that have the
 * same keys stand together, a run each. */
#include "reports/sections/sections_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 24, SHOWN_ROWS = 12, STACK = 6 };

/* Words of a list with blanks between them, of the arena. */
static size_t words_of(fs_show *s, const char *list, const char **word, size_t room) {
    size_t count = 0;
    for (size_t n; list != NULL && *list != '\0' && count < room; list += n, list += strspn(list, " ")) {
        n = strcspn(list, " ");
        word[count++] = fs_arena_printf(s->arena, "%.*s", (int)n, list);
    }
    return count;
}

/* ---- cells ---- */

/* A tile at the end of a lane: "router 12 level 3", from END, END_role and END_level. */
static void put_place(fs_show *s, fs_rows *to, const fs_csv *t, size_t row, const char *end) {
    const char *role = fs_csv_text(t, row, fs_arena_printf(s->arena, "%s_role", end)),
               *colour = fs_roles_colour(s->roles, role), *tile = fs_csv_text(t, row, end);
    if (fs_roles_levelled(s->roles, role))
        fs_cell_say(to, "<i class=\"key %s\"></i>%s %s <span class=\"unit\">level %s</span>", colour, role,
                    tile, fs_csv_text(t, row, fs_arena_printf(s->arena, "%s_level", end)));
    else
        fs_cell_say(to, "<i class=\"key %s\"></i>%s %s", colour, role, tile);
    fs_cell_add(to, (fs_cell_more){.look = "place"});
}

static void put_stack(fs_show *s, fs_rows *to, const fs_csv *t, size_t row, const fs_plan_column *c) {
    const char *column[STACK] = {0}, *name[STACK] = {0}, *colour[STACK] = {0};
    const size_t count = words_of(s, c->column, column, STACK);
    double share[STACK] = {0}, sum = 0;
    words_of(s, c->label, name, STACK);
    words_of(s, c->colour, colour, STACK);
    for (size_t i = 0; i < count; i++) {
        share[i] = fmax(0, fs_csv_number(t, row, column[i]));
        sum += share[i];
        name[i] = name[i] == NULL ? column[i] : name[i];
        colour[i] = colour[i] == NULL ? "plain" : colour[i];
    }
    for (size_t i = 0; i < count; i++)
        share[i] = sum > 0 ? share[i] / sum : 0;
    fs_cell_stack(to, share, name, colour, count);
}

/* A value by the form of its column; most: of the column, for its bars; colour: where the column names
 * none. */
static void put_value(fs_rows *to, const fs_plan_column *c, double value, double most, const char *colour) {
    const char *form = c->form;
    colour = c->colour != NULL ? c->colour : colour;
    if (strcmp(form, "bar") == 0)
        fs_cell_bar(to, fs_number_short(value, 4), value, most, colour);
    else if (strcmp(form, "part") == 0)
        fs_cell_bar(to, fs_number_short(value, 2), value, 1, colour);
    else if (strcmp(form, "share") == 0)
        fs_cell_bar(to, fs_number_form(value, "%", ""), value, 1,
                    value > 0.9 && c->of != NULL ? "bad" : colour);
    else if (strcmp(form, "percent") == 0)
        fs_cell_number(to, fs_number_form(value, "%", ""), value);
    else
        fs_cell_number(to, strcmp(form, "whole") == 0 ? fs_number_grouped(value) : fs_number_short(value, 4),
                       value);
}

static void put_row(fs_show *s, fs_rows *to, const fs_csv *t, size_t row, const fs_plan_panel *panel,
                    const double *most) {
    const char *role = fs_csv_has(t, "role") ? fs_csv_text(t, row, "role") : "";
    const char *colour = role[0] == '\0' ? "plain" : fs_roles_colour(s->roles, role);
    fs_rows_add(to);
    for (size_t k = 0; k < panel->column_count && k < COLUMNS; k++) {
        const fs_plan_column *c = &panel->columns[k];
        const char *form = c->form;
        if (strcmp(form, "level") == 0)
            fs_cell_head(to, "<i class=\"key %s\"></i>%s %s", colour, fs_csv_text(t, row, c->column), role);
        else if (strcmp(form, "place") == 0)
            put_place(s, to, t, row, c->column);
        else if (strcmp(form, "stack") == 0)
            put_stack(s, to, t, row, c);
        else if (strcmp(form, "text") == 0)
            fs_cell(to, fs_csv_text(t, row, c->column));
        else
            put_value(to, c, fs_planned_at(t, row, c), most[k], colour);
    }
}

static bool is_words(const fs_plan_column *c) {
    return strcmp(c->form, "level") == 0 || strcmp(c->form, "place") == 0 || strcmp(c->form, "stack") == 0 ||
           strcmp(c->form, "text") == 0;
}

static fs_rows *begin_table(fs_show *s, const fs_plan_panel *panel, const char *caption) {
    fs_rows_column columns[COLUMNS];
    const size_t count = panel->column_count < COLUMNS ? panel->column_count : COLUMNS;
    for (size_t k = 0; k < count; k++) {
        const fs_plan_column *c = &panel->columns[k];
        const bool stack = strcmp(c->form, "stack") == 0;
        const char *word[STACK] = {0}, *label = c->label;
        for (size_t i = 0, n = stack ? words_of(s, c->label, word, STACK) : 0; i < n; i++)
            label = i == 0 ? word[0] : fs_arena_printf(s->arena, "%s · %s", label, word[i]);
        columns[k] = (fs_rows_column){label, c->unit, !is_words(c), c->hint};
    }
    return fs_sheet_table_of(s->sheet, caption, columns, count);
}

static void find_most(const fs_csv *t, const fs_plan_panel *panel, const char *part, double *most) {
    for (size_t k = 0; k < panel->column_count && k < COLUMNS; k++) {
        most[k] = 0;
        for (size_t i = 0; i < fs_csv_rows(t) && !is_words(&panel->columns[k]); i++)
            if (part == NULL || strcmp(fs_csv_text(t, i, "part"), part) == 0)
                most[k] = fmax(most[k], fs_planned_at(t, i, &panel->columns[k]));
    }
}

/* ---- words ---- */

typedef struct knowing {
    fs_show *s;
    const fs_csv *table;
    const char *part; /* rows of that part; NULL: all */
} knowing;

/* COLUMN.most of the rows, and COLUMN.role, COLUMN.level of the row that has it; COLUMN.some and
 * COLUMN.none: rows with more than 0, and with 0. */
static bool know(void *self, const char *name, fs_number_value *out) {
    const knowing *k = self;
    const char *dot = strrchr(name, '.');
    *out = (fs_number_value){.unit = "", .whole = true, .number = (double)fs_csv_rows(k->table)};
    if (strcmp(name, "rows") == 0)
        return true;
    if (dot == NULL)
        return false;
    const char *column = fs_arena_printf(k->s->arena, "%.*s", (int)(dot - name), name);
    size_t at = SIZE_MAX, some = 0, none = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < fs_csv_rows(k->table); i++) {
        const double value = fs_csv_number(k->table, i, column);
        if ((k->part != NULL && strcmp(fs_csv_text(k->table, i, "part"), k->part) != 0) || isnan(value))
            continue;
        some += value > 0;
        none += value == 0;
        at = value > most ? i : at;
        most = fmax(most, value);
    }
    if (!fs_csv_has(k->table, column) || at == SIZE_MAX)
        return false;
    if (!(most > 0) && (strcmp(dot, ".role") == 0 || strcmp(dot, ".level") == 0))
        return false; /* none stands out */
    if (strcmp(dot, ".role") == 0)
        out->text = k->s->roles->label[fs_roles_at(k->s->roles, fs_csv_text(k->table, at, "role"))];
    else if (strcmp(dot, ".level") == 0)
        out->text = fs_csv_text(k->table, at, "level");
    else
        out->number = strcmp(dot, ".some") == 0   ? (double)some
                      : strcmp(dot, ".none") == 0 ? (double)none
                                                  : most;
    out->whole = out->number == floor(out->number);
    return true;
}

static void say(fs_show *s, const char *text, const char *otherwise, knowing *k) {
    const char *words = fs_fill(s->arena, s->run[0], text, know, k);
    words = words == NULL ? fs_fill(s->arena, s->run[0], otherwise, know, k) : words;
    if (words == NULL)
        return;
    if (words[0] >= 'a' && words[0] <= 'z')
        words = fs_arena_printf(s->arena, "%c%s", words[0] - 'a' + 'A', words + 1);
    fs_sheet_say(s->sheet, "%s", words);
}

/* ---- all rows of a run ---- */

static void put_rows(fs_show *s, const fs_csv *t, const fs_plan_panel *panel, const char *part, bool down) {
    double most[COLUMNS];
    find_most(t, panel, part, most);
    fs_rows *to = begin_table(s, panel, part == NULL ? panel->caption : NULL);
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const size_t row = down ? fs_csv_rows(t) - 1 - i : i;
        if (part == NULL || strcmp(fs_csv_text(t, row, "part"), part) == 0)
            put_row(s, to, t, row, panel, most);
    }
}

static void put_parts(fs_show *s, const fs_csv *t, const fs_plan_panel *panel, bool down) {
    fs_sheet_choice(s->sheet, fs_arena_printf(s->arena, "%s-choice", panel->name), "part of the run");
    for (size_t i = 0; i < s->parts; i++) {
        fs_sheet_panel(s->sheet, i == 0 ? "whole run" : s->plan->parts[i - 1].label);
        if (i == 0 || s->part_end[i] > s->part_begin[i])
            put_rows(s, t, panel, i == 0 ? "all" : s->plan->parts[i - 1].name, down);
        else
            fs_sheet_note(s->sheet, "The run has no iterations in this part.");
    }
    fs_sheet_end(s->sheet);
}

static void put_one(fs_show *s, const fs_plan_section *section, const fs_csv *t) {
    knowing all = {s, t, NULL};
    fs_show_begin(s, section, NULL);
    say(s, section->words, NULL, &all);
    for (size_t p = 0; p < section->panel_count; p++) {
        const fs_plan_panel *panel = &section->panels[p];
        const bool parts = strstr(panel->form, "parts") != NULL && fs_csv_has(t, "part");
        const bool down = strstr(panel->form, "down") != NULL;
        knowing k = {s, t, parts ? "all" : NULL};
        say(s, panel->title, panel->otherwise, &k);
        if (parts) {
            say(s, panel->caption, NULL, &k);
            put_parts(s, t, panel, down);
        } else
            put_rows(s, t, panel, NULL, down);
    }
}

/* ---- rows of several runs ---- */

/* Row and group of a table: its first columns of the forms "level" and "text", of the whole run. */
typedef struct keys {
    const fs_plan_panel *panel;
    const fs_plan_column *figure[COLUMNS];
    double most[COLUMNS];
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
static void put_group(fs_show *s, fs_rows *to, const keys *k, const fs_csv *const *tables, const fs_csv *from,
                      size_t row) {
    const char *role = fs_csv_text(from, row, "role"), *title = role;
    for (size_t c = 0; c < k->panel->column_count; c++) {
        const fs_plan_column *plan = &k->panel->columns[c];
        if (is_key(plan) && (strcmp(plan->form, "level") != 0 || fs_roles_levelled(s->roles, role)))
            title = strcmp(plan->form, "level") == 0
                        ? fs_roles_group(s->roles, role, true,
                                         strtoll(fs_csv_text(from, row, plan->column), NULL, 10), 2)
                        : fs_arena_append(s->arena, title, " ", "%s", fs_csv_text(from, row, plan->column));
    }
    fs_rows_group(to, "%s", title);
    for (size_t i = 0; i < s->count; i++) {
        const size_t at = same_row(k, from, row, tables[i]);
        fs_rows_add(to);
        fs_cell(to, s->label[i]);
        for (size_t n = 0; n < k->figures; n++)
            put_value(to, k->figure[n], fs_planned_at(tables[i], at, k->figure[n]), k->most[n],
                      role[0] == '\0' ? "plain" : fs_roles_colour(s->roles, role));
    }
}

/* Columns in which some run has more than 0. */
static void find_figures(const fs_show *s, keys *k, const fs_csv *const *tables) {
    for (size_t c = 0; c < k->panel->column_count && k->figures < COLUMNS; c++) {
        const fs_plan_column *plan = &k->panel->columns[c];
        double most = 0;
        if (is_words(plan))
            continue;
        for (size_t i = 0; i < s->count; i++)
            for (size_t row = 0; tables[i] != NULL && row < fs_csv_rows(tables[i]); row++)
                if (of_whole_run(tables[i], row))
                    most = fmax(most, fs_planned_at(tables[i], row, plan));
        if (most > 0) {
            k->figure[k->figures] = plan;
            k->most[k->figures++] = most;
        }
    }
}

static void put_groups(fs_show *s, const keys *k, const fs_csv *const *tables) {
    fs_rows_column columns[COLUMNS + 1] = {{.name = "run"}};
    for (size_t n = 0; n < k->figures; n++)
        columns[n + 1] = (fs_rows_column){k->figure[n]->label, k->figure[n]->unit, true, k->figure[n]->hint};
    fs_rows *to = fs_sheet_table_of(s->sheet, k->panel->compared, columns, k->figures + 1);
    for (size_t i = 0; i < s->count; i++)
        for (size_t row = 0; tables[i] != NULL && row < fs_csv_rows(tables[i]); row++) {
            bool before = !of_whole_run(tables[i], row);
            for (size_t other = 0; other < i && !before; other++)
                before = same_row(k, tables[i], row, tables[other]) != SIZE_MAX;
            if (!before)
                put_group(s, to, k, tables, tables[i], row);
        }
}

static void put_several(fs_show *s, const fs_plan_section *section, const fs_csv *const *tables) {
    bool begun = false;
    for (size_t n = 0; n < section->panel_count; n++) {
        keys k = {.panel = &section->panels[n]};
        if (k.panel->compared == NULL)
            continue;
        find_figures(s, &k, tables);
        if (k.figures == 0)
            continue;
        if (!begun)
            fs_show_begin(s, section, "the table of each run, and what differs");
        begun = true;
        put_groups(s, &k, tables);
    }
}

static fs_status put_table(fs_show *s, const fs_plan_section *section, fs_error *err) {
    const fs_csv *tables[FS_SHOW_RUNS] = {NULL};
    for (size_t i = 0; i < s->count && err->status == FS_OK; i++)
        tables[i] = fs_show_table_of(s, i, section->file, err);
    if (err->status == FS_OK && s->count > 1)
        put_several(s, section, tables);
    else if (err->status == FS_OK && tables[0] != NULL)
        put_one(s, section, tables[0]);
    return err->status;
}

/* ---- the rows with the greatest ---- */

typedef struct ranked {
    size_t row;
    double key, second;
} ranked;

static int by_key(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->second != y->second)
        return x->second > y->second ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Rows with the greatest key above 0; of equal ones those with more in the table's last column. */
static size_t top_rows(fs_show *s, const fs_csv *t, const fs_plan_panel *panel, const ranked **top) {
    ranked *all = FS_NEW(s->arena, ranked, fs_csv_rows(t) + 1);
    size_t count = 0;
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const double over = panel->over == NULL ? 1 : fs_csv_number(t, i, panel->over),
                     value = fs_csv_number(t, i, panel->key) / over;
        if (value > 0 && over > 0)
            all[count++] =
                (ranked){i, value, fs_csv_number(t, i, panel->columns[panel->column_count - 1].column)};
    }
    qsort(all, count, sizeof *all, by_key);
    *top = all;
    return count < SHOWN_ROWS ? count : SHOWN_ROWS;
}

static fs_status put_most(fs_show *s, const fs_plan_section *section, fs_error *err) {
    const fs_csv *t = s->count > 1 ? NULL : fs_show_table_of(s, 0, section->file, err);
    if (t == NULL)
        return err->status;
    knowing k = {s, t, NULL};
    fs_show_begin(s, section, NULL);
    say(s, section->words, NULL, &k);
    for (size_t p = 0; p < section->panel_count; p++) {
        const fs_plan_panel *panel = &section->panels[p];
        const ranked *top = NULL;
        double most[COLUMNS];
        if (panel->key == NULL || panel->column_count == 0)
            continue;
        const size_t count = top_rows(s, t, panel, &top);
        if (count == 0) {
            const char *words = fs_fill(s->arena, s->run[0], panel->otherwise, know, &k);
            if (words != NULL)
                fs_sheet_note(s->sheet, "%s", words);
            continue;
        }
        find_most(t, panel, NULL, most);
        fs_rows *to = begin_table(s, panel, fs_fill(s->arena, s->run[0], panel->title, know, &k));
        for (size_t i = 0; i < count; i++)
            put_row(s, to, t, top[i].row, panel, most);
    }
    return FS_OK;
}

/* ---- figures side by side ---- */

static fs_status put_figures(fs_show *s, const fs_plan_section *section, fs_error *err) {
    (void)err;
    if (s->count > 1)
        return FS_OK;
    fs_show_begin(s, section, NULL);
    for (size_t p = 0; p < section->panel_count; p++) {
        const fs_plan_panel *panel = &section->panels[p];
        double most = 0;
        bool any = false;
        for (size_t k = 0; k < panel->column_count; k++) {
            most = fmax(most, fs_folder_number(s->run[0], panel->columns[k].column));
            any |= !isnan(fs_folder_number(s->run[0], panel->columns[k].column));
        }
        if (!any) /* of what this run does not do */
            continue;
        if (strcmp(panel->form, "roofline") == 0) {
            fs_show_roofline(s, panel);
            continue;
        }
        fs_rows *to = fs_sheet_table(s->sheet, fs_fill(s->arena, s->run[0], panel->title, NULL, NULL),
                                     "figure", "#value", "what it is", NULL);
        for (size_t k = 0; k < panel->column_count; k++) {
            const fs_plan_column *c = &panel->columns[k];
            const fs_figure *f = fs_folder_figure(s->run[0], c->column);
            const bool share = strcmp(c->form, "share") == 0;
            if (f == NULL || isnan(f->value))
                continue;
            fs_rows_add(to);
            fs_cell_head(to, "%s <span class=\"unit\">%s</span>", c->label, f->unit);
            fs_cell_bar(to, share ? fs_number_form(f->value, "%", "") : fs_number_form(f->value, "", f->unit),
                        f->value, share ? 1 : most, c->colour == NULL ? "plain" : c->colour);
            fs_cell(to, f->description);
            fs_cell_add(to, (fs_cell_more){.look = "words"});
        }
    }
    return FS_OK;
}

const fs_show_kind fs_show_kind_table = {"table", put_table, NULL};
const fs_show_kind fs_show_kind_most = {"most", put_most, NULL};
const fs_show_kind fs_show_kind_figures = {"figures", put_figures, NULL};
