/* page.json: each struct of the plan has a table of its texts, which is both written and read. */
#include "sim/results/page_plan.h"

#include "sim/base/arith.h"

#include <stdbool.h>
#include <string.h>

/* WORD: names a picture, a file beside the pages or an id: [a-z0-9_-], at most WORD_MOST. FILE: of the run
 * folder itself. */
typedef enum field_kind { TEXT, WORD, FILE_NAME, REAL, LIST } field_kind;
enum { WORD_MOST = 24 };

typedef struct shape shape;
typedef struct field {
    const char *key;
    size_t at; /* of a list: of its pointer */
    field_kind kind;
    const shape *each; /* of a list */
    size_t count;      /* of a list: of its size_t */
} field;
struct shape {
    size_t bytes;
    const field *fields;
    size_t count;
    bool pointers; /* a list of pointers to structs */
};

/* Of the struct S. */
#define FIELD(m)                                                                                             \
    { #m, offsetof(S, m), TEXT, NULL, 0 }
#define NAMED(m)                                                                                             \
    { #m, offsetof(S, m), WORD, NULL, 0 }
#define INSIDE(m)                                                                                            \
    { #m, offsetof(S, m), FILE_NAME, NULL, 0 }
#define NUMBER(m)                                                                                            \
    { #m, offsetof(S, m), REAL, NULL, 0 }
#define MANY(m, n, of)                                                                                       \
    { #m, offsetof(S, m), LIST, &(of), offsetof(S, n) }
#define SHAPE(name, by_pointers, ...)                                                                        \
    static const field name##_fields[] = {__VA_ARGS__};                                                      \
    static const shape name = {sizeof(S), name##_fields, FS_COUNT(name##_fields), by_pointers}

#define S fs_plan_setting
SHAPE(setting_shape, false, FIELD(label), FIELD(key));
#undef S
#define S fs_plan_card
SHAPE(card_shape, false, FIELD(label), FIELD(value), FIELD(more), FIELD(otherwise), FIELD(when));
#undef S
#define S fs_plan_part
SHAPE(part_shape, false, NAMED(name), FIELD(label), FIELD(hint), FIELD(figure), FIELD(mark), FIELD(cycles),
      FIELD(said));
#undef S
#define S fs_plan_role
SHAPE(role_shape, false, FIELD(name), FIELD(label), FIELD(mark));
#undef S
#define S fs_plan_reason
SHAPE(reason_shape, false, INSIDE(file), FIELD(column), FIELD(most), FIELD(none), FIELD(when), FIELD(bound),
      FIELD(figure));
#undef S
#define S fs_plan_column
SHAPE(column_shape, false, FIELD(column), FIELD(of), FIELD(by), FIELD(label), FIELD(unit), FIELD(hint),
      FIELD(form), FIELD(colour), NUMBER(scale));
#undef S
#define S fs_plan_panel
SHAPE(panel_shape, false, NAMED(name), FIELD(label), INSIDE(file), FIELD(title), FIELD(caption),
      FIELD(otherwise), FIELD(key), FIELD(over), FIELD(form), FIELD(compared),
      MANY(columns, column_count, column_shape));
#undef S
#define S fs_plan_section
SHAPE(section_shape, true, FIELD(kind), NAMED(id), FIELD(title), INSIDE(file), FIELD(words), FIELD(note),
      FIELD(note_when), FIELD(findings), MANY(panels, panel_count, panel_shape));
#undef S
#define S fs_plan_clause
SHAPE(clause_shape, false, FIELD(text), FIELD(when), NUMBER(from));
#undef S
#define S fs_plan_rung
SHAPE(rung_shape, false, FIELD(name), FIELD(said));
#undef S
#define S fs_page_plan
SHAPE(plan_shape, false, FIELD(workload), FIELD(subject), FIELD(warning), INSIDE(thumbnail),
      MANY(settings, setting_count, setting_shape), MANY(cards, card_count, card_shape),
      MANY(parts, part_count, part_shape), MANY(roles, role_count, role_shape),
      MANY(reasons, reason_count, reason_shape), MANY(verdict, verdict_count, clause_shape),
      MANY(rungs, rung_count, rung_shape), MANY(chart, chart_count, column_shape),
      MANY(views, view_count, column_shape), MANY(sections, section_count, section_shape));
#undef S

/* ---- writing ---- */

static json_t *object_of(const shape *s, const void *from);

static json_t *list_of(const field *f, const char *from) {
    const char *items = *(const char *const *)(const void *)(from + f->at);
    const size_t count = *(const size_t *)(const void *)(from + f->count);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, object_of(f->each, f->each->pointers
                                                           ? ((const void *const *)(const void *)items)[i]
                                                           : items + i * f->each->bytes));
    return list;
}

static json_t *object_of(const shape *s, const void *from) {
    const char *at = from;
    json_t *object = json_object();
    for (size_t i = 0; i < s->count; i++) {
        const field *f = &s->fields[i];
        if (f->kind == LIST) {
            if (*(const size_t *)(const void *)(at + f->count) > 0)
                json_object_set_new(object, f->key, list_of(f, at));
        } else if (f->kind == REAL) {
            double value = *(const double *)(const void *)(at + f->at);
            if (value < 0 || value > 0)
                json_object_set_new(object, f->key, json_real(value));
        } else {
            const char *text = *(const char *const *)(const void *)(at + f->at);
            if (text != NULL && text[0] != '\0')
                json_object_set_new(object, f->key, json_string(text));
        }
    }
    return object;
}

json_t *fs_page_plan_json(const fs_page_plan *plan) {
    json_t *root = json_object(), *questions = json_array(), *rest = object_of(&plan_shape, plan);
    json_object_set_new(root, "schema", json_integer(FS_PAGE_SCHEMA));
    for (size_t i = 0; plan->questions != NULL && plan->questions[i] != NULL; i++)
        json_array_append_new(questions, json_string(plan->questions[i]));
    json_object_set_new(root, "questions", questions);
    json_object_update(root, rest);
    json_decref(rest);
    return root;
}

fs_status fs_page_plan_write(const fs_page_plan *plan, fs_results *results, fs_error *err) {
    if (plan == NULL)
        return FS_OK;
    json_t *root = fs_page_plan_json(plan);
    fs_status status = fs_results_json(results, "page.json", root, err);
    json_decref(root);
    return status;
}

/* ---- reading ---- */

typedef struct reading {
    const char *path;
    fs_arena *arena;
    fs_error *err;
} reading;

static fs_status read_object(const reading *r, const shape *s, const json_t *from, const char *place,
                             char *to);

static fs_status read_list(const reading *r, const field *f, const json_t *list, const char *place,
                           char *to) {
    const size_t count = json_array_size(list);
    if (!json_is_array(list))
        return fs_fail(r->err, FS_INPUT, "%s: %s: expected a list", r->path, place);
    char *items = fs_arena_alloc(r->arena, count + 1, f->each->bytes);
    const void **pointers = FS_NEW(r->arena, const void *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *here = fs_arena_printf(r->arena, "%s[%zu]", place, i);
        pointers[i] = items + i * f->each->bytes;
        if (read_object(r, f->each, json_array_get(list, i), here, items + i * f->each->bytes))
            return r->err->status;
    }
    *(const void **)(void *)(to + f->at) = f->each->pointers ? (const void *)pointers : items;
    *(size_t *)(void *)(to + f->count) = count;
    return FS_OK;
}

static bool is_word(const char *text, bool file) {
    const char *const letters =
        file ? "abcdefghijklmnopqrstuvwxyz0123456789-_." : "abcdefghijklmnopqrstuvwxyz0123456789-_";
    return text[0] != '\0' && text[0] != '.' && text[strspn(text, letters)] == '\0' &&
           strlen(text) <= WORD_MOST;
}

static fs_status read_object(const reading *r, const shape *s, const json_t *from, const char *place,
                             char *to) {
    if (!json_is_object(from))
        return fs_fail(r->err, FS_INPUT, "%s: %s: expected an object", r->path, place);
    for (size_t i = 0; i < s->count; i++) {
        const field *f = &s->fields[i];
        const json_t *value = json_object_get(from, f->key);
        const char *here = fs_arena_printf(r->arena, "%s%s%s", place, place[0] == '\0' ? "" : ".", f->key);
        if (value == NULL || json_is_null(value))
            continue;
        if (f->kind == LIST) {
            if (read_list(r, f, value, here, to))
                return r->err->status;
        } else if (f->kind == REAL) {
            if (!json_is_number(value))
                return fs_fail(r->err, FS_INPUT, "%s: %s: expected a number", r->path, here);
            *(double *)(void *)(to + f->at) = json_number_value(value);
        } else {
            if (!json_is_string(value))
                return fs_fail(r->err, FS_INPUT, "%s: %s: expected a text", r->path, here);
            if (f->kind != TEXT && !is_word(json_string_value(value), f->kind == FILE_NAME))
                return fs_fail(r->err, FS_INPUT,
                               "%s: %s: expected a name of at most %d letters a to z, digits, - and _",
                               r->path, here, WORD_MOST);
            *(const char **)(void *)(to + f->at) = fs_arena_strdup(r->arena, json_string_value(value));
        }
    }
    return FS_OK;
}

/* Whatever reads a plan may rely on the names in it; a label that is missing is the name. */
static fs_status named(const reading *r, const char *what, size_t place, const char *name) {
    return name != NULL ? FS_OK
                        : fs_fail(r->err, FS_INPUT, "%s: %s %zu has no name", r->path, what, place + 1);
}

/* Columns of a table, with blanks between them, or a figure; they name files and variables of pictures, too. */
static bool is_columns(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.* ";
    enum { MOST = 120 };
    return text == NULL || (strlen(text) <= MOST && text[strspn(text, letters)] == '\0');
}

static fs_status complete_columns(const reading *r, const fs_plan_column *columns, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fs_plan_column *c = (fs_plan_column *)(uintptr_t)&columns[i]; /* of the arena, just read */
        if (named(r, "column", i, c->column))
            return r->err->status;
        if (!is_columns(c->column) || !is_columns(c->of) || !is_columns(c->by))
            return fs_fail(r->err, FS_INPUT, "%s: \"%.60s\" names no columns", r->path, c->column);
        c->label = c->label == NULL ? c->column : c->label;
        c->unit = c->unit == NULL ? "" : c->unit;
        c->form = c->form == NULL ? "" : c->form;
    }
    return FS_OK;
}

static fs_status complete_section(const reading *r, const fs_plan_section *s, size_t place, size_t *panels) {
    if (named(r, "section", place, s->kind) || named(r, "section", place, s->id) ||
        named(r, "section", place, s->title))
        return r->err->status;
    for (size_t i = 0; i < s->panel_count; i++) {
        fs_plan_panel *p = (fs_plan_panel *)(uintptr_t)&s->panels[i]; /* of the arena, just read */
        if (named(r, "panel", i, p->name) || complete_columns(r, p->columns, p->column_count))
            return r->err->status;
        p->form = p->form == NULL ? "" : p->form;
    }
    *panels += s->panel_count;
    return *panels <= FS_PAGE_PANELS
               ? FS_OK
               : fs_fail(r->err, FS_INPUT, "%s: more than %d panels", r->path, FS_PAGE_PANELS);
}

static fs_status complete(const reading *r, const fs_page_plan *plan) {
    size_t panels = 0;
    for (size_t i = 0; i < plan->setting_count; i++)
        if (named(r, "setting", i, plan->settings[i].label))
            return r->err->status;
    for (size_t i = 0; i < plan->part_count; i++)
        if (named(r, "part", i, plan->parts[i].name) || named(r, "part", i, plan->parts[i].label))
            return r->err->status;
    for (size_t i = 0; i < plan->role_count; i++)
        if (named(r, "role", i, plan->roles[i].name))
            return r->err->status;
    for (size_t i = 0; i < plan->reason_count; i++)
        if (named(r, "reason", i, plan->reasons[i].file) || named(r, "reason", i, plan->reasons[i].column))
            return r->err->status;
    for (size_t i = 0; i < plan->section_count; i++)
        if (complete_section(r, plan->sections[i], i, &panels))
            return r->err->status;
    for (size_t i = 0; i < plan->verdict_count; i++)
        if (named(r, "clause", i, plan->verdict[i].text))
            return r->err->status;
    for (size_t i = 0; i < plan->rung_count; i++)
        if (named(r, "rung", i, plan->rungs[i].name) || named(r, "rung", i, plan->rungs[i].said))
            return r->err->status;
    if (complete_columns(r, plan->chart, plan->chart_count))
        return r->err->status;
    return complete_columns(r, plan->views, plan->view_count);
}

const fs_page_plan *fs_page_plan_read(const json_t *root, const char *path, fs_arena *arena, fs_error *err) {
    const reading r = {path, arena, err};
    const json_t *schema = json_object_get(root, "schema"), *questions = json_object_get(root, "questions");
    if (!json_is_integer(schema) || json_integer_value(schema) != FS_PAGE_SCHEMA)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: schema: expected %d: another foamsim wrote this page", path,
                            FS_PAGE_SCHEMA);
    fs_page_plan *plan = FS_NEW(arena, fs_page_plan, 1);
    if (read_object(&r, &plan_shape, root, "", (char *)plan) || complete(&r, plan))
        return NULL;
    const char **words = FS_NEW(arena, const char *, json_array_size(questions) + 1);
    for (size_t i = 0; i < json_array_size(questions); i++) {
        const json_t *word = json_array_get(questions, i);
        if (!json_is_string(word))
            return FS_FAIL_NULL(err, FS_INPUT, "%s: questions[%zu]: expected a text", path, i);
        words[i] = fs_arena_strdup(arena, json_string_value(word));
    }
    plan->questions = words;
    return plan;
}
