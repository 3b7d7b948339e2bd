/* page.json: each struct of the plan has a table of its texts, which is both written and read. */
#include "sim/results/page_plan.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* WORD: names a picture, a file beside the pages or an id: [a-z0-9_-], at most WORD_MOST. FILE: of the run
 * folder itself. COLUMNS: of a table, with blanks between them, or a figure; they name files and variables of
 * pictures, too. */
typedef enum field_kind { TEXT, WORD, FILE_NAME, COLUMNS, REAL, LIST } field_kind;
enum { WORD_MOST = 24, COLUMNS_MOST = 120 };

/* What a text is that the file does not have: nothing, an error, "", the text of another member. */
typedef enum field_missing { LEFT_OUT, REFUSED, EMPTY, COPIED } field_missing;

typedef struct shape shape;
typedef struct field {
    const char *key;
    size_t at; /* of a list: of its pointer */
    field_kind kind;
    field_missing missing;
    size_t other;      /* of a list: of its size_t; of a text that is COPIED: of that member, further up */
    const shape *each; /* of a list */
} field;
struct shape {
    const char *what; /* "panel": one of them */
    size_t bytes;
    const field *fields;
    size_t count;
    bool pointers; /* a list of pointers to structs */
};

/* Of the struct S. */
#define FIELD_(m, kind, missing)                                                                             \
    { #m, offsetof(S, m), kind, missing, 0, NULL }
#define FIELD(m)  FIELD_(m, TEXT, LEFT_OUT)
#define MUST(m)   FIELD_(m, TEXT, REFUSED)
#define BLANK(m)  FIELD_(m, TEXT, EMPTY)
#define NAMED(m)  FIELD_(m, WORD, REFUSED)
#define INSIDE(m) FIELD_(m, FILE_NAME, LEFT_OUT)
#define NUMBER(m) FIELD_(m, REAL, LEFT_OUT)
#define AS(m, n)                                                                                             \
    { #m, offsetof(S, m), TEXT, COPIED, offsetof(S, n), NULL }
#define MANY(m, n, of)                                                                                       \
    { #m, offsetof(S, m), LIST, LEFT_OUT, offsetof(S, n), &(of##_shape) }
#define SHAPE(name, by_pointers, ...)                                                                        \
    static const field name##_fields[] = {__VA_ARGS__};                                                      \
    static const shape name##_shape = {#name, sizeof(S), name##_fields, FS_COUNT(name##_fields), by_pointers}

#define S fs_plan_setting
SHAPE(setting, false, MUST(label), FIELD(key));
#undef S
#define S fs_plan_card
SHAPE(card, false, FIELD(label), FIELD(value), FIELD(more), FIELD(otherwise), FIELD(when));
#undef S
#define S fs_plan_part
SHAPE(part, false, NAMED(name), MUST(label), FIELD(hint), FIELD(figure), FIELD(mark), FIELD(cycles),
      FIELD(said));
#undef S
#define S fs_plan_role
SHAPE(role, false, MUST(name), FIELD(label), FIELD(mark));
#undef S
#define S fs_plan_reason
SHAPE(reason, false, FIELD_(file, FILE_NAME, REFUSED), MUST(column), FIELD(most), FIELD(none), FIELD(when),
      FIELD(bound), FIELD(figure));
#undef S
#define S fs_plan_column
SHAPE(column, false, FIELD_(column, COLUMNS, REFUSED), FIELD_(of, COLUMNS, LEFT_OUT),
      FIELD_(by, COLUMNS, LEFT_OUT), AS(label, column), BLANK(unit), FIELD(hint), BLANK(form), FIELD(colour),
      NUMBER(scale));
#undef S
#define S fs_plan_line
SHAPE(line, false, MUST(way), MUST(figure), MUST(text), NUMBER(scale));
#undef S
#define S fs_plan_panel
SHAPE(panel, false, NAMED(name), FIELD(label), INSIDE(file), FIELD(title), FIELD(caption), FIELD(otherwise),
      FIELD(key), FIELD(over), BLANK(form), FIELD(compared), MANY(columns, column_count, column),
      MANY(lines, line_count, line));
#undef S
#define S fs_plan_section
SHAPE(section, true, MUST(kind), NAMED(id), MUST(title), INSIDE(file), FIELD(words), FIELD(note),
      FIELD(note_when), FIELD(findings), MANY(panels, panel_count, panel));
#undef S
#define S fs_plan_clause
SHAPE(clause, false, MUST(text), FIELD(when), NUMBER(from));
#undef S
#define S fs_plan_rung
SHAPE(rung, false, MUST(name), MUST(said), FIELD(near), FIELD(build));
#undef S
#define S fs_page_plan
SHAPE(plan, false, FIELD(workload), FIELD(subject), FIELD(warning), INSIDE(thumbnail),
      MANY(settings, setting_count, setting), MANY(cards, card_count, card), MANY(parts, part_count, part),
      MANY(roles, role_count, role), MANY(reasons, reason_count, reason),
      MANY(verdict, verdict_count, clause), MANY(rungs, rung_count, rung), MANY(chart, chart_count, column),
      MANY(views, view_count, column), MANY(sections, section_count, section));
#undef S

/* ---- writing ---- */

static json_t *object_of(const shape *s, const void *from);

static json_t *list_of(const field *f, const char *from) {
    const char *items = *(const char *const *)(const void *)(from + f->at);
    const size_t count = *(const size_t *)(const void *)(from + f->other);
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
            if (*(const size_t *)(const void *)(at + f->other) > 0)
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

/* "machine.exchange.kind=noc|circuit" is a line "machine.exchange.kind: noc", or one with the other word;
 * "machine.chips!=1" a line of that key with another value. */
static bool is_set(const char *settings, const char *when) {
    const size_t key = strcspn(when, "!=");
    const bool other = when[key] == '!';
    for (const char *at = settings; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        if (strncmp(at, when, key) != 0 || strncmp(at + key, ": ", 2) != 0)
            continue;
        const char *value = at + key + 2;
        bool same = false;
        for (const char *word = when + key + 1 + other; *word != '\0' && word[-1] != ' ';
             word += strcspn(word, "| "), word += *word != '\0')
            same |=
                strcspn(word, "| ") == strcspn(value, "\n") && strncmp(word, value, strcspn(word, "| ")) == 0;
        return same != other;
    }
    return false;
}

/* All conditions, with blanks between them; nothing is known without settings. */
static bool holds(const char *settings, const char *when) {
    for (const char *at = when; settings != NULL && at != NULL && *at != '\0';
         at += strcspn(at, " "), at += strspn(at, " "))
        if (!is_set(settings, at))
            return false;
    return true;
}

json_t *fs_page_plan_json(const fs_page_plan *whole, const char *settings) {
    fs_page_plan of = *whole, *plan = &of;
    const fs_plan_section **sections = fs_calloc(whole->section_count + 1, sizeof *sections);
    fs_plan_rung *rungs = fs_calloc(whole->rung_count + 1, sizeof *rungs);
    plan->sections = sections;
    plan->rungs = rungs;
    plan->section_count = plan->rung_count = 0;
    for (size_t i = 0; i < whole->section_count; i++)
        if (holds(settings, whole->sections[i]->when))
            sections[plan->section_count++] = whole->sections[i];
    for (size_t i = 0; i < whole->rung_count; i++)
        if (holds(settings, whole->rungs[i].when))
            rungs[plan->rung_count++] = whole->rungs[i];
    json_t *root = json_object(), *questions = json_array(), *rest = object_of(&plan_shape, plan);
    free(sections);
    free(rungs);
    json_object_set_new(root, "schema", json_integer(FS_PAGE_SCHEMA));
    for (size_t i = 0; plan->questions != NULL && plan->questions[i] != NULL; i++)
        json_array_append_new(questions, json_string(plan->questions[i]));
    json_object_set_new(root, "questions", questions);
    json_object_update(root, rest);
    json_decref(rest);
    return root;
}

fs_status fs_page_plan_write(const fs_page_plan *plan, const char *settings, fs_results *results,
                             fs_error *err) {
    if (plan == NULL)
        return FS_OK;
    json_t *root = fs_page_plan_json(plan, settings);
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

static fs_status read_object(const reading *r, const shape *s, size_t number, const json_t *from,
                             const char *place, char *to);

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
        if (read_object(r, f->each, i + 1, json_array_get(list, i), here, items + i * f->each->bytes))
            return r->err->status;
    }
    *(const void **)(void *)(to + f->at) = f->each->pointers ? (const void *)pointers : items;
    *(size_t *)(void *)(to + f->other) = count;
    return FS_OK;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-_"

static bool is_right(field_kind kind, const char *text) {
    const char *const letters = kind == WORD        ? LETTERS
                                : kind == FILE_NAME ? LETTERS "."
                                                    : LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ.* ";
    if (kind == TEXT || text[strspn(text, letters)] != '\0')
        return kind == TEXT;
    return kind == COLUMNS ? strlen(text) <= COLUMNS_MOST
                           : text[0] != '\0' && text[0] != '.' && strlen(text) <= WORD_MOST;
}

static fs_status read_text(const reading *r, const field *f, const json_t *value, const char *place,
                           char *to) {
    const char *text = json_string_value(value);
    if (text == NULL)
        return fs_fail(r->err, FS_INPUT, "%s: %s: expected a text", r->path, place);
    if (!is_right(f->kind, text) && f->kind == COLUMNS)
        return fs_fail(r->err, FS_INPUT, "%s: \"%.60s\" names no columns", r->path, text);
    if (!is_right(f->kind, text))
        return fs_fail(r->err, FS_INPUT,
                       "%s: %s: expected a name of at most %d letters a to z, digits, - and _", r->path,
                       place, WORD_MOST);
    *(const char **)(void *)(to + f->at) = fs_arena_strdup(r->arena, text);
    return FS_OK;
}

/* Whatever reads a plan may rely on the names in it. */
static fs_status read_object(const reading *r, const shape *s, size_t number, const json_t *from,
                             const char *place, char *to) {
    if (!json_is_object(from))
        return fs_fail(r->err, FS_INPUT, "%s: %s: expected an object", r->path, place);
    for (size_t i = 0; i < s->count; i++) {
        const field *f = &s->fields[i];
        const json_t *value = json_object_get(from, f->key);
        const char *here = fs_arena_append(r->arena, place, ".", "%s", f->key);
        if (value == NULL || json_is_null(value)) {
            if (f->missing == REFUSED)
                return fs_fail(r->err, FS_INPUT, "%s: %s %zu has no name", r->path, s->what, number);
            if (f->missing != LEFT_OUT)
                *(const char **)(void *)(to + f->at) =
                    f->missing == EMPTY ? "" : *(const char *const *)(const void *)(to + f->other);
        } else if (f->kind == LIST) {
            if (read_list(r, f, value, here, to))
                return r->err->status;
        } else if (f->kind == REAL) {
            if (!json_is_number(value))
                return fs_fail(r->err, FS_INPUT, "%s: %s: expected a number", r->path, here);
            *(double *)(void *)(to + f->at) = json_number_value(value);
        } else if (read_text(r, f, value, here, to)) {
            return r->err->status;
        }
    }
    return FS_OK;
}

static fs_status check_panels(const reading *r, const fs_page_plan *plan) {
    size_t panels = 0;
    for (size_t i = 0; i < plan->section_count; i++)
        panels += plan->sections[i]->panel_count;
    return panels <= FS_PAGE_PANELS
               ? FS_OK
               : fs_fail(r->err, FS_INPUT, "%s: more than %d panels", r->path, FS_PAGE_PANELS);
}

const fs_page_plan *fs_page_plan_read(const json_t *root, const char *path, fs_arena *arena, fs_error *err) {
    const reading r = {path, arena, err};
    const json_t *schema = json_object_get(root, "schema"), *questions = json_object_get(root, "questions");
    if (!json_is_integer(schema) || json_integer_value(schema) != FS_PAGE_SCHEMA)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: schema: expected %d: another foamsim wrote this page", path,
                            FS_PAGE_SCHEMA);
    fs_page_plan *plan = FS_NEW(arena, fs_page_plan, 1);
    if (read_object(&r, &plan_shape, 1, root, "", (char *)plan) || check_panels(&r, plan))
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

/* ---- sections that look alike whatever runs ---- */

const fs_plan_section fs_page_findings = {.kind = "findings", .id = "findings", .title = "Findings"};
const fs_plan_section fs_page_summary = {
    .kind = "summary", .id = "summary", .title = "Summary", .findings = "time"};
const fs_plan_section fs_page_settings = {
    .kind = "settings", .id = "configuration", .title = "Configuration"};
const fs_plan_section fs_page_files = {.kind = "files", .id = "files", .title = "Files"};
const fs_plan_section fs_page_ladder = {
    .kind = "ladder", .id = "ladder", .title = "What if", .file = "ladder.csv", .findings = "next"};
const fs_plan_section fs_page_memory = {
    .kind = "memory", .id = "memory", .title = "Memory", .file = "memory.csv", .findings = "sram"};
