/* results.json, results.csv and standins.csv: everything that a validation found; and predictions by
 * themselves. NAN is null, and nothing in CSV. */
#include "reports/sheet/sheet.h"
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/host/file.h"
#include "sim/results/results.h"
#include "validation/cases/words.h"
#include "validation/results/columns.h"
#include "validation/results/results.h"

#include <math.h>

/* ---- CSV ---- */

static const char *paper(const fs_claim *claim, const fs_validation_case *of, fs_arena *arena) {
    (void)claim;
    (void)arena;
    return of->paper->name;
}

static const char *scored(const fs_claim *claim, const fs_validation_case *of, fs_arena *arena) {
    (void)claim;
    (void)arena;
    return of->scored ? "yes" : "no";
}

static const char *lacks(const fs_claim *claim, const fs_validation_case *of, fs_arena *arena) {
    (void)of;
    (void)arena;
    return fs_claim_there(claim) ? "no" : "yes";
}

static const fs_claim_column results[] = {FS_CLAIM_OF_CASE("case", name),
                                          FS_CLAIM_OF("figure", TEXT, name),
                                          FS_CLAIM_OF("variant", TEXT, variant),
                                          FS_CLAIM_OF("statistic", TEXT, figure),
                                          FS_CLAIM_OF("unit", TEXT, unit),
                                          FS_CLAIM_USED("use", fs_use_words),
                                          FS_CLAIM_SAYS("scored", scored),
                                          FS_CLAIM_OF("saturated", FLAG, saturated),
                                          FS_CLAIM_OF("again", FLAG, again),
                                          FS_CLAIM_OF("failed", FLAG, failed),
                                          FS_CLAIM_OF("published", REAL, published),
                                          FS_CLAIM_OF("median", REAL, median),
                                          FS_CLAIM_OF("low", REAL, low),
                                          FS_CLAIM_OF("high", REAL, high),
                                          FS_CLAIM_OF("error", REAL, error),
                                          FS_CLAIM_OF("baseline", REAL, baseline),
                                          FS_CLAIM_OF("by_table", REAL, held.median),
                                          FS_CLAIM_OF("by_table_low", REAL, held.low),
                                          FS_CLAIM_OF("by_table_high", REAL, held.high),
                                          FS_CLAIM_OF("by_table_baseline", REAL, held_baseline.median),
                                          FS_CLAIM_OF("tolerance", REAL, tolerance),
                                          FS_CLAIM_OF("within", FLAG, within),
                                          FS_CLAIM_OF("reached", FLAG, reached),
                                          FS_CLAIM_OF("words", TEXT, words)};

/* Nothing published, and nothing that is compared with it. */
static const fs_claim_column predictions[] = {
    FS_CLAIM_SAYS("paper", paper),          FS_CLAIM_OF_CASE("case", name),
    FS_CLAIM_OF("figure", TEXT, name),      FS_CLAIM_OF("unit", TEXT, unit),
    FS_CLAIM_OF("predicted", REAL, median), FS_CLAIM_OF("low", REAL, low),
    FS_CLAIM_OF("high", REAL, high),        FS_CLAIM_SAYS("failed", lacks)};

static void write_results(const fs_validation *v, FILE *out) {
    fs_sheet *sheet = fs_sheet_create("");
    fs_rows *t = fs_claim_table(sheet, results, FS_COUNT(results));
    for (size_t k = 0; k < v->case_count; k++)
        for (size_t i = 0; i < v->cases[k].claim_count; i++)
            fs_claim_row(t, sheet, results, FS_COUNT(results), &v->cases[k], &v->cases[k].claims[i]);
    fs_rows_csv(t, out);
    fs_sheet_free(sheet);
}

static void write_standins(const fs_validation *v, FILE *out) {
    static const fs_rows_column columns[] = {{"case", NULL, false, NULL},
                                             {"figure", NULL, false, NULL},
                                             {"standin", NULL, false, NULL},
                                             {"value", NULL, true, NULL}};
    fs_sheet *sheet = fs_sheet_create("");
    fs_rows *t = fs_sheet_table_of(sheet, NULL, columns, FS_COUNT(columns));
    for (size_t k = 0; k < v->case_count; k++) {
        const fs_validation_case *c = &v->cases[k];
        for (size_t i = 0; i < c->claim_count; i++)
            for (size_t s = 0; s < c->standin_count; s++) {
                fs_rows_add(t);
                fs_cell(t, c->name);
                fs_cell(t, c->claims[i].name);
                fs_cell(t, c->standins[s]->name);
                fs_cell_number(t, "", c->claims[i].simulated[s]);
            }
    }
    fs_rows_csv(t, out);
    fs_sheet_free(sheet);
}

