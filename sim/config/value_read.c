/* Values of every type out of YAML, with unit and range; the sentence when one is wrong. */
#include "sim/config/config.h"
#include "sim/config/value.h"
#include "sim/yaml/paths.h"
#include "sim/yaml/quantity.h"
#include "sim/yaml/words.h"

#include <string.h>

/* What every check of one value needs. */
typedef struct slot {
    fs_report *report;
    fs_arena *arena;
    const fs_param *row;
    const char *key; /* with the index inside a list: "overlay.widths[2]" */
} slot;

static bool is_integer(const fs_param *row) {
    return row->type == FS_TYPE_INT || row->type == FS_TYPE_INT_LIST;
}

/* ---- words for messages ---- */

static const char *limit_text(fs_arena *arena, const fs_param *row, double limit) {
    char text[FS_QUANTITY_TEXT];
    if (is_integer(row))
        fs_quantity_print_int(text, row->unit, (int64_t)limit);
    else
        fs_quantity_print_real(text, row->unit, limit);
    return fs_arena_strdup(arena, text);
}

static bool limited(const fs_param *row, double limit) {
    double beyond = is_integer(row) ? 9e18 : 1e29; /* rows write "no limit" as a very large number */
    return limit < beyond && limit > -beyond;
}

const char *fs_value_range(fs_arena *arena, const fs_param *row) {
    bool number = is_integer(row) || row->type == FS_TYPE_REAL || row->type == FS_TYPE_VEC3 ||
                  row->type == FS_TYPE_MAT4 || row->type == FS_TYPE_VEC3_LIST;
    if (!number || (!limited(row, row->min) && !limited(row, row->max)))
        return "";
    if (!limited(row, row->max))
        return fs_arena_printf(arena, "at least %s", limit_text(arena, row, row->min));
    if (!limited(row, row->min))
        return fs_arena_printf(arena, "at most %s", limit_text(arena, row, row->max));
    return fs_arena_printf(arena, "%s to %s", limit_text(arena, row, row->min),
                           limit_text(arena, row, row->max));
}

/* One number of the row, signed: "a positive integer", "auto or a quantity in B, kB or KiB". */
static const char *number_noun(fs_arena *arena, const fs_param *row, bool sign) {
    const char *word = row->word == NULL ? "" : fs_arena_printf(arena, "%s or ", row->word);
    if (row->unit != FS_UNIT_NONE)
        return fs_arena_printf(arena, "%sa quantity in %s", word,
                               fs_listed_words(arena, fs_quantity_units(row->unit), "or"));
    const char *noun = is_integer(row) ? "integer" : "number";
    if (sign && row->min > 0)
        return fs_arena_printf(arena, "%sa positive %s", word, noun);
    if (sign && row->min == 0)
        return fs_arena_printf(arena, "%sa non-negative %s", word, noun);
    return fs_arena_printf(arena, "%s%s %s", word, is_integer(row) ? "an" : "a", noun);
}

const char *fs_value_expected(fs_arena *arena, const fs_param *row) {
    switch (row->type) {
    case FS_TYPE_BOOL:
        return "true or false";
    case FS_TYPE_INT:
    case FS_TYPE_REAL:
        return number_noun(arena, row, true);
    case FS_TYPE_ENUM:
        return fs_arena_printf(arena, "%s%s", row->choices[1] == NULL ? "" : "one of ",
                               fs_listed_words(arena, row->choices, "or"));
    case FS_TYPE_STRING:
        return "a text";
    case FS_TYPE_PATH:
        return "a path";
    case FS_TYPE_VEC3:
        return "three numbers [x, y, z]";
    case FS_TYPE_MAT4:
        return "four rows of four numbers";
    case FS_TYPE_INT_LIST:
        return fs_arena_printf(arena, "a list, each %s", number_noun(arena, row, true));
    case FS_TYPE_VEC3_LIST:
        return "a list of points [x, y, z]";
    }
    return "";
}

/* The limits that the noun does not tell already. */
static const char *allowed_text(const slot *s) {
    bool told =
        !limited(s->row, s->row->max) && (s->row->min == 0 || (is_integer(s->row) && s->row->min == 1));
    const char *range = told ? "" : fs_value_range(s->arena, s->row);
    return range[0] == '\0' ? "" : fs_arena_printf(s->arena, "; allowed: %s", range);
}

/* False. */
static bool refuse(const slot *s, const fs_node *node, const char *expected, const char *hint) {
    if (node->kind != FS_NODE_BAD)
        fs_report_add(s->report, node->mark, s->key, "expected %s, found %s%s", expected,
                      fs_node_found(s->arena, node), hint);
    return false;
}

/* ---- numbers ---- */

