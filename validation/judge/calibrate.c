/* Fits the scalars that a paper allows, one after the other, to the published figures that may be used for
 * it, by pricing, and keeps the result with the digests of what it was fitted to. */
#include "sim/base/alloc.h"
#include "sim/base/digest.h"
#include "sim/base/quantile.h"
#include "sim/base/version.h"
#include "sim/host/file.h"
#include "sim/yaml/paths.h"
#include "validation/cases/words.h"
#include "validation/judge/private.h"

#include <math.h>
#include <string.h>

/* 101.8 %: as many decimals as a step has. */
static const char *value_text(fs_arena *arena, const fs_fit *fit, uint32_t step) {
    int decimals = 0;
    for (double s = fit->step; decimals < 6 && fabs(s - round(s)) > 1e-6; s *= 10)
        decimals++;
    return fs_arena_printf(arena, "%.*f%s%s", decimals, step * fit->step, fit->unit[0] == '\0' ? "" : " ",
                           fit->unit);
}

fs_status fs_fit_nearest(const fs_fit *fit,
                         fs_status (*ratio)(void *self, uint32_t step, double *out, fs_error *err),
                         void *self, uint32_t *best, fs_error *err) {
    uint32_t low = fit->low, high = fit->high;
    double at_low = (double)NAN, at_high = (double)NAN;
    if (ratio(self, low, &at_low, err) || ratio(self, high, &at_high, err))
        return err->status;
    if (!isfinite(at_low) || !isfinite(at_high))
        return fs_fail(err, FS_RUN, "calibration: the runs that it is fitted to failed");
    if (!(at_low <= 1 && at_high >= 1)) {
        fs_arena *arena = fs_arena_create();
        fs_fail(err, FS_RUN,
                "calibration: no %s from %s to %s gives the published figures: simulated over published is "
                "%.3f to %.3f",
                fit->key, value_text(arena, fit, low), value_text(arena, fit, high), at_low, at_high);
        fs_arena_free(arena);
        return err->status;
    }
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        double at = (double)NAN;
        if (ratio(self, middle, &at, err))
            return err->status;
        *(at <= 1 ? &low : &high) = middle;
        *(at <= 1 ? &at_low : &at_high) = at;
    }
    *best = 1 - at_low <= at_high - 1 ? low : high;
    return FS_OK;
}

/* ---- what is fitted on ---- */

static bool fits_on(const fs_fit *fit, const fs_validation_case *c, const fs_claim *f) {
    bool on = false;
    for (size_t i = 0; i < fit->on_count; i++)
        on = on || strcmp(fit->on[i], f->figure) == 0;
    bool of = fit->case_count == 0;
    for (size_t i = 0; i < fit->case_count; i++)
        of = of || fs_case_is_of(c, fit->cases[i]);
    return on && of && c->scored && !c->aside && (f->use == FS_USE_CALIBRATE || f->fits);
}

static bool has_claims(const fs_validation *v, const fs_fit *fit) {
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].claim_count; k++)
            if (fits_on(fit, &v->cases[i], &v->cases[i].claims[k]))
                return true;
    return false;
}

static bool fitted(const fs_validation *v, const fs_validation_case *c, const fs_claim *f) {
    for (size_t i = 0; i < v->paper->fit_count; i++)
        if (fits_on(&v->paper->fits[i], c, f))
            return true;
    return false;
}

/* A scalar being fitted; those fitted before it are laid below. */
typedef struct fitting {
    fs_validation *v;
    const fs_validation_options *options;
    const fs_fit *fit;
    fs_calibrated *below; /* [below_count] */
    size_t below_count;
} fitting;

static fs_config_over value_over(fs_arena *arena, const fs_fit *fit, uint32_t step) {
    static const fs_source none = {.name = "calibration", .dir = "", .real = ""};
    const fs_mark mark = {.source = &none};
    return (fs_config_over){fit->key, fs_tree_scalar(arena, mark, value_text(arena, fit, step))};
}