fs_status fs_predictions_write(const fs_validation *v, size_t count, const char *path, size_t *written,
                               fs_error *err) {
    fs_memory memory;
    fs_sheet *sheet = fs_sheet_create("");
    fs_rows *t = fs_claim_table(sheet, predictions, FS_COUNT(predictions));
    *written = 0;
    for (size_t p = 0; p < count; p++)
        for (size_t k = 0; k < v[p].case_count; k++)
            for (size_t i = 0; i < v[p].cases[k].claim_count; i++) {
                const fs_claim *f = &v[p].cases[k].claims[i];
                if (f->use != FS_USE_PREDICT)
                    continue;
                fs_claim_row(t, sheet, predictions, FS_COUNT(predictions), &v[p].cases[k], f);
                ++*written;
            }
    fs_rows_csv(t, fs_memory_open(&memory));
    fs_sheet_free(sheet);
    return fs_file_stream(path, &memory, FS_DURABLE, err);
}

/* ---- JSON ---- */

static void put_number(json_t *to, const char *key, double value) {
    json_object_set_new(to, key, fs_json_number(value));
}

/* Words of a run that failed may be no UTF-8: then they are left out. */
static void put_text(json_t *to, const char *key, const char *text) {
    if (text != NULL)
        json_object_set_new(to, key, json_string(text));
}

typedef struct number {
    const char *key;
    double value;
} number;

static void put_numbers(json_t *to, const number *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        put_number(to, numbers[i].key, numbers[i].value);
}

/* A list of `count` items of `size` bytes each. */
static void put_list(json_t *to, const char *key, const void *items, size_t count, size_t size,
                     json_t *(*json_of)(const void *item)) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_of((const char *)items + i * size));
    json_object_set_new(to, key, list);
}

static json_t *held_json(const fs_held *h) {
    return json_pack("{s:o, s:o, s:o, s:o, s:b}", "median", fs_json_number(h->median), "low",
                     fs_json_number(h->low), "high", fs_json_number(h->high), "crps", fs_json_number(h->crps),
                     "in_range", h->in_range);
}

static json_t *figure_json(const fs_validation_case *c, const fs_claim *f) {
    json_t *o =
        json_pack("{s:s*, s:s*, s:s*, s:s*, s:s*, s:s*}", "name", f->name, "variant", f->variant, "figure",
                  f->figure, "unit", f->unit, "use", fs_use_words[f->use], "source", f->source);
    json_t *simulated = json_object();
    const number numbers[] = {
        {"published", f->published}, {"median", f->median},       {"low", f->low},
        {"high", f->high},           {"error", f->error},         {"baseline", f->baseline},
        {"rank", f->rank},           {"tolerance", f->tolerance},
    };
    put_numbers(o, numbers, sizeof numbers / sizeof *numbers);
    json_object_update_new(o, json_pack("{s:b, s:b, s:b}", "saturated", f->saturated, "within", f->within,
                                        "reached", f->reached));
    put_text(o, "words", f->words);
    put_text(o, "missing", f->missing);
    if (!isnan(f->held.crps)) {
        json_object_set_new(o, "by_table", held_json(&f->held));
        json_object_set_new(o, "by_table_baseline", held_json(&f->held_baseline));
    }
    for (size_t s = 0; s < c->standin_count; s++)
        put_number(simulated, c->standins[s]->name, f->simulated[s]);
    json_object_set_new(o, "simulated", simulated);
    return o;
}

static json_t *variant_json(const void *item) {
    const fs_variant *v = item;
    json_t *o = json_pack("{s:s*, s:s*}", "name", v->name, "sets", v->sets);
    put_text(o, "failed", v->failed);
    return o;
}

static json_t *sensitivity_json(const void *item) {
    const fs_sensitivity *s = item;
    return json_pack("{s:s*, s:s*, s:s*, s:o, s:o}", "key", s->key, "low", s->low, "high", s->high, "at_low",
                     fs_json_number(s->at_low), "at_high", fs_json_number(s->at_high));
}

static void put_parts(json_t *to, const char *key, const fs_pace_part *parts, const double *values,
                      size_t count) {
    json_t *o = json_object();
    for (size_t i = 0; i < count; i++)
        put_number(o, parts[i].name, values[i]);
    json_object_set_new(to, key, o);
}

static json_t *pace_json(const fs_pace_terms *terms, const fs_pace *p) {
    json_t *o = json_object();
    put_text(o, "variant", p->variant);
    put_parts(o, "shares", terms->shares, p->shares, terms->share_count);
    put_parts(o, "means", terms->means, p->means, terms->mean_count);
    put_text(o, "words", p->words);
    return o;
}

static json_t *case_json(const fs_validation_case *c) {
    json_t *o = json_pack("{s:s*, s:s*, s:s*, s:s*, s:s*, s:b, s:o, s:o}", "name", c->name, "title", c->title,
                          "source", c->source, "about", c->about, "open", c->open, "scored", c->scored,
                          "mean_error", fs_json_number(c->mean_error), "order", fs_json_number(c->order));
    json_t *figures = json_array(), *paces = json_array();
    put_list(o, "variants", c->variants, c->variant_count, sizeof *c->variants, variant_json);
    for (size_t i = 0; i < c->claim_count; i++)
        json_array_append_new(figures, figure_json(c, &c->claims[i]));
    json_object_set_new(o, "figures", figures);
    put_list(o, "sensitivities", c->sensitivities, c->sensitivity_count, sizeof *c->sensitivities,
             sensitivity_json);
    for (size_t i = 0; i < c->pace_count; i++)
        json_array_append_new(paces, pace_json(&c->paper->pace, &c->paces[i]));
    json_object_set_new(o, "paces", paces);
    return o;
}