static const char *fault_hint(const slot *s, const fs_node *node, fs_quantity_fault fault) {
    const char *const *units = fs_quantity_units(s->row->unit);
    switch (fault) {
    case FS_QUANTITY_NO_UNIT:
        return fs_arena_printf(s->arena, " without a unit; write \"%s %s\"%s", node->text, units[0],
                               units[1] == NULL ? "" : " or another of them");
    case FS_QUANTITY_BAD_UNIT: {
        const char *unit = fs_quantity_unit_of(node->text);
        return fs_arena_printf(s->arena, " with the unit %s%s", fs_quoted(s->arena, unit),
                               fs_meant_text(s->arena, unit, units));
    }
    case FS_QUANTITY_FRACTION:
        return fs_arena_printf(s->arena, ", which is no whole number of %s", units[0]);
    case FS_QUANTITY_TOO_LARGE:
        return ", which is too large to store";
    default:
        return allowed_text(s);
    }
}

static bool number_scalar(const slot *s, const fs_node *node) {
    const char *noun = number_noun(s->arena, s->row, true);
    if (node->kind != FS_NODE_SCALAR || fs_node_is_null(node))
        return refuse(s, node, noun, allowed_text(s));
    if (!node->plain && s->row->unit == FS_UNIT_NONE)
        return refuse(s, node, noun, " in quotes, which is a text");
    return true;
}

static bool in_range(const slot *s, const fs_node *node, double value) {
    if (value >= s->row->min && value <= s->row->max)
        return true;
    const char *noun = s->row->unit == FS_UNIT_NONE ? number_noun(s->arena, s->row, false) : "a quantity";
    const char *range = fs_value_range(s->arena, s->row);
    if (range[0] == '\0') /* a number beyond even "no limit" */
        range = fs_arena_printf(s->arena, "%s to %s", limit_text(s->arena, s->row, s->row->min),
                                limit_text(s->arena, s->row, s->row->max));
    const char *link = range[0] == 'a' ? "of" : "from"; /* "of at least 1", "from 1 to 64" */
    return refuse(s, node, fs_arena_printf(s->arena, "%s %s %s", noun, link, range), "");
}

/* An int64_t or a double, as the row has. */
static bool read_number(const slot *s, const fs_node *node, void *out) {
    if (s->row->word != NULL && node->kind == FS_NODE_SCALAR && strcmp(node->text, s->row->word) == 0) {
        if (is_integer(s->row))
            *(int64_t *)out = FS_WORD_VALUE;
        else
            *(double *)out = FS_WORD_VALUE;
        return true;
    }
    if (!number_scalar(s, node))
        return false;
    const fs_quantity_fault fault = is_integer(s->row) ? fs_quantity_int(node->text, s->row->unit, out)
                                                       : fs_quantity_real(node->text, s->row->unit, out);
    if (fault != FS_QUANTITY_OK)
        return refuse(s, node, number_noun(s->arena, s->row, true), fault_hint(s, node, fault));
    return in_range(s, node, is_integer(s->row) ? (double)*(const int64_t *)out : *(const double *)out);
}

/* ---- lists ---- */

enum { NUMBER_BYTES = 8 }; /* of an int64_t and of a double */

/* What a list holds: `count` items (0: any number), each a number or a list of `each`, called so. */
typedef struct shape {
    size_t count, each;
    const char *item;
} shape;

static bool read_list(const slot *s, const fs_node *node, shape of, const char *expected, char *out) {
    if (node->kind != FS_NODE_LIST || (of.count != 0 && node->count != of.count))
        return refuse(s, node, expected, "");
    bool good = true;
    for (size_t i = 0; i < node->count; i++) {
        slot e = *s;
        e.key = fs_arena_printf(s->arena, "%s[%zu]", s->key, i);
        good &= of.each == 0 ? read_number(&e, node->items[i], out + i * NUMBER_BYTES)
                             : read_list(&e, node->items[i], (shape){.count = of.each}, of.item,
                                         out + i * of.each * NUMBER_BYTES);
    }
    return good;
}

/* A list that holds a list is one of points; otherwise it should be a point by itself. */
static bool is_one_point(const fs_node *node) {
    for (size_t i = 0; node->kind == FS_NODE_LIST && i < node->count; i++)
        if (node->items[i]->kind == FS_NODE_LIST)
            return false;
    return node->kind == FS_NODE_LIST && node->count > 0;
}

