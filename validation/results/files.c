/* results.json, results.csv and standins.csv: everything that a validation found. NAN is null, and nothing in
 * CSV. */
#include "reports/page/page_file.h"
#include "sim/base/alloc.h"
#include "sim/base/csv.h"
#include "sim/host/file.h"
#include "sim/results/results.h"
#include "validation/results/results.h"

#include <math.h>
#include <stdlib.h>

/* ---- CSV ---- */

static void text_field(const char *text, FILE *out) {
    fs_csv_field(text, out);
    fputc(',', out);
}

static void number_field(double value, FILE *out) {
    char text[FS_REAL_TEXT];
    fprintf(out, "%s,", isfinite(value) ? fs_real_text(value, text) : "");
}

static void write_figure(const fs_validation_case *c, const fs_claim *f, FILE *out) {
    const char *const words[] = {c->name, f->name, f->variant, f->figure, f->unit, fs_use_words[f->use]};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        text_field(words[i], out);
    fprintf(out, "%s,%s,%s,%s,", c->scored ? "yes" : "no", f->saturated ? "yes" : "no",
            f->again ? "yes" : "no", f->failed ? "yes" : "no");
    const double numbers[] = {f->published,      f->median, f->low,      f->high,     f->uncertain_low,
                              f->uncertain_high, f->error,  f->baseline, f->tolerance};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        number_field(numbers[i], out);
    fprintf(out, "%s,%s,", f->within ? "yes" : "no", f->reached ? "yes" : "no");
    fs_csv_field(f->words == NULL ? "" : f->words, out);
    fputc('\n', out);
}

static void write_results(const fs_validation *v, FILE *out) {
    fputs("case,figure,variant,statistic,unit,use,scored,saturated,again,failed,published,median,low,high,"
          "uncertain_low,"
          "uncertain_high,error,baseline,tolerance,within,reached,words\n",
          out);
    for (size_t k = 0; k < v->case_count; k++)
        for (size_t i = 0; i < v->cases[k].claim_count; i++)
            write_figure(&v->cases[k], &v->cases[k].claims[i], out);
}

static void write_standins(const fs_validation *v, FILE *out) {
    char text[FS_REAL_TEXT];
    fputs("case,figure,standin,value\n", out);
    for (size_t k = 0; k < v->case_count; k++) {
        const fs_validation_case *c = &v->cases[k];
        for (size_t i = 0; i < c->claim_count; i++)
            for (size_t s = 0; s < c->standin_count; s++) {
                const double value = c->claims[i].simulated[s];
                text_field(c->name, out);
                text_field(c->claims[i].name, out);
                text_field(c->standins[s]->name, out);
                fprintf(out, "%s\n", isfinite(value) ? fs_real_text(value, text) : "");
            }
    }
}

/* ---- JSON ---- */

static void put_number(json_t *to, const char *key, double value) {
    json_object_set_new(to, key, isfinite(value) ? json_real(value) : json_null());
}

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

static json_t *figure_json(const fs_validation_case *c, const fs_claim *f) {
    json_t *o = json_object(), *simulated = json_object();
    put_text(o, "name", f->name);
    put_text(o, "variant", f->variant);
    put_text(o, "figure", f->figure);
    put_text(o, "unit", f->unit);
    put_text(o, "use", fs_use_words[f->use]);
    put_text(o, "source", f->source);
    const number numbers[] = {
        {"published", f->published},
        {"median", f->median},
        {"low", f->low},
        {"high", f->high},
        {"uncertain_low", f->uncertain_low},
        {"uncertain_high", f->uncertain_high},
        {"error", f->error},
        {"baseline", f->baseline},
        {"rank", f->rank},
        {"other_fit", f->other},
        {"other_fit_error", f->other_error},
        {"tolerance", f->tolerance},
    };
    put_numbers(o, numbers, sizeof numbers / sizeof *numbers);
    json_object_set_new(o, "saturated", json_boolean(f->saturated));
    json_object_set_new(o, "within", json_boolean(f->within));
    json_object_set_new(o, "reached", json_boolean(f->reached));
    put_text(o, "words", f->words);
    put_text(o, "missing", f->missing);
    for (size_t s = 0; s < c->standin_count; s++)
        put_number(simulated, c->standins[s]->name, f->simulated[s]);
    json_object_set_new(o, "simulated", simulated);
    return o;
}

static json_t *variant_json(const void *item) {
    const fs_variant *v = item;
    json_t *o = json_object();
    put_text(o, "name", v->name);
    put_text(o, "sets", v->sets);
    put_text(o, "failed", v->failed);
    return o;
}

static json_t *sensitivity_json(const void *item) {
    const fs_sensitivity *s = item;
    json_t *o = json_object();
    put_text(o, "key", s->key);
    put_text(o, "low", s->low);
    put_text(o, "high", s->high);
    put_number(o, "at_low", s->at_low);
    put_number(o, "at_high", s->at_high);
    return o;
}