/* Points of all its claims at a value. */
static fs_status add_points(const fitting *f, fs_case_points *list, uint32_t step, size_t *index,
                            fs_error *err) {
    const fs_validation *v = f->v;
    const fs_config_over over = value_over(v->arena, f->fit, step);
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].claim_count; k++) {
            const fs_validation_case *c = &v->cases[i];
            const fs_claim *claim = &c->claims[k];
            for (size_t s = 0; fits_on(f->fit, c, claim) && s < c->standin_count; s++)
                if (fs_case_points_add(list, c, c->standins[s], &c->variants[claim->variant_index], &over,
                                       fs_arena_printf(v->arena, "%s, %s at %s", c->name, claim->name,
                                                       value_text(v->arena, f->fit, step)),
                                       index++, err))
                    return err->status;
        }
    return FS_OK;
}

/* Medians over published (of what is better where it is more, published over medians), the mean of all its
 * claims: it rises with what makes a machine slower. */
static double mean_ratio(const fitting *f, const fs_case_points *list, const size_t *index) {
    const fs_validation *v = f->v;
    double sum = 0, count = 0;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].claim_count; k++) {
            const fs_validation_case *c = &v->cases[i];
            fs_claim *claim = &c->claims[k];
            if (!fits_on(f->fit, c, claim))
                continue;
            double *values = FS_NEW(v->arena, double, c->standin_count + 1);
            for (size_t s = 0; s < c->standin_count; s++)
                values[s] = fs_case_point_value(c->paper, &list->points[*index++], claim->figure);
            claim->median = fs_median(values, c->standin_count);
            const bool more = claim->measured != NULL && claim->measured->more;
            sum += more ? claim->published / claim->median : claim->median / claim->published;
            count++;
        }
    return sum / count;
}

static size_t most_points(const fs_validation *v) {
    size_t count = 0;
    for (size_t i = 0; i < v->case_count; i++)
        count += v->cases[i].claim_count * v->cases[i].standin_count;
    return count;
}

static fs_status ratio_at(void *self, uint32_t step, double *out, fs_error *err) {
    const fitting *f = self;
    fs_case_points *list = fs_case_points_create(f->v);
    list->below = f->below;
    list->below_count = f->below_count;
    size_t *index = FS_NEW(f->v->arena, size_t, 2 * most_points(f->v) + 1);
    /* With a second price the activity of each run is worth recording: all later values are priced from it. */
    if (add_points(f, list, step, index, err) ||
        add_points(f, list, step == f->fit->high ? f->fit->low : f->fit->high, index + most_points(f->v),
                   err) ||
        fs_case_points_run(list, "calibration", f->options, err))
        return err->status;
    *out = mean_ratio(f, list, index);
    return FS_OK;
}

/* ---- the file ---- */

static const char *calibration_path(const fs_validation *v) {
    return fs_arena_printf(v->arena, "%s/%s", v->folder, v->paper->calibration);
}

static const char *digest_of(const fs_validation *v, const char *path) {
    char *hex = FS_NEW(v->arena, char, FS_DIGEST_HEX);
    fs_error ignored = {.status = FS_OK};
    return fs_digest_file(path, hex, &ignored) ? "none" : hex;
}

static void write_input(const fs_validation *v, const char *kind, const char *name, const char *path,
                        FILE *out) {
    fprintf(out, "  %s/%s.yaml: %s\n", kind, name, digest_of(v, path));
}

/* Whether a case, or a case of a stand-in's, has a fitted claim. */
static bool concerned(const fs_validation *v, const fs_validation_case *c, const fs_standin *s) {
    for (size_t i = 0; i < v->case_count; i++) {
        const fs_validation_case *x = &v->cases[i];
        bool has = false, of_it = s == NULL;
        for (size_t k = 0; k < x->claim_count; k++)
            has = has || fitted(v, x, &x->claims[k]);
        for (size_t k = 0; k < x->standin_count; k++)
            of_it = of_it || x->standins[k] == s;
        if (has && of_it && (c == NULL || c == x))
            return true;
    }
    return false;
}

