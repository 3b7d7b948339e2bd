/* Tables: all rows of a file, by part of the run or not (table); those with the greatest of a column (most);
 * figures of the run side by side (figures). */
#include "reports/read/run_measured.h"
#include "reports/run/report_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 24, SHOWN_ROWS = 12, STACK = 6 };

/* Words of a list with blanks between them, of the arena. */
static size_t words_of(fs_report *r, const char *list, const char **word, size_t room) {
    size_t count = 0;
    for (size_t n; list != NULL && *list != '\0' && count < room; list += n, list += strspn(list, " ")) {
        n = strcspn(list, " ");
        word[count++] = fs_arena_printf(r->arena, "%.*s", (int)n, list);
    }
    return count;
}

/* ---- cells ---- */

/* A tile at the end of a lane: "router 12 level 3", from END, END_role and END_level. */
static void put_place(fs_report *r, const fs_csv *t, size_t row, const char *end) {
    const char *role = fs_csv_text(t, row, fs_arena_printf(r->arena, "%s_role", end));
    fs_page_put(r->page, "<td class=\"place\"><i class=\"key %s\"></i>%s %s",
                fs_roles_colour(&r->roles, role), role, fs_csv_text(t, row, end));
    if (fs_roles_levelled(&r->roles, role))
        fs_page_put(r->page, " <span class=\"unit\">level %s</span>",
                    fs_csv_text(t, row, fs_arena_printf(r->arena, "%s_level", end)));
    fs_page_put(r->page, "</td>");
}

static void put_stack(fs_report *r, const fs_csv *t, size_t row, const fs_plan_column *c) {
    const char *column[STACK] = {0}, *name[STACK] = {0}, *colour[STACK] = {0};
    const size_t count = words_of(r, c->column, column, STACK);
    double share[STACK] = {0}, sum = 0;
    words_of(r, c->label, name, STACK);
    words_of(r, c->colour, colour, STACK);
    for (size_t i = 0; i < count; i++) {
        share[i] = fmax(0, fs_csv_number(t, row, column[i]));
        sum += share[i];
        name[i] = name[i] == NULL ? column[i] : name[i];
        colour[i] = colour[i] == NULL ? "plain" : colour[i];
    }
    for (size_t i = 0; i < count; i++)
        share[i] = sum > 0 ? share[i] / sum : 0;
    fs_page_cell_stack(r->page, share, name, colour, count);
}

static void put_row(fs_report *r, const fs_csv *t, size_t row, const fs_plan_panel *panel,
                    const double *most) {
    const char *role = fs_csv_has(t, "role") ? fs_csv_text(t, row, "role") : "";
    const char *colour = role[0] == '\0' ? "plain" : fs_roles_colour(&r->roles, role);
    fs_page_row(r->page);
    for (size_t k = 0; k < panel->column_count && k < COLUMNS; k++) {
        const fs_plan_column *c = &panel->columns[k];
        const char *form = c->form;
        if (strcmp(form, "level") == 0)
            fs_page_put(r->page, "<th scope=\"row\"><i class=\"key %s\"></i>%s %s</th>", colour,
                        fs_csv_text(t, row, c->column), role);
        else if (strcmp(form, "place") == 0)
            put_place(r, t, row, c->column);
        else if (strcmp(form, "stack") == 0)
            put_stack(r, t, row, c);
        else if (strcmp(form, "text") == 0)
            fs_page_cell(r->page, fs_csv_text(t, row, c->column));
        else
            fs_planned_put(r->page, c, fs_planned_at(t, row, c), most[k], colour);
    }
}

static bool is_words(const fs_plan_column *c) {
    return strcmp(c->form, "level") == 0 || strcmp(c->form, "place") == 0 || strcmp(c->form, "stack") == 0 ||
           strcmp(c->form, "text") == 0;
}

