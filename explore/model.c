/* What the page knows of an experiment: its parameters with ranges and sources, its figures, what is uncertain. */
#include "explore/private.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/sweep/sweep.h"

#include <math.h>
#include <string.h>

typedef struct settings {
    const fs_config_row *row;
    size_t count;
} settings;

/* The value of "section.key"; NULL: it has none. */
static const char *value_of(const settings *s, const char *name) {
    for (size_t i = 0; i < s->count; i++) {
        const size_t n = strlen(s->row[i].section);
        if (strncmp(name, s->row[i].section, n) == 0 && name[n] == '.' &&
            strcmp(name + n + 1, s->row[i].key) == 0)
            return s->row[i].value;
    }
    return NULL;
}
static const char *find_value(void *self, const char *name) {
    return value_of(self, name);
}

/* ---- what a run takes ---- */

static double point_number(const void *self, const char *key, double otherwise) {
    const char *text = value_of(self, key);
    const double value = text == NULL ? (double)NAN : fs_sweep_value_number(text);
    return isnan(value) ? otherwise : value;
}
static bool point_is(const void *self, const char *key, const char *value) {
    const char *text = value_of(self, key);
    return text == NULL || strcmp(text, value) == 0;
}
static const char *point_text(const void *self, const char *key) {
    return value_of(self, key);
}

double fs_explore_seconds(const fs_config *config, fs_layer layer) {
    double seconds[FS_LAYERS];
    fs_arena *arena = fs_arena_create();
    settings s = {.count = 0};
    s.row = fs_config_rows(arena, config, &s.count);
    fs_workload_expect(fs_workload_of(config),
                       &(fs_point){.self = &s, .number = point_number, .is = point_is, .text = point_text},
                       seconds);
    fs_arena_free(arena);
    return seconds[layer];
}

/* ---- what is uncertain ---- */

/* Those that the experiment has as prices; each has a column of draws. */
fs_status fs_explore_uncertain(fs_explore *x, fs_error *err) {
    settings s = {.count = 0};
    const fs_uncertain *all = NULL;
    size_t count = 0;
    s.row = fs_config_rows(x->arena, x->config, &s.count);
    if (fs_uncertain_of(x->arena, value_of(&s, "machine.kind"), &all, &count, err))
        return err->status;
    fs_uncertain *kept = FS_NEW(x->arena, fs_uncertain, count + 1);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < s.count; k++) {
            const char *name = fs_arena_printf(x->arena, "%s.%s", s.row[k].section, s.row[k].key);
            if (strcmp(name, all[i].key) == 0 && s.row[k].touches == FS_TOUCHES_PRICE)
                kept[x->uncertain_count++] = all[i];
        }
    x->uncertain = kept;
    x->draws = fs_robust_draw(x->arena, x->uncertain_count, FS_EXPLORE_DRAWS, FS_EXPLORE_DRAWS, 1);
    return FS_OK;
}

static bool sets_key(const fs_explore_sets *sets, const char *key) {
    const size_t n = strlen(key);
    for (size_t i = 0; i < sets->count; i++)
        if (strncmp(sets->set[i], key, n) == 0 && sets->set[i][n] == '=')
            return true;
    return false;
}

fs_explore_sets fs_explore_draw(const fs_explore *x, size_t draw, const fs_explore_sets *sets,
                                fs_arena *arena) {
    fs_explore_sets out = {.count = 0};
    const double *place = x->draws.place + draw % x->draws.count * x->uncertain_count;
    for (size_t u = 0; u < x->uncertain_count && out.count + sets->count < FS_EXPLORE_SETS; u++)
        if (!sets_key(sets, x->uncertain[u].key))
            out.set[out.count++] = fs_arena_printf(arena, "%s=%s", x->uncertain[u].key,
                                                   fs_uncertain_at(arena, &x->uncertain[u], place[u]));
    for (size_t i = 0; i < sets->count; i++)
        out.set[out.count++] = sets->set[i];
    return out;
}

/* ---- parameters ---- */

static json_t *choices_of(const fs_config_row *row) {
    json_t *list = json_array();
    for (size_t i = 0; row->kinds != NULL && i < row->kinds->count; i++)
        json_array_append_new(list, json_string(row->kinds->kinds[i].kind));
    for (size_t i = 0; row->param != NULL && row->param->choices != NULL && row->param->choices[i] != NULL;
         i++)
        json_array_append_new(list, json_string(row->param->choices[i]));
    if (row->param != NULL && row->param->type == FS_TYPE_BOOL) {
        json_array_append_new(list, json_string("true"));
        json_array_append_new(list, json_string("false"));
    }
    return list;
}