static bool read_numbers(const slot *s, const fs_node *node, void *member) {
    static const shape shapes[] = {[FS_TYPE_VEC3] = {3, 0, ""},
                                   [FS_TYPE_MAT4] = {4, 4, "four numbers"},
                                   [FS_TYPE_INT_LIST] = {0, 0, ""},
                                   [FS_TYPE_VEC3_LIST] = {0, 3, "three numbers [x, y, z]"}};
    const bool points = s->row->type == FS_TYPE_VEC3_LIST, one = points && is_one_point(node);
    const shape of = shapes[one ? FS_TYPE_VEC3 : s->row->type];
    const size_t count = node->count * (of.each == 0 ? 1 : of.each);
    void *items = fs_arena_alloc(s->arena, count, NUMBER_BYTES);
    if (!read_list(s, node, of, fs_value_expected(s->arena, s->row), items))
        return false;
    if (points)
        *(fs_vec3_list *)member = (fs_vec3_list){.item = items, .count = count / 3};
    else if (s->row->type == FS_TYPE_INT_LIST)
        *(fs_int_list *)member = (fs_int_list){.item = items, .count = count};
    else
        memcpy(member, items, count * NUMBER_BYTES);
    return true;
}

/* ---- words ---- */

static bool read_bool(const slot *s, const fs_node *node, bool *out) {
    bool word = node->kind == FS_NODE_SCALAR && node->plain;
    bool yes = word && strcmp(node->text, "true") == 0;
    if (!yes && !(word && strcmp(node->text, "false") == 0))
        return refuse(s, node, "true or false", "");
    *out = yes;
    return true;
}

static bool read_choice(const slot *s, const fs_node *node, int64_t *out) {
    for (int64_t i = 0; node->kind == FS_NODE_SCALAR && s->row->choices[i] != NULL; i++)
        if (strcmp(node->text, s->row->choices[i]) == 0) {
            *out = i;
            return true;
        }
    const char *hint =
        node->kind == FS_NODE_SCALAR ? fs_meant_text(s->arena, node->text, s->row->choices) : "";
    return refuse(s, node, fs_value_expected(s->arena, s->row), hint);
}

static bool read_text(const slot *s, const fs_node *node, const char **out) {
    if (node->kind != FS_NODE_SCALAR || fs_node_is_null(node))
        return refuse(s, node, fs_value_expected(s->arena, s->row), "");
    *out = node->text;
    return true;
}

static bool read_path(const slot *s, const fs_node *node, const char **out) {
    if (!read_text(s, node, out))
        return false;
    if ((*out)[0] == '\0' && s->row->def == NULL)
        return refuse(s, node, "a path", "");
    if ((*out)[0] != '\0')
        *out = fs_path_absolute(s->arena, node->mark.source->dir, *out);
    return true;
}

static bool read_value(const slot *s, const fs_node *node, void *member) {
    switch (s->row->type) {
    case FS_TYPE_BOOL:
        return read_bool(s, node, member);
    case FS_TYPE_INT:
    case FS_TYPE_REAL:
        return read_number(s, node, member);
    case FS_TYPE_ENUM:
        return read_choice(s, node, member);
    case FS_TYPE_STRING:
        return read_text(s, node, member);
    case FS_TYPE_PATH:
        return read_path(s, node, member);
    case FS_TYPE_VEC3:
    case FS_TYPE_MAT4:
    case FS_TYPE_INT_LIST:
    case FS_TYPE_VEC3_LIST:
        return read_numbers(s, node, member);
    }
    return false;
}

bool fs_value_bind(fs_report *report, fs_arena *arena, const fs_param *row, const char *key,
                   const fs_node *node, void *params) {
    const slot s = {.report = report, .arena = arena, .row = row, .key = key};
    const bool good = read_value(&s, node, (char *)params + row->offset);
    if (good && row->given != 0)
        *(bool *)((char *)params + row->given) = true;
    return good;
}

/* ---- defaults ---- */

static const fs_source default_source = {.name = "default", .dir = "", .real = ""};

void fs_value_default(fs_arena *arena, const fs_param *row, void *params) {
    if (row->type == FS_TYPE_STRING || row->type == FS_TYPE_PATH) {
        *(const char **)(void *)((char *)params + row->offset) = row->def == NULL ? "" : row->def;
        return;
    }
    if (row->def == NULL || (row->given != 0 && strcmp(row->def, "none") == 0))
        return;
    fs_report *report = fs_report_create(arena);
    fs_mark mark = {.source = &default_source};
    fs_node *node = row->def[0] == '['
                        ? fs_tree_parse(report, arena, &default_source, row->name, row->def, strlen(row->def))
                        : fs_tree_scalar(arena, mark, row->def);
    if (node == NULL || !fs_value_bind(report, arena, row, row->name, node, params)) {
        fs_error err = {0};
        fs_report_finish(report, &err);
        fs_panic(__FILE__, __LINE__, "%s", err.text);
    }
}

void fs_params_default(fs_arena *arena, const fs_param_table *table, void *out) {
    memset(out, 0, table->size);
    for (size_t i = 0; i < table->count; i++)
        fs_value_default(arena, &table->rows[i], out);
}