/* What was fitted for all cases, and below the names of those that have values of their own. */
static void write_sets(const fs_calibrated *sets, size_t count, FILE *out) {
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += sets[i].of == NULL;
    fputs(all > 0 ? "sets:\n" : "sets: {}\n", out);
    for (size_t i = 0; i < count; i++)
        if (sets[i].of == NULL)
            fprintf(out, "  %s: %s\n", sets[i].over.key, sets[i].over.value->text);
    if (all < count)
        fputs("cases:\n", out);
    for (size_t i = 0; i < count; i++) {
        bool before = sets[i].of == NULL;
        for (size_t k = 0; k < i; k++)
            before = before || (sets[k].of != NULL && strcmp(sets[k].of, sets[i].of) == 0);
        if (before)
            continue;
        fprintf(out, "  %s:\n", sets[i].of);
        for (size_t k = i; k < count; k++)
            if (sets[k].of != NULL && strcmp(sets[k].of, sets[i].of) == 0)
                fprintf(out, "    %s: %s\n", sets[k].over.key, sets[k].over.value->text);
    }
}

static void write_calibration(const fs_validation *v, const fs_calibrated *sets, size_t count, FILE *out) {
    fprintf(
        out,
        "# Written by `foamsim validate --calibrate`, not by hand: what was fitted, to what, from what.\n");
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].claim_count; k++) {
            const fs_claim *claim = &v->cases[i].claims[k];
            if (fitted(v, &v->cases[i], claim))
                fprintf(out, "# %s, %s: published %s %s, simulated %s\n", v->cases[i].source, claim->name,
                        fs_words_number(v->arena, claim->published), claim->unit,
                        fs_words_number(v->arena, claim->median));
        }
    fprintf(out, "apply: %s # whether figures are shown with it, or without and the scores with it beside\n",
            v->fitted_by_default ? "true" : "false");
    write_sets(sets, count, out);
    fprintf(out, "model: %d\ninputs:\n", FS_MODEL_VERSION);
    for (size_t i = 0; i < v->case_count; i++)
        if (concerned(v, &v->cases[i], NULL))
            write_input(v, "cases", v->cases[i].name, v->cases[i].path, out);
    for (size_t i = 0; i < v->standin_count; i++)
        if (concerned(v, NULL, &v->standins[i]))
            write_input(v, "standins", v->standins[i].name, v->standins[i].path, out);
}

/* What the next ones are fitted over. */
static void keep_fit(fitting *f, uint32_t best) {
    const fs_config_over over = value_over(f->v->arena, f->fit, best);
    if (f->fit->case_count == 0)
        f->below[f->below_count++] = (fs_calibrated){.over = over};
    for (size_t i = 0; i < f->fit->case_count; i++)
        f->below[f->below_count++] = (fs_calibrated){over, f->fit->cases[i]};
}

fs_status fs_validation_calibrate(fs_validation *v, const fs_validation_options *options, fs_error *err) {
    if (v->paper->fit_count == 0)
        return fs_fail(err, FS_INPUT, "%s: nothing may be fitted (fit)", v->paper->path);
    size_t most = 0;
    for (size_t i = 0; i < v->paper->fit_count; i++)
        most += 1 + v->paper->fits[i].case_count;
    fitting f = {.v = v, .options = options, .below = FS_NEW(v->arena, fs_calibrated, most)};
    for (size_t i = 0; i < v->paper->fit_count; i++) {
        uint32_t best = 0;
        double again = (double)NAN;
        f.fit = &v->paper->fits[i];
        if (!has_claims(v, f.fit))
            return fs_fail(err, FS_INPUT, "%s/cases: no published figure may be used to fit %s", v->folder,
                           f.fit->key);
        if (fs_fit_nearest(f.fit, ratio_at, &f, &best, err) || ratio_at(&f, best, &again, err))
            return err->status;
        keep_fit(&f, best);
    }
    fs_memory memory;
    write_calibration(v, f.below, f.below_count, fs_memory_open(&memory));
    return fs_file_stream(calibration_path(v), &memory, FS_LIGHT, err);
}

/* ---- reading it ---- */