static const char *type_of(const fs_config_row *row) {
    return row->param == NULL                                                     ? "choice"
           : row->param->type == FS_TYPE_INT                                      ? "whole"
           : row->param->type == FS_TYPE_REAL                                     ? "real"
           : row->param->type == FS_TYPE_ENUM || row->param->type == FS_TYPE_BOOL ? "choice"
                                                                                  : "text";
}

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

/* The ends of its range where it is uncertain. */
static json_t *range_of(const fs_explore *x, const char *name) {
    const fs_uncertain *u = FS_FOUND(x->uncertain, x->uncertain_count, key, name);
    return u == NULL ? json_null() : json_pack("[s, s]", u->end[0]->text, u->end[1]->text);
}

static json_t *parameter(const fs_explore *x, fs_arena *arena, settings *s, const fs_config_row *row) {
    static const char *const touches[] = {"geometry", "traffic", "price", "nothing"};
    const char *name = fs_arena_printf(arena, "%s.%s", row->section, row->key);
    const fs_param_values values = {find_value, s};
    const char *fixed =
        fs_param_fixed(x->registry->sections, x->registry->section_count, name, &values, false, arena);
    const bool number_is =
        row->param != NULL && (row->param->type == FS_TYPE_INT || row->param->type == FS_TYPE_REAL);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s*, s:o, s:o, s:o, s:o, s:o, s:s*}",
                     "key", name, "value", row->value, "usual", row->usual, "type", type_of(row), "touches",
                     touches[row->touches], "doc", row->doc, "source", row->source, "confidence",
                     fs_arena_printf(arena, "%c", row->confidence), "range", row->range, "fixed", fixed,
                     "choices", choices_of(row), "number",
                     number(number_is ? fs_sweep_value_number(row->value) : (double)NAN), "least",
                     number(number_is ? row->param->min : (double)NAN), "most",
                     number(number_is ? row->param->max : (double)NAN), "uncertain", range_of(x, name),
                     "word", row->param == NULL ? NULL : row->param->word);
}

/* ---- figures ---- */

static json_t *figures_of(const fs_explore *x) {
    static const char *const better[] = {"neither", "less", "more"};
    const fs_stat_table *table = x->workload->stats;
    json_t *out = json_array();
    for (size_t i = 0; table != NULL && i < fs_stats_count(table); i++) {
        const fs_stat row = fs_stats_row(table, i);
        if (row.type == FS_STAT_U64 || row.type == FS_STAT_REAL)
            json_array_append_new(out, json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:b}", "name", row.name,
                                                 "unit", row.unit == NULL ? "" : row.unit, "label",
                                                 row.label == NULL ? "" : row.label, "doc", row.doc, "better",
                                                 better[row.better], "place", (int)row.place, "share",
                                                 row.says == FS_SAYS_SHARE));
    }
    return out;
}

json_t *fs_explore_model(fs_explore *x, const fs_explore_sets *sets, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    const fs_config *config = fs_explore_load(x, arena, sets, err);
    json_t *out = NULL;
    if (config != NULL) {
        settings s = {.count = 0};
        json_t *parameters = json_array();
        s.row = fs_config_rows(arena, config, &s.count);
        for (size_t i = 0; i < s.count; i++)
            json_array_append_new(parameters, parameter(x, arena, &s, &s.row[i]));
        out = json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:s, s:b, s:o, s:i, s:o, s:o}", "name",
                        fs_explore_text(fs_config_name(x->config)), "subject", fs_explore_text(x->subject),
                        "command", fs_explore_text(x->command), "workload", x->workload->kind, "parameters",
                        parameters, "figures", figures_of(x), "time",
                        x->workload->time == NULL ? "" : x->workload->time, "prices", x->sources > 0,
                        "export", x->export == NULL ? json_null() : fs_explore_text(x->export), "draws",
                        x->uncertain_count > 0 ? (int)x->draws.count : 0, "seconds",
                        number(fs_explore_seconds(config, FS_LAYER_RUN)), "store", fs_explore_text(x->store));
        json_object_set_new(out, "own", fs_explore_set_texts(&x->own));
    }
    fs_arena_free(arena);
    return out;
}