static json_t *choice_json(const void *item) {
    const fs_choice *c = item;
    json_t *o = json_object();
    put_text(o, "name", c->name);
    put_text(o, "sets", c->sets);
    put_number(o, "mean_error", c->mean_error);
    put_number(o, "mean_change", c->mean_change);
    return o;
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
    json_t *o = json_object(), *figures = json_array(), *paces = json_array();
    put_text(o, "name", c->name);
    put_text(o, "title", c->title);
    put_text(o, "source", c->source);
    put_text(o, "about", c->about);
    put_text(o, "open", c->open);
    json_object_set_new(o, "scored", json_boolean(c->scored));
    put_number(o, "mean_error", c->mean_error);
    put_number(o, "order", c->order);
    put_list(o, "variants", c->variants, c->variant_count, sizeof *c->variants, variant_json);
    for (size_t i = 0; i < c->claim_count; i++)
        json_array_append_new(figures, figure_json(c, &c->claims[i]));
    json_object_set_new(o, "figures", figures);
    put_list(o, "choices", c->choices, c->choice_count, sizeof *c->choices, choice_json);
    put_list(o, "sensitivities", c->sensitivities, c->sensitivity_count, sizeof *c->sensitivities,
             sensitivity_json);
    for (size_t i = 0; i < c->pace_count; i++)
        json_array_append_new(paces, pace_json(&c->paper->pace, &c->paces[i]));
    json_object_set_new(o, "paces", paces);
    return o;
}

static json_t *scores_json(const fs_scores *s) {
    json_t *o = json_object();
    const number numbers[] = {
        {"mean_error", s->mean_error},
        {"mean_error_plain", s->mean_error_plain},
        {"mean_error_saturated", s->mean_error_saturated},
        {"within", s->within},
        {"order", s->order},
        {"baseline_error", s->baseline_error},
        {"baseline_order", s->baseline_order},
    };
    put_numbers(o, numbers, sizeof numbers / sizeof *numbers);
    json_object_set_new(o, "predicted_figures", json_integer((json_int_t)s->predicted));
    json_object_set_new(o, "failed_figures", json_integer((json_int_t)s->failed));
    return o;
}

static json_t *reading_json(const void *item) {
    const fs_reading *r = item;
    json_t *o = json_object();
    put_text(o, "name", r->name);
    json_object_set_new(o, "scores", scores_json(&r->scores));
    return o;
}

static json_t *standin_json(const void *item) {
    const fs_standin *s = item;
    json_t *o = json_object();
    put_text(o, "name", s->name);
    put_text(o, "ensemble", s->ensemble);
    put_text(o, "about", s->about);
    return o;
}

static json_t *paper_json(const fs_paper *p) {
    json_t *o = json_object();
    const struct {
        const char *key, *text;
    } texts[] = {{"name", p->name},       {"tag", p->tag},     {"title", p->title},
                 {"authors", p->authors}, {"where", p->where}, {"link", p->link}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        put_text(o, texts[i].key, texts[i].text);
    json_object_set_new(o, "year", json_integer((json_int_t)p->year));
    const number goals[] = {{"aim", p->aim}, {"stretch", p->stretch}, {"order", p->order}};
    put_numbers(o, goals, sizeof goals / sizeof *goals);
    return o;
}

static json_t *whole_json(const fs_validation *v) {
    json_t *root = json_object(), *scores = json_object(), *cases = json_array();
    put_text(root, "version", v->version);
    json_object_set_new(root, "paper", paper_json(v->paper));
    put_text(root, "calibration", v->calibration);
    const char *lines[FS_HEADLINES];
    json_t *headlines = json_array();
    fs_validation_headlines(v, v->arena, lines);
    for (size_t i = 0; i < FS_HEADLINES; i++)
        json_array_append_new(headlines, json_string(lines[i]));
    json_object_set_new(root, "headlines", headlines);
    put_text(scores, "default", v->fitted_by_default ? "fitted" : "unfitted");
    json_object_set_new(scores, "unfitted", scores_json(&v->unfitted));
    json_object_set_new(scores, "fitted", scores_json(&v->fitted));
    json_object_set_new(scores, "structure_exact", json_integer((json_int_t)v->structure_exact));
    json_object_set_new(scores, "structure_count", json_integer((json_int_t)v->structure_count));
    json_object_set_new(scores, "behaviour_holds", json_integer((json_int_t)v->behaviour_holds));
    json_object_set_new(scores, "behaviour_count", json_integer((json_int_t)v->behaviour_count));
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
        char *text = NULL;
        size_t size = 0;
        FILE *memory = fs_memory_open(&text, &size);
        files[i].write(v, memory);
        fs_memory_close(memory, &text);
        fs_status status =
            fs_file_write(fs_arena_printf(v->arena, "%s/%s", dir, files[i].name), text, size, FS_LIGHT, err);
        free(text);
        if (status)
            return status;
    }
    return FS_OK;
}