/* Says which inputs are no longer those that it was fitted to. */
static const char *stale_input(const fs_validation *v, const fs_node *inputs, int64_t model) {
    if (model != FS_MODEL_VERSION)
        return fs_arena_printf(v->arena, "model %d", FS_MODEL_VERSION);
    for (size_t i = 0; inputs != NULL && i < inputs->count; i++) {
        const fs_entry *e = &inputs->entries[i];
        const char *path = fs_arena_printf(v->arena, "%s/%s", v->folder, e->key);
        if (e->value->kind != FS_NODE_SCALAR || strcmp(digest_of(v, path), e->value->text) != 0)
            return e->key;
    }
    return NULL;
}

/* Of all cases, or of those of a name. */
static void read_sets(fs_validation *v, const fs_yaml *yaml, const fs_node *sets, const char *of) {
    const fs_config_over *overs = NULL;
    size_t count = 0;
    fs_case_read_sets(yaml, sets, &overs, &count);
    fs_calibrated *all = FS_NEW(v->arena, fs_calibrated, v->calibrated_count + count + 1);
    for (size_t i = 0; i < v->calibrated_count; i++)
        all[i] = v->calibrated[i];
    for (size_t i = 0; i < count; i++)
        all[v->calibrated_count++] = (fs_calibrated){overs[i], of};
    v->calibrated = all;
}

static void read_sets_of_cases(fs_validation *v, const fs_yaml *yaml, const fs_node *cases) {
    if (cases == NULL)
        return;
    if (cases->kind != FS_NODE_MAPPING) {
        fs_yaml_wrong(yaml, cases, "expected a mapping of cases to what was fitted for them, found %s",
                      fs_yaml_found(yaml, cases));
        return;
    }
    for (size_t i = 0; i < cases->count; i++)
        read_sets(v, yaml, cases->entries[i].value, cases->entries[i].key);
}

fs_status fs_validation_read_calibration(fs_validation *v, const char **stale, fs_error *err) {
    static const char *const keys[] = {"apply", "sets", "cases", "model", "inputs", NULL};
    *stale = NULL;
    v->calibrated_count = 0;
    const char *path = v->paper->calibration == NULL ? NULL : calibration_path(v);
    if (path == NULL || !fs_path_is_file(path))
        return FS_OK;
    const fs_yaml *yaml = fs_yaml_open(v->arena, path);
    if (yaml->root == NULL || !fs_yaml_mapping(yaml, yaml->root, keys))
        return fs_yaml_finish(yaml, err);
    const fs_node *sets = fs_yaml_get(yaml, yaml->root, "sets", true);
    const fs_node *inputs = fs_yaml_get(yaml, yaml->root, "inputs", true);
    int64_t version = 0;
    fs_yaml_bool(yaml, fs_yaml_get(yaml, yaml->root, "apply", true), &v->fitted_by_default);
    fs_yaml_int(yaml, fs_yaml_get(yaml, yaml->root, "model", true), FS_UNIT_NONE, 1, 1000000, &version);
    if (inputs != NULL && inputs->kind != FS_NODE_MAPPING)
        fs_yaml_wrong(yaml, inputs, "expected a mapping of files to digests, found %s",
                      fs_yaml_found(yaml, inputs));
    read_sets(v, yaml, sets, NULL);
    read_sets_of_cases(v, yaml, fs_yaml_get(yaml, yaml->root, "cases", false));
    if (!fs_yaml_good(yaml))
        return fs_yaml_finish(yaml, err);
    *stale = stale_input(v, inputs, version);
    const char *words = "";
    for (size_t i = 0; i < v->calibrated_count; i++)
        words =
            fs_arena_printf(v->arena, "%s%s%s = %s%s%s", words, i == 0 ? "" : ", ", v->calibrated[i].over.key,
                            fs_sweep_value_text(v->arena, v->calibrated[i].over.value),
                            v->calibrated[i].of == NULL ? "" : " in ",
                            v->calibrated[i].of == NULL ? "" : v->calibrated[i].of);
    v->calibration =
        fs_arena_printf(v->arena, "%s (%s)", words, v->fitted_by_default ? "by default" : "not by default");
    return FS_OK;
}
