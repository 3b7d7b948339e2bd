#include "reports/read/run_folder.h"

#include <string.h>

typedef struct reader {
    const fs_csv *table;
    fs_lines_one *lines;
    size_t *count, room;
} reader;

double fs_lines_at(const fs_lines_one *line, size_t row) {
    return line->by != NULL && strcmp(line->words[row], line->by) != 0 ? 0 : (double)line->values[row];
}

/* A column that a run need not have. */
static fs_status add(reader *r, fs_lines_one from, fs_error *err) {
    if (*r->count == r->room || !fs_csv_has(r->table, from.column))
        return FS_OK;
    from.values = fs_csv_ints(r->table, from.column, err);
    for (size_t i = 0; from.values != NULL && i < fs_csv_rows(r->table); i++)
        from.sum += fs_lines_at(&from, i);
    if (from.values != NULL && (from.by == NULL || from.sum > 0))
        r->lines[(*r->count)++] = from;
    return err->status;
}

/* compute by the role that set the pace. */
static fs_status add_split(reader *r, fs_roles *roles, fs_lines_one from, fs_error *err) {
    const char *label = from.label;
    bool there[FS_ROLES] = {false};
    from.words = fs_csv_words(r->table, from.plan->by, err);
    for (size_t i = 0; from.words != NULL && i < fs_csv_rows(r->table); i++)
        there[fs_roles_at(roles, from.words[i])] = true;
    for (size_t k = 0; k < roles->count && err->status == FS_OK; k++) {
        from.by = roles->name[k];
        from.label = fs_arena_printf(roles->arena, "%s: %s", label, from.by);
        from.colour = fs_roles_colour(roles, from.by);
        if (there[k])
            add(r, from, err);
    }
    return err->status;
}

/* rays_level_*: a line for each number that the table has. */
static fs_status add_numbered(reader *r, fs_arena *arena, fs_lines_one from, fs_error *err) {
    const int star = (int)strcspn(from.plan->column, "*"), mark = (int)strcspn(from.label, "*");
    const char *label = from.label;
    const size_t before = *r->count;
    for (size_t n = 1; err->status == FS_OK; n++) {
        from.column = fs_arena_printf(arena, "%.*s%zu", star, from.plan->column, n);
        from.label = fs_arena_printf(arena, "%.*s%zu", mark, label, n);
        from.shade = n - 1;
        if (!fs_csv_has(r->table, from.column))
            break;
        add(r, from, err);
    }
    for (size_t i = before; i < *r->count; i++)
        r->lines[i].shades = *r->count - before;
    return err->status;
}

fs_status fs_lines_read(fs_arena *arena, fs_roles *roles, const fs_csv *table, const fs_plan_section *section,
                        size_t at, fs_lines_one *lines, size_t *count, size_t room, fs_error *err) {
    const fs_plan_panel *panel = &section->panels[at];
    const bool stacked = strcmp(panel->form, "stacked") == 0;
    reader r = {table, lines, count, room};
    for (size_t k = 0; k < panel->column_count; k++) {
        const fs_plan_column *c = &panel->columns[k];
        const char *form = c->form;
        const bool tall = strcmp(form, "tall") == 0;
        const fs_lines_one from = {.plan = c,
                                   .panel = at,
                                   .column = c->column,
                                   .label = c->label,
                                   .unit = c->unit,
                                   .colour = c->colour == NULL ? "plain" : c->colour,
                                   .area = tall || (stacked && form[0] == '\0'),
                                   .tall = tall,
                                   .told = strcmp(form, "told") == 0};
        if (strchr(c->column, '*') != NULL              ? add_numbered(&r, arena, from, err)
            : c->by != NULL && fs_csv_has(table, c->by) ? add_split(&r, roles, from, err)
                                                        : add(&r, from, err))
            return err->status;
    }
    return FS_OK;
}
