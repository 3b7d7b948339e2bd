/* Fits the scale of the kernels' slots to the published times that may be used for it, by pricing, and keeps
 * the result with the digests of what it was fitted to. */
#include "reports/page_file.h"
#include "sim/base/digest.h"
#include "sim/base/progress.h"
#include "sim/base/version.h"
#include "sim/config/paths.h"
#include "validation/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char fitted_key[] = "machine.cost.scale";
enum { LEAST = 500, MOST = 2000 }; /* permille */

fs_status fs_fit_permille(uint32_t low, uint32_t high,
                          fs_status (*ratio)(void *self, uint32_t permille, double *out, fs_error *err),
                          void *self, uint32_t *best, fs_error *err) {
    double at_low = (double)NAN, at_high = (double)NAN;
    if (ratio(self, low, &at_low, err) || ratio(self, high, &at_high, err))
        return err->status;
    if (!isfinite(at_low) || !isfinite(at_high))
        return fs_fail(err, FS_RUN, "calibration: the runs that it is fitted to failed");
    if (!(at_low <= 1 && at_high >= 1))
        return fs_fail(err, FS_RUN,
                       "calibration: no scale from %.1f %% to %.1f %% gives the published times: simulated "
                       "over published is %.3f to %.3f",
                       low / 10.0, high / 10.0, at_low, at_high);
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

/* ---- the times ---- */

static bool fitted(const fs_validation_case *c, const fs_claim *f) {
    return c->scored && f->use == FS_USE_CALIBRATE && strcmp(f->unit, "s") == 0;
}

typedef struct fit {
    fs_validation *v;
    const fs_validation_options *options;
    uint32_t last; /* permille that the ratios in `claims` are of */
} fit;

static const char *scale_text(fs_arena *arena, uint32_t permille) {
    return fs_arena_printf(arena, "%u.%u %%", permille / 10, permille % 10);
}

static fs_config_over scale_over(fs_arena *arena, uint32_t permille) {
    static const fs_source none = {.name = "calibration", .dir = "", .real = ""};
    const fs_mark mark = {.source = &none};
    return (fs_config_over){fitted_key, fs_tree_scalar(arena, mark, scale_text(arena, permille))};
}

/* Points of all fitted claims at a scale. */
static fs_status add_points(const fit *f, fs_point_list *list, uint32_t permille, size_t *index,
                            fs_error *err) {
    const fs_validation *v = f->v;
    const fs_config_over over = scale_over(v->arena, permille);
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].claim_count; k++) {
            const fs_validation_case *c = &v->cases[i];
            const fs_claim *claim = &c->claims[k];
            for (size_t s = 0; fitted(c, claim) && s < c->standin_count; s++)
                if (fs_points_add(list, c->standins[s], &c->variants[claim->variant_index], &over, 1,
                                  fs_arena_printf(v->arena, "%s, %s at %s", c->name, claim->name,
                                                  scale_text(v->arena, permille)),
                                  index++, err))
                    return err->status;
        }
    return FS_OK;
}

/* Medians over published, the mean of all fitted claims. */
static double mean_ratio(const fit *f, const fs_point_list *list, const size_t *index) {
    const fs_validation *v = f->v;
    double sum = 0, count = 0;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].claim_count; k++) {
            const fs_validation_case *c = &v->cases[i];
            fs_claim *claim = &c->claims[k];
            if (!fitted(c, claim))
                continue;
            double *values = FS_NEW(v->arena, double, c->standin_count + 1);
            for (size_t s = 0; s < c->standin_count; s++)
                values[s] = fs_point_value(&list->points[*index++], claim->figure);
            claim->median = fs_median(values, c->standin_count);
            sum += claim->median / claim->published;
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

static fs_status ratio_at(void *self, uint32_t permille, double *out, fs_error *err) {
    fit *f = self;
    fs_point_list *list = fs_points_create(f->v);
    size_t *index = FS_NEW(f->v->arena, size_t, 2 * most_points(f->v) + 1);
    /* With a second price the activity of each run is worth recording: all later scales are priced from it.
     */
    if (add_points(f, list, permille, index, err) ||
        add_points(f, list, permille == MOST ? LEAST : MOST, index + most_points(f->v), err) ||
        fs_points_run(list, "calibration", f->options, err))
        return err->status;
    *out = mean_ratio(f, list, index);
    f->last = permille;
    return FS_OK;
}

/* ---- the file ---- */

static const char *calibration_path(const fs_validation *v) {
    return fs_arena_printf(v->arena, "%s/calibration.yaml", v->folder);
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
            has = has || fitted(x, &x->claims[k]);
        for (size_t k = 0; k < x->standin_count; k++)
            of_it = of_it || x->standins[k] == s;
        if (has && of_it && (c == NULL || c == x))
            return true;
    }
    return false;
}