static json_t *scores_json(const fs_scores *s) {
    json_t *o = json_object();
    const number numbers[] = {{"mean_error", s->mean_error},
                              {"mean_error_plain", s->mean_error_plain},
                              {"mean_error_saturated", s->mean_error_saturated},
                              {"order", s->order},
                              {"baseline_error", s->baseline_error},
                              {"baseline_order", s->baseline_order},
                              {"predicted_figures", (double)s->predicted},
                              {"failed_figures", (double)s->failed},
                              {"ranged_figures", (double)s->ranged},
                              {"in_range_figures", (double)s->in_range},
                              {"pairs", (double)s->pairs},
                              {"pairs_in_order", (double)s->pairs_right}};
    put_numbers(o, numbers, FS_COUNT(numbers));
    return o;
}

static json_t *table_json(const void *item) {
    const fs_table *t = item;
    json_t *o = json_object();
    const number numbers[] = {{"figures", (double)t->figures},
                              {"failed", (double)t->failed},
                              {"mean_error", t->mean_error},
                              {"baseline", t->baseline},
                              {"in_range", t->in_range},
                              {"baseline_in_range", t->baseline_in_range},
                              {"crps", t->crps},
                              {"baseline_crps", t->baseline_crps}};
    put_text(o, "name", t->name);
    put_numbers(o, numbers, FS_COUNT(numbers));
    return o;
}

static json_t *reading_json(const void *item) {
    const fs_reading *r = item;
    return json_pack("{s:s*, s:o}", "name", r->name, "scores", scores_json(&r->scores));
}

static json_t *standin_json(const void *item) {
    const fs_standin *s = item;
    return json_pack("{s:s*, s:s*, s:s*}", "name", s->name, "ensemble", s->ensemble, "about", s->about);
}

static json_t *paper_json(const fs_paper *p) {
    return json_pack("{s:s*, s:s*, s:s*, s:s*, s:s*, s:s*, s:I, s:o, s:o, s:o}", "name", p->name, "tag",
                     p->tag, "title", p->title, "authors", p->authors, "where", p->where, "link", p->link,
                     "year", (json_int_t)p->year, "aim", fs_json_number(p->aim), "stretch",
                     fs_json_number(p->stretch), "order", fs_json_number(p->order));
}

static json_t *whole_json(const fs_validation *v) {
    json_t *root = json_pack("{s:s*, s:o}", "version", v->version, "paper", paper_json(v->paper));
    json_t *cases = json_array();
    const char *lines[FS_HEADLINES];
    json_t *headlines = json_array();
    fs_validation_headlines(v, v->arena, lines);
    for (size_t i = 0; i < FS_HEADLINES; i++)
        json_array_append_new(headlines, json_string(lines[i]));
    json_object_set_new(root, "headlines", headlines);
    json_t *scores = scores_json(&v->scores);
    const number numbers[] = {{"structure_exact", (double)v->structure_exact},
                              {"structure_count", (double)v->structure_count},
                              {"behaviour_holds", (double)v->behaviour_holds},
                              {"behaviour_count", (double)v->behaviour_count},
                              {"comparisons", (double)v->compared},
                              {"comparisons_right", (double)v->compared_right},
                              {"draws", v->drawn ? (double)v->draw_count : 0},
                              {"draws_kept", v->drawn ? (double)v->kept_count : 0}};
    put_numbers(scores, numbers, FS_COUNT(numbers));
    put_list(root, "tables", v->tables, v->table_count, sizeof *v->tables, table_json);
    json_object_set_new(root, "all_tables", table_json(&v->all_tables));
    put_list(root, "readings", v->readings, v->reading_count, sizeof *v->readings, reading_json);
    put_list(root, "standins", v->standins, v->standin_count, sizeof *v->standins, standin_json);
    for (size_t i = 0; i < v->case_count; i++)
        json_array_append_new(cases, case_json(&v->cases[i]));
    json_object_set_new(root, "scores", scores);
    json_object_set_new(root, "cases", cases);
    return root;
}

static void write_json(const fs_validation *v, FILE *out) {
    json_t *root = whole_json(v);
    fs_json_write(root, out);
    json_decref(root);
}

fs_status fs_validation_write(const fs_validation *v, const char *dir, fs_error *err) {
    static const struct {
        const char *name;
        void (*write)(const fs_validation *v, FILE *out);
    } files[] = {
        {"results.json", write_json}, {"results.csv", write_results}, {"standins.csv", write_standins}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        fs_memory memory;
        files[i].write(v, fs_memory_open(&memory));
        if (fs_file_stream(fs_arena_printf(v->arena, "%s/%s", dir, files[i].name), &memory, FS_LIGHT, err))
            return err->status;
    }
    return FS_OK;
}