static void begin_table(fs_report *r, const fs_plan_panel *panel, const char *caption) {
    fs_page_column columns[COLUMNS];
    const size_t count = panel->column_count < COLUMNS ? panel->column_count : COLUMNS;
    for (size_t k = 0; k < count; k++) {
        const fs_plan_column *c = &panel->columns[k];
        const bool stack = strcmp(c->form, "stack") == 0;
        const char *word[STACK] = {0}, *label = c->label;
        for (size_t i = 0, n = stack ? words_of(r, c->label, word, STACK) : 0; i < n; i++)
            label = i == 0 ? word[0] : fs_arena_printf(r->arena, "%s · %s", label, word[i]);
        columns[k] = (fs_page_column){label, c->unit, !is_words(c), c->hint};
    }
    fs_page_table(r->page, caption, columns, count);
}

static void find_most(const fs_csv *t, const fs_plan_panel *panel, const char *part, double *most) {
    for (size_t k = 0; k < panel->column_count && k < COLUMNS; k++) {
        most[k] = 0;
        for (size_t i = 0; i < fs_csv_rows(t) && !is_words(&panel->columns[k]); i++)
            if (part == NULL || strcmp(fs_csv_text(t, i, "part"), part) == 0)
                most[k] = fmax(most[k], fs_planned_at(t, i, &panel->columns[k]));
    }
}

/* ---- all rows ---- */

typedef struct knowing {
    fs_report *r;
    const fs_csv *table;
    const char *part; /* rows of that part; NULL: all */
} knowing;

/* COLUMN.most of the rows, and COLUMN.role, COLUMN.level of the row that has it; COLUMN.some and COLUMN.none:
 * rows with more than 0, and with 0. */
static bool know(void *self, const char *name, fs_fill_value *out) {
    const knowing *k = self;
    const char *dot = strrchr(name, '.');
    *out = (fs_fill_value){.unit = "", .whole = true, .number = (double)fs_csv_rows(k->table)};
    if (strcmp(name, "rows") == 0)
        return true;
    if (dot == NULL)
        return false;
    const char *column = fs_arena_printf(k->r->arena, "%.*s", (int)(dot - name), name);
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
        out->text = k->r->roles.label[fs_roles_at(&k->r->roles, fs_csv_text(k->table, at, "role"))];
    else if (strcmp(dot, ".level") == 0)
        out->text = fs_csv_text(k->table, at, "level");
    else
        out->number = strcmp(dot, ".some") == 0   ? (double)some
                      : strcmp(dot, ".none") == 0 ? (double)none
                                                  : most;
    out->whole = out->number == floor(out->number);
    return true;
}

static void put_rows(fs_report *r, const fs_csv *t, const fs_plan_panel *panel, const char *part, bool down) {
    double most[COLUMNS];
    find_most(t, panel, part, most);
    begin_table(r, panel, part == NULL ? panel->caption : NULL);
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        const size_t row = down ? fs_csv_rows(t) - 1 - i : i;
        if (part == NULL || strcmp(fs_csv_text(t, row, "part"), part) == 0)
            put_row(r, t, row, panel, most);
    }
    fs_page_table_end(r->page);
}

static void put_words(fs_report *r, const char *text, const char *otherwise, knowing *k) {
    const char *words = fs_fill(r->arena, r->run, text, know, k);
    words = words == NULL ? fs_fill(r->arena, r->run, otherwise, know, k) : words;
    if (words == NULL)
        return;
    fs_page_put(r->page, "<p>");
    if (words[0] >= 'a' && words[0] <= 'z')
        words = fs_arena_printf(r->arena, "%c%s", words[0] - 'a' + 'A', words + 1);
    fs_page_put(r->page, "%s</p>\n", words);
}

