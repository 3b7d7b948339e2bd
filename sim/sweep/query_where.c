/* Which points `foamsim query --where` means: settings, parameters, figures and states held against values. */
#include "sim/base/alloc.h"
#include "sim/sweep/query.h"
#include "sim/sweep/sweep.h"
#include "sim/yaml/words.h"

#include <math.h>
#include <string.h>

enum { MOST_NEAR = 4096 };

static const struct {
    const char *sign;
    fs_query_test test;
} signs[] = {{"!=", FS_QUERY_IS_NOT}, {"<=", FS_QUERY_AT_MOST}, {">=", FS_QUERY_AT_LEAST},
             {"=", FS_QUERY_IS},      {"<", FS_QUERY_BELOW},    {">", FS_QUERY_ABOVE}};
enum { SIGNS = sizeof signs / sizeof *signs };

/* A value of a point: a number in its base unit, or a text. */
typedef struct value {
    bool known;
    double number; /* NAN: it is a text */
    const char *text;
} value;

static value of_point(const fs_store_sweep *s, const fs_store_point *p, const char *name) {
    for (size_t a = 0; a < s->axis_count; a++)
        if (strcmp(s->axes[a], name) == 0)
            return (value){p->settings[a].value != NULL, p->settings[a].number, p->settings[a].value};
    if (strcmp(name, "status") == 0)
        return (value){true, (double)NAN, p->status};
    if (strcmp(name, "layer") == 0)
        return (value){true, (double)NAN, p->layer};
    if (strcmp(name, "feasible") == 0)
        return (value){true, p->feasible ? 1 : 0, NULL};
    const fs_store_figure *f = fs_store_figure_of(p, name);
    if (f != NULL)
        return (value){f->text != NULL || !isnan(f->number), f->number, f->text};
    const fs_store_parameter *q = fs_store_parameter_of(p, name);
    return q == NULL ? (value){.known = false} : (value){true, q->number, q->value};
}

static bool holds(const fs_query_term *term, value v) {
    if (!v.known)
        return term->test == FS_QUERY_IS_NOT;
    const bool numbers = !isnan(v.number) && !isnan(term->number);
    const bool equal = numbers ? v.number == term->number : v.text != NULL && strcmp(v.text, term->text) == 0;
    switch (term->test) {
    case FS_QUERY_IS:
        return equal;
    case FS_QUERY_IS_NOT:
        return !equal;
    case FS_QUERY_AT_MOST:
        return numbers && v.number <= term->number;
    case FS_QUERY_AT_LEAST:
        return numbers && v.number >= term->number;
    case FS_QUERY_BELOW:
        return numbers && v.number < term->number;
    default:
        return numbers && v.number > term->number;
    }
}

bool fs_query_keeps(const fs_query_table *t, const fs_store_sweep *s, const fs_store_point *p) {
    for (size_t i = 0; i < t->term_count; i++)
        if (!holds(&t->terms[i], of_point(s, p, t->terms[i].name)))
            return false;
    return true;
}

/* Some point knows the name. */
static bool is_known(const fs_store_sweep *s, const char *name) {
    for (size_t a = 0; a < s->axis_count; a++)
        if (strcmp(s->axes[a], name) == 0)
            return true;
    for (size_t i = 0; i < s->point_count; i++)
        if (fs_store_figure_of(&s->points[i], name) != NULL ||
            fs_store_parameter_of(&s->points[i], name) != NULL)
            return true;
    return strcmp(name, "status") == 0 || strcmp(name, "layer") == 0 || strcmp(name, "feasible") == 0;
}

static const char *meant(fs_arena *arena, const fs_store_sweep *s, const char *name) {
    const char **names = FS_NEW(arena, const char *, MOST_NEAR + 1);
    size_t n = 0;
    for (size_t a = 0; a < s->axis_count && n < MOST_NEAR; a++)
        names[n++] = s->axes[a];
    for (size_t i = 0; i < s->point_count && i < 1; i++) {
        for (size_t k = 0; k < s->points[i].figure_count && n < MOST_NEAR; k++)
            names[n++] = s->points[i].figures[k].name;
        for (size_t k = 0; k < s->points[i].parameter_count && n < MOST_NEAR; k++)
            names[n++] = s->points[i].parameters[k].name;
    }
    return fs_meant_text(arena, name, names);
}

static fs_status read_term(fs_arena *arena, const fs_store_sweep *s, const char *text, fs_query_term *term,
                           fs_error *err) {
    const size_t at = strcspn(text, "!<>=");
    size_t sign = 0;
    while (sign < SIGNS && strncmp(text + at, signs[sign].sign, strlen(signs[sign].sign)) != 0)
        sign++;
    if (sign == SIGNS || at == 0)
        return fs_fail(err, FS_INPUT,
                       "--where: expected NAME, one of = != < <= > >=, and a value, such as "
                       "\"device.seconds<0.1\"; found \"%s\"",
                       text);
    size_t length = at;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    const char *right = text + at + strlen(signs[sign].sign);
    right += strspn(right, " ");
    *term = (fs_query_term){.name = fs_arena_printf(arena, "%.*s", (int)length, text),
                            .test = signs[sign].test,
                            .text = right,
                            .number = fs_sweep_value_number(right)};
    if (is_known(s, term->name)) {
        if (term->test != FS_QUERY_IS && term->test != FS_QUERY_IS_NOT && isnan(term->number))
            return fs_fail(err, FS_INPUT, "--where: %s: expected a number after %s, found \"%s\"", term->name,
                           signs[sign].sign, right);
        return FS_OK;
    }
    return fs_fail(err, FS_INPUT, "--where: no axis, parameter or figure \"%s\" in the sweep %s%s",
                   term->name, s->name, meant(arena, s, term->name));
}

fs_status fs_query_where(fs_query_table *t, const fs_store_sweep *s, const char *const *texts, size_t count,
                         fs_error *err) {
    fs_query_term *terms = FS_NEW(t->arena, fs_query_term, count + 1);
    for (size_t i = 0; i < count; i++)
        read_term(t->arena, s, texts[i], &terms[i], err);
    t->terms = terms;
    t->term_count = count;
    return err->status;
}
