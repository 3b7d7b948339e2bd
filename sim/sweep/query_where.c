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
    const size_t a = FS_WORD_PLACE(s->axes, s->axis_count, name);
    if (a < s->axis_count)
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

static bool is_axis(const fs_store_sweep *s, const char *name) {
    return FS_WORD_PLACE(s->axes, s->axis_count, name) < s->axis_count;
}

/* Some point knows the name. */
static bool is_known(const fs_store_sweep *s, const char *name) {
    for (size_t i = 0; i < s->point_count; i++)
        if (fs_store_figure_of(&s->points[i], name) != NULL ||
            fs_store_parameter_of(&s->points[i], name) != NULL)
            return true;
    return is_axis(s, name) || strcmp(name, "status") == 0 || strcmp(name, "layer") == 0 ||
           strcmp(name, "feasible") == 0;
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

/* ---- values that a column cannot have ---- */

/* Whether all values of a column are yes or no: truth values of figures and parameters. */
static bool is_flag(const fs_query_table *t, const fs_store_sweep *s, const char *name) {
    fs_stat row;
    bool any = false;
    if (strcmp(name, "feasible") == 0)
        return true;
    for (size_t i = 0; i < s->point_count; i++) {
        const value v = of_point(s, &s->points[i], name);
        const bool truth = v.text != NULL
                               ? strcmp(v.text, "true") == 0 || strcmp(v.text, "false") == 0
                               : fs_stats_find_in(t->known, name, &row) && row.type == FS_STAT_BOOL;
        if (v.known && !truth)
            return false;
        any = any || v.known;
    }
    return any;
}

/* The words that a column can have, NULL-terminated; NULL: any. *numbers: all that it has are numbers. */
static const char *const *words_of(fs_arena *arena, const fs_store_sweep *s, const char *name,
                                   bool *numbers) {
    static const char *const states[] = {"pending", "running", "done", "failed", NULL};
    static const char *const layers[] = {"run", "replay", "price", NULL};
    if (strcmp(name, "status") == 0 || strcmp(name, "layer") == 0)
        return name[0] == 's' ? states : layers;
    const char **words = FS_NEW(arena, const char *, s->point_count + 1);
    size_t count = 0;
    *numbers = true;
    for (size_t i = 0; i < s->point_count; i++) {
        const value v = of_point(s, &s->points[i], name);
        *numbers = *numbers && (!v.known || !isnan(v.number));
        if (v.known && v.text != NULL && !fs_listed_word(v.text, words))
            words[count++] = v.text;
    }
    return is_axis(s, name) && !*numbers ? words : NULL;
}

/* Refuses what no point can have, and takes yes and no for truth values. */
static fs_status check_value(const fs_query_table *t, const fs_store_sweep *s, fs_query_term *term,
                             fs_error *err) {
    static const char *const yes[] = {"yes", "true", "1", NULL}, *const no[] = {"no", "false", "0", NULL};
    bool numbers = false;
    if (is_flag(t, s, term->name)) {
        if (!fs_listed_word(term->text, yes) && !fs_listed_word(term->text, no))
            return fs_fail(err, FS_INPUT, "--where: %s: expected yes or no, found \"%s\"", term->name,
                           term->text);
        term->number = fs_listed_word(term->text, yes);
        return FS_OK;
    }
    const char *const *words = words_of(t->arena, s, term->name, &numbers);
    const bool order = term->test != FS_QUERY_IS && term->test != FS_QUERY_IS_NOT;
    if ((order || numbers) && isnan(term->number))
        return fs_fail(err, FS_INPUT, "--where: %s: expected a number, found \"%s\"", term->name, term->text);
    if (!order && words != NULL && words[0] != NULL && !fs_listed_word(term->text, words))
        return fs_fail(err, FS_INPUT, "--where: %s: expected %s, found \"%s\"%s", term->name,
                       fs_listed_words(t->arena, words, "or"), term->text, FS_MEANT(term->text, words));
    return FS_OK;
}

static fs_status read_term(const fs_query_table *t, const fs_store_sweep *s, const char *text,
                           fs_query_term *term, fs_error *err) {
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
    *term = (fs_query_term){.name = fs_arena_printf(t->arena, "%.*s", (int)length, text),
                            .test = signs[sign].test,
                            .text = right,
                            .number = fs_sweep_value_number(right)};
    return is_known(s, term->name)
               ? check_value(t, s, term, err)
               : fs_fail(err, FS_INPUT, "--where: no axis, parameter or figure \"%s\" in the sweep %s%s",
                         term->name, s->name, meant(t->arena, s, term->name));
}

fs_status fs_query_where(fs_query_table *t, const fs_store_sweep *s, const char *const *texts, size_t count,
                         fs_error *err) {
    fs_query_term *terms = FS_NEW(t->arena, fs_query_term, count + 1);
    for (size_t i = 0; i < count; i++)
        read_term(t, s, texts[i], &terms[i], err);
    t->terms = terms;
    t->term_count = count;
    return err->status;
}
