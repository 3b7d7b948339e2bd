/* What a page's plan says of a run: its roles, texts, columns and lines; and the phases of a device's time. */
#include "reports/read/run_folder.h"

#include <math.h>
#include <string.h>

const fs_time_phase fs_time_phases[FS_TIME_PHASES] = {{"device.cycles_compute", "compute", "compute"},
                                                      {"device.cycles_exchange", "exchange", "exchange"},
                                                      {"device.cycles_sync", "sync", "barriers"},
                                                      {"device.cycles_host", "host", "host visits"}};

const char *fs_time_takes(const char *words) {
    const size_t length = strlen(words);
    return length > 0 && words[length - 1] == 's' ? "take" : "takes";
}

const char fs_role_unused[] = "spare";

void fs_roles_begin(fs_roles *roles, fs_arena *arena, const fs_page_plan *plan) {
    *roles = (fs_roles){.arena = arena};
    for (size_t i = 0; i < plan->role_count && i < FS_ROLES; i++) {
        const fs_plan_role *role = &plan->roles[i];
        roles->name[i] = role->name == NULL ? "" : role->name;
        roles->label[i] = role->label == NULL ? roles->name[i] : role->label;
        roles->mark[i] = role->mark;
        roles->count = i + 1;
    }
}

size_t fs_roles_at(fs_roles *roles, const char *name) {
    for (size_t i = 0; i < roles->count; i++)
        if (strcmp(roles->name[i], name) == 0)
            return i;
    if (roles->count == FS_ROLES)
        return FS_ROLES - 1;
    roles->name[roles->count] = fs_arena_strdup(roles->arena, name);
    roles->label[roles->count] = roles->name[roles->count];
    return roles->count++;
}

const char *fs_roles_colour(fs_roles *roles, const char *name) {
    static const char *const colour[] = {"role-0", "role-1", "role-2", "role-3",
                                         "role-4", "role-5", "role-6", "role-7"};
    if (strcmp(name, fs_role_unused) == 0)
        return "idle";
    return colour[fs_roles_at(roles, name) % (sizeof colour / sizeof *colour)];
}

bool fs_roles_levelled(fs_roles *roles, const char *name) {
    const char *mark = roles->mark[fs_roles_at(roles, name)];
    return mark != NULL && strcmp(mark, "level") == 0;
}

const char *fs_roles_group(fs_roles *roles, const char *name, bool levels, int64_t level, size_t count) {
    const char *text = count == 1 && !levels ? name : roles->label[fs_roles_at(roles, name)];
    return levels ? fs_arena_printf(roles->arena, "%s, level %lld", text, (long long)level) : text;
}

const char *fs_roles_mark(fs_roles *roles, const char *name, int64_t level) {
    const char *mark = roles->mark[fs_roles_at(roles, name)];
    if (mark == NULL)
        return "";
    return fs_roles_levelled(roles, name) ? fs_arena_printf(roles->arena, "%lld", (long long)level) : mark;
}

typedef struct known {
    const fs_folder *run;
    fs_number_lookup *lookup;
    void *self;
} known;

static bool look_up(void *of, const char *name, fs_number_value *out) {
    const known *k = of;
    if (name[0] == '@')
        return k->lookup != NULL && k->lookup(k->self, name + 1, out);
    const fs_figure *f = fs_folder_figure(k->run, name);
    if (f == NULL)
        return false;
    *out = (fs_number_value){f->value, f->kind == FS_FIGURE_NUMBER ? NULL : f->text, f->unit, f->whole};
    return true;
}

const char *fs_fill(fs_arena *arena, const fs_folder *run, const char *text, fs_number_lookup *lookup,
                    void *self) {
    known k = {run, lookup, self};
    return fs_number_fill(arena, text, look_up, &k);
}

/* Adds columns named with blanks between them; false when one is not there, or with an error. */
static bool add_columns(fs_arena *arena, const fs_csv *t, const char *names, double *sum, fs_error *err) {
    for (size_t n; names != NULL && *names != '\0'; names += n, names += strspn(names, " ")) {
        n = strcspn(names, " ");
        const char *name = fs_arena_printf(arena, "%.*s", (int)n, names);
        const int64_t *v = fs_csv_has(t, name) ? fs_csv_ints(t, name, err) : NULL;
        if (v == NULL)
            return false;
        for (size_t i = 0; i < fs_csv_rows(t); i++)
            sum[i] += (double)v[i];
    }
    return true;
}

double *fs_measured(fs_arena *arena, const fs_csv *t, const fs_plan_column *column, fs_error *err) {
    const double scale = column->scale > 0 ? column->scale : 1;
    double *value = FS_NEW(arena, double, fs_csv_rows(t) + 1),
           *of = FS_NEW(arena, double, fs_csv_rows(t) + 1);
    if (!add_columns(arena, t, column->column, value, err) || !add_columns(arena, t, column->of, of, err))
        return NULL;
    for (size_t i = 0; i < fs_csv_rows(t); i++)
        value[i] = (column->of == NULL ? value[i] : of[i] > 0 ? value[i] / of[i] : 0) * scale;
    return value;
}

double fs_planned_at(const fs_csv *t, size_t row, const fs_plan_column *c) {
    const double value = fs_csv_number(t, row, c->column),
                 of = c->of == NULL ? 1 : fs_csv_number(t, row, c->of);
    return (c->of != NULL && !(of > 0) ? (double)NAN : value / of) * (c->scale > 0 ? c->scale : 1);
}

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