static fs_status put_table(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)own;
    const fs_csv *t = fs_folder_table(r->run, s->file, err);
    if (t == NULL)
        return err->status;
    knowing all = {r, t, NULL};
    put_words(r, s->words, NULL, &all);
    for (size_t p = 0; p < s->panel_count; p++) {
        const fs_plan_panel *panel = &s->panels[p];
        const bool parts = strstr(panel->form, "parts") != NULL && fs_csv_has(t, "part");
        const bool down = strstr(panel->form, "down") != NULL;
        knowing k = {r, t, parts ? "all" : NULL};
        put_words(r, panel->title, panel->otherwise, &k);
        if (parts)
            put_words(r, panel->caption, NULL, &k);
        if (!parts) {
            put_rows(r, t, panel, NULL, down);
            continue;
        }
        const char *label[FS_REPORT_PARTS] = {"whole run"};
        for (size_t i = 1; i < r->parts; i++)
            label[i] = r->plan->parts[i - 1].label;
        fs_page_choice(r->page, fs_arena_printf(r->arena, "%s-choice", panel->name), "part of the run", label,
                       r->parts);
        for (size_t i = 0; i < r->parts; i++) {
            fs_page_panel(r->page, label[i]);
            if (i == 0 || r->part_end[i] > r->part_begin[i])
                put_rows(r, t, panel, i == 0 ? "all" : r->plan->parts[i - 1].name, down);
            else
                fs_page_note(r->page, "The run has no iterations in this part.");
        }
        fs_page_choice_end(r->page);
    }
    return FS_OK;
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
static size_t top_rows(fs_report *r, const fs_csv *t, const fs_plan_panel *panel, const ranked **top) {
    ranked *all = FS_NEW(r->arena, ranked, fs_csv_rows(t) + 1);
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

static fs_status put_most(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)own;
    const fs_csv *t = fs_folder_table(r->run, s->file, err);
    if (t == NULL)
        return err->status;
    knowing k = {r, t, NULL};
    put_words(r, s->words, NULL, &k);
    for (size_t p = 0; p < s->panel_count; p++) {
        const fs_plan_panel *panel = &s->panels[p];
        const ranked *top = NULL;
        double most[COLUMNS];
        if (panel->key == NULL || panel->column_count == 0)
            continue;
        const size_t count = top_rows(r, t, panel, &top);
        if (count == 0) {
            const char *words = fs_fill(r->arena, r->run, panel->otherwise, know, &k);
            if (words != NULL)
                fs_page_note(r->page, "%s", words);
            continue;
        }
        find_most(t, panel, NULL, most);
        begin_table(r, panel, fs_fill(r->arena, r->run, panel->title, know, &k));
        for (size_t i = 0; i < count; i++)
            put_row(r, t, top[i].row, panel, most);
        fs_page_table_end(r->page);
    }
    return FS_OK;
}

/* ---- figures side by side ---- */

static fs_status put_figures(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)own, (void)err;
    for (size_t p = 0; p < s->panel_count; p++) {
        const fs_plan_panel *panel = &s->panels[p];
        double most = 0;
        bool any = false;
        for (size_t k = 0; k < panel->column_count; k++) {
            most = fmax(most, fs_folder_number(r->run, panel->columns[k].column));
            any |= !isnan(fs_folder_number(r->run, panel->columns[k].column));
        }
        if (!any) /* of what this run does not do */
            continue;
        fs_page_heads(r->page, fs_fill(r->arena, r->run, panel->title, NULL, NULL), "figure", "#value",
                      "what it is", NULL);
        for (size_t k = 0; k < panel->column_count; k++) {
            const fs_plan_column *c = &panel->columns[k];
            const fs_figure *f = fs_folder_figure(r->run, c->column);
            if (f == NULL || isnan(f->value))
                continue;
            fs_page_row(r->page);
            fs_page_put(r->page, "<th scope=\"row\">%s <span class=\"unit\">%s</span></th>", c->label,
                        f->unit);
            if (strcmp(c->form, "share") == 0)
                fs_page_cell_bar(r->page, fs_fill_number(f->value, "%", ""), f->value, 1,
                                 c->colour == NULL ? "plain" : c->colour);
            else
                fs_page_cell_bar(r->page, fs_fill_number(f->value, "", f->unit), f->value, most,
                                 c->colour == NULL ? "plain" : c->colour);
            fs_page_put(r->page, "<td class=\"words\">%s</td>", f->description);
        }
        fs_page_table_end(r->page);
    }
    return FS_OK;
}

const fs_report_kind fs_report_kind_table = {"table", NULL, put_table};
const fs_report_kind fs_report_kind_most = {"most", NULL, put_most};
const fs_report_kind fs_report_kind_figures = {"figures", NULL, put_figures};