static void write_calibration(const fs_validation *v, uint32_t permille, FILE *out) {
    char simulated[FS_SHOWN], published[FS_SHOWN];
    fprintf(
        out,
        "# Written by `foamsim validate --calibrate`, not by hand: what was fitted, to what, from what.\n");
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].claim_count; k++) {
            const fs_claim *claim = &v->cases[i].claims[k];
            if (fitted(&v->cases[i], claim))
                fprintf(out, "# %s, %s: published %s %s, simulated %s\n", v->cases[i].source, claim->name,
                        fs_shown_number(claim->published, published), claim->unit,
                        fs_shown_number(claim->median, simulated));
        }
    fprintf(out, "apply: %s # whether figures are shown with it, or without and the scores with it beside\n",
            v->fitted_by_default ? "true" : "false");
    fprintf(out, "sets:\n  %s: %s\nmodel: %d\ninputs:\n", fitted_key, scale_text(v->arena, permille),
            FS_MODEL_VERSION);
    for (size_t i = 0; i < v->case_count; i++)
        if (concerned(v, &v->cases[i], NULL))
            write_input(v, "cases", v->cases[i].name, v->cases[i].path, out);
    for (size_t i = 0; i < v->standin_count; i++)
        if (concerned(v, NULL, &v->standins[i]))
            write_input(v, "standins", v->standins[i].name, v->standins[i].path, out);
}

fs_status fs_validation_calibrate(fs_validation *v, const fs_validation_options *options, fs_error *err) {
    fit f = {.v = v, .options = options};
    uint32_t permille = 0;
    double again = (double)NAN;
    if (!concerned(v, NULL, NULL))
        return fs_fail(err, FS_INPUT, "%s/cases: no published time may be used to calibrate", v->folder);
    if (fs_fit_permille(LEAST, MOST, ratio_at, &f, &permille, err) || ratio_at(&f, permille, &again, err))
        return err->status;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    FS_ASSERT(memory != NULL, "the host has no memory left");
    write_calibration(v, permille, memory);
    FS_ASSERT(fclose(memory) == 0, "the host has no memory left");
    fs_status status = fs_page_save(calibration_path(v), text, size, err);
    free(text);
    return status;
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

fs_status fs_validation_read_calibration(fs_validation *v, const char **stale, fs_error *err) {
    static const char *const keys[] = {"apply", "sets", "model", "inputs", NULL};
    const char *path = calibration_path(v);
    *stale = NULL;
    v->calibrated_count = 0;
    if (!fs_path_is_file(path))
        return FS_OK;
    const fs_yaml *yaml = fs_yaml_open(v->arena, path);
    if (yaml->root == NULL || !fs_yaml_mapping(yaml, yaml->root, "", keys))
        return fs_yaml_finish(yaml, err);
    const fs_node *apply = fs_yaml_get(yaml, yaml->root, "", "apply", true);
    const fs_node *sets = fs_yaml_get(yaml, yaml->root, "", "sets", true);
    const fs_node *model = fs_yaml_get(yaml, yaml->root, "", "model", true);
    const fs_node *inputs = fs_yaml_get(yaml, yaml->root, "", "inputs", true);
    int64_t version = 0;
    if (apply != NULL)
        fs_yaml_bool(yaml, apply, "apply", &v->fitted_by_default);
    if (model != NULL)
        fs_yaml_int(yaml, model, "model", FS_UNIT_NONE, 1, 1000000, &version);
    if (inputs != NULL && inputs->kind != FS_NODE_MAPPING)
        fs_yaml_wrong(yaml, inputs, "inputs", "expected a mapping of files to digests, found %s",
                      fs_yaml_found(yaml, inputs));
    fs_case_read_sets(yaml, sets, "sets", &v->calibrated, &v->calibrated_count);
    if (!fs_yaml_good(yaml))
        return fs_yaml_finish(yaml, err);
    *stale = stale_input(v, inputs, version);
    const char *words = "";
    for (size_t i = 0; i < v->calibrated_count; i++)
        words = fs_arena_printf(v->arena, "%s%s%s = %s", words, i == 0 ? "" : ", ", v->calibrated[i].key,
                                fs_sweep_value_text(v->arena, v->calibrated[i].value));
    v->calibration =
        fs_arena_printf(v->arena, "%s (%s)", words, v->fitted_by_default ? "by default" : "not by default");
    return FS_OK;
}
