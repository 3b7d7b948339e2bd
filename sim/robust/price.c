/* Every point at every draw: a small experiment each, over the point's own, priced from the activity of its
 * traffic. */
#include "sim/base/digest.h"
#include "sim/base/version.h"
#include "sim/host/file.h"
#include "sim/host/voice.h"
#include "sim/results/results.h"
#include "sim/robust/private.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Points that a process prices: several processes for each that runs at a time, so that none idles at the
 * end. */
enum { PROCESSES = 4, LEAST_TOGETHER = 32, MOST_TOGETHER = 512 };

typedef struct pricing {
    fs_robust *robust;
    const fs_sweep_item *items;
    size_t count;
    size_t *place; /* [count] of each item in the values */
} pricing;

/* ---- items ---- */

/* machine: {sync: {base: 50 cycles}} of all that a draw sets at a point. */
static const char *overrides(const fs_robust *r, const fs_robust_draw_set *set, size_t point) {
    const fs_mark nowhere = {.line = 0};
    fs_node *all = NULL;
    for (size_t u = 0; u < r->parameters; u++) {
        const bool refused = r->refused[point * r->parameters + u];
        if (set->text[u] == NULL || refused)
            continue;
        fs_node *node = fs_tree_scalar(r->arena, nowhere, set->text[u]);
        char *key = fs_arena_strdup(r->arena, r->parameter[u].key);
        for (char *dot; (dot = strrchr(key, '.')) != NULL; *dot = '\0')
            node = fs_tree_mapping(r->arena, nowhere, dot + 1, nowhere, node);
        node = fs_tree_mapping(r->arena, nowhere, key, nowhere, node);
        all = all == NULL ? node : fs_tree_merge(r->arena, all, node);
    }
    const char *text = all == NULL ? "{}" : fs_sweep_value_text(r->arena, all);
    return fs_arena_printf(r->arena, "%.*s", (int)strlen(text) - 2, text + 1);
}

/* The key of a configuration that no store holds: a digest of what it is made of. */
static const char *key_of(const fs_robust *r, const char *point, const char *text) {
    char *hex = FS_NEW(r->arena, char, FS_DIGEST_HEX);
    const char *all = fs_arena_printf(r->arena, "robust %d\n%s\n%s", FS_MODEL_VERSION, point, text);
    fs_digest_memory(all, strlen(all), hex);
    return hex;
}

/* Of the sets from `first` up to `end`, set by set; all points, or those within reach. */
static size_t items_of(const fs_robust *r, size_t first, size_t end, bool all, fs_sweep_item *items,
                       size_t *place) {
    size_t count = 0;
    for (size_t d = first; d < end; d++)
        for (size_t p = 0; p < r->points; p++) {
            const fs_store_point *point = &r->sweep->points[r->point[p]];
            if (!all && !r->within[p])
                continue;
            fs_sweep_item *item = &items[count];
            const char *text = overrides(r, &r->set[d], p);
            fs_sweep_item_of(r->registry, point, item);
            item->resolved = fs_arena_printf(r->arena, "{base: %s.yaml%s%s%s}\n", point->key,
                                             r->basic ? ", run: {statistics: basic}" : "",
                                             text[0] == '\0' ? "" : ", ", text);
            /* The number of the draw keeps two draws of the same values apart. */
            item->key = key_of(r, point->key, fs_arena_printf(r->arena, "%zu %s", d, text));
            place[count++] = d * r->points + p;
        }
    return count;
}

/* ---- results ---- */

/* Figures go to the store first: what was priced is not lost. */
static fs_status take_result(void *self, const fs_sweep_item *item, const json_t *result, fs_error *err) {
    const pricing *x = self;
    fs_robust *r = x->robust;
    const size_t place = x->place[item - x->items];
    const json_t *summary = json_object_get(result, "summary");
    if (summary == NULL) { /* stays NAN */
        if (r->failures++ == 0)
            r->failure = fs_arena_strdup(r->arena, fs_json_text(result, "error"));
        r->failed[place] = true;
        return FS_OK;
    }
    r->priced[place % r->points] = true;
    json_t *figures = fs_robust_figures(r, summary);
    const fs_store_point *point = &r->sweep->points[r->point[place % r->points]];
    fs_robust_note(r, figures, place);
    fs_store_put_price(r->store, point->key, item->key, figures, err);
    json_decref(figures);
    return err->status;
}

static fs_status take_group(void *self, bool begin, fs_error *err) {
    fs_store *store = ((const pricing *)self)->robust->store;
    return begin ? fs_store_begin(store, err) : fs_store_commit(store, err);
}

/* Items that the store has the price of go out of the list. */
static fs_status take_known(pricing *x, fs_sweep_item *items, fs_error *err) {
    size_t left = 0;
    for (size_t i = 0; i < x->count; i++) {
        json_t *figures = NULL;
        if (fs_store_price(x->robust->store, items[i].key, &figures, err))
            return err->status;
        const bool known = figures != NULL && fs_robust_has_all(x->robust, figures);
        if (known)
            fs_robust_note(x->robust, figures, x->place[i]);
        x->robust->priced[x->place[i] % x->robust->points] |= known;
        json_decref(figures);
        items[left] = items[i];
        x->place[left] = x->place[i];
        left += !known;
    }
    x->count = left;
    return FS_OK;
}

/* ---- pricing ---- */

static const char *file_of(const fs_robust *r, const fs_sweep_options *options, size_t point) {
    return fs_arena_printf(r->arena, "%s/points/%s.yaml", options->folder, r->sweep->points[point].key);
}

static fs_status write_points(const fs_robust *r, const fs_sweep_options *options, fs_error *err) {
    if (fs_dir_make(fs_arena_printf(r->arena, "%s/points", options->folder), err))
        return err->status;
    for (size_t p = 0; p < r->points && err->status == FS_OK; p++) {
        const char *text = r->sweep->points[r->point[p]].resolved;
        fs_file_write(file_of(r, options, r->point[p]), text, strlen(text), FS_LIGHT, err);
    }
    return err->status;
}

static fs_status price_sets(fs_robust *r, size_t first, size_t end, bool all, const fs_sweep_options *options,
                            fs_error *err) {
    const size_t most = (end - first) * r->points + 1;
    fs_sweep_item *items = FS_NEW(r->arena, fs_sweep_item, most);
    pricing x = {.robust = r, .items = items, .place = FS_NEW(r->arena, size_t, most)};
    x.count = items_of(r, first, end, all, items, x.place);
    if (take_known(&x, items, err))
        return err->status;
    const fs_sweep_sink sink = {.result = take_result, .group = take_group, .self = &x};
    fs_sweep_tally tally;
    fs_sweep_options how = *options;
    how.together = x.count / (PROCESSES * (size_t)options->jobs);
    how.together = how.together < LEAST_TOGETHER  ? LEAST_TOGETHER
                   : how.together > MOST_TOGETHER ? MOST_TOGETHER
                                                  : how.together;
    return fs_sweep_execute(x.items, x.count, &how, &sink, &tally, err);
}

/* ---- statistics ---- */

static fs_status take_probe(void *self, const fs_sweep_item *item, const json_t *result, fs_error *err) {
    fs_robust *r = self;
    (void)item;
    (void)err;
    json_t *figures = fs_robust_figures(r, json_object_get(result, "summary"));
    r->basic = fs_robust_is_known(r, figures, &r->sweep->points[r->point[0]]);
    json_decref(figures);
    return FS_OK;
}

/* Basic statistics take half the time. They will do where a point as it is comes to what the store has. */
static fs_status look_at_statistics(fs_robust *r, const fs_sweep_options *options, fs_error *err) {
    const fs_store_point *first = &r->sweep->points[r->point[0]];
    fs_sweep_item item;
    fs_sweep_item_of(r->registry, first, &item);
    item.resolved = fs_arena_printf(r->arena, "{base: %s.yaml, run: {statistics: basic}}\n", first->key);
    item.key = key_of(r, first->key, "run.statistics basic");
    const fs_sweep_sink sink = {.result = take_probe, .self = r};
    fs_sweep_options how = *options;
    fs_sweep_tally tally;
    how.progress = false;
    return fs_sweep_execute(&item, 1, &how, &sink, &tally, err);
}

/* ---- which parameters a point takes ---- */

static bool is_word(const fs_uncertain *u) {
    return u->end[0]->text[strcspn(u->end[0]->text, "0123456789")] == '\0';
}

/* Whether the experiment of a point holds with the chosen parameters at an end. */
static bool takes(const fs_robust *r, const char *file, const bool *chosen, size_t end) {
    fs_error why;
    const char **sets = fs_calloc(r->parameters + 1, sizeof *sets);
    size_t count = 0;
    fs_arena *arena = fs_arena_create();
    fs_error_clear(&why);
    for (size_t u = 0; u < r->parameters; u++)
        if (chosen[u])
            sets[count++] =
                fs_arena_printf(arena, "%s=%s", r->parameter[u].key, r->parameter[u].end[end]->text);
    const bool good = fs_experiment_load(r->registry, arena, file, sets, count, &why) != NULL;
    fs_arena_free(arena);
    free(sets);
    return good;
}

static bool takes_both(const fs_robust *r, const char *file, const bool *chosen) {
    return takes(r, file, chosen, 0) && takes(r, file, chosen, 1);
}

/* All numbers at once, each word by itself; each number by itself where that fails. */
static void ask_point(const fs_robust *r, const char *file, bool *refused) {
    bool *chosen = fs_calloc(r->parameters + 1, sizeof *chosen);
    for (size_t u = 0; u < r->parameters; u++)
        chosen[u] = !is_word(&r->parameter[u]);
    const bool numbers = takes_both(r, file, chosen);
    for (size_t u = 0; u < r->parameters; u++) {
        memset(chosen, 0, r->parameters * sizeof *chosen);
        chosen[u] = true;
        refused[u] = (is_word(&r->parameter[u]) || !numbers) && !takes_both(r, file, chosen);
    }
    free(chosen);
}

static void ask_points(const fs_robust *r, const fs_sweep_options *options) {
    const bool was = fs_say_quiet(true); /* words on keys are for a person with one experiment */
    for (size_t p = 0; p < r->points; p++)
        ask_point(r, file_of(r, options, r->point[p]), r->refused + p * r->parameters);
    fs_say_quiet(was);
}

/* ---- all of it ---- */

fs_robust_cases fs_robust_cases_of(const fs_robust *r, size_t goal, double *nominal) {
    const fs_store_objective *o = &r->sweep->objectives[goal];
    for (size_t p = 0; p < r->points; p++)
        nominal[p] = fs_store_number_of(&r->sweep->points[r->point[p]], o->figure);
    return (fs_robust_cases){.points = r->points,
                             .draws = r->draws.count,
                             .larger = o->larger,
                             .nominal = nominal,
                             .value = r->value[goal],
                             .first = r->draws.first,
                             .within = r->within,
                             .failed = r->failed};
}

static void mark_reach(const fs_robust *r) {
    double *nominal = FS_NEW(r->arena, double, r->points + 1);
    for (size_t g = 0; g < r->sweep->objective_count; g++) {
        const fs_robust_cases cases = fs_robust_cases_of(r, g, nominal);
        fs_robust_reach(&cases, FS_ROBUST_REACH, r->within);
    }
}

/* Every point at the first draws; those within reach of the best at the other draws and at each end alone. */
fs_status fs_robust_price(fs_robust *r, const fs_sweep_options *options, fs_error *err) {
    const size_t all = r->sets * r->points;
    r->refused = FS_NEW(r->arena, bool, r->points * r->parameters + 1);
    r->within = FS_NEW(r->arena, bool, r->points + 1);
    r->failed = FS_NEW(r->arena, bool, all + 1);
    r->priced = FS_NEW(r->arena, bool, r->points + 1);
    r->value = FS_NEW(r->arena, double *, r->sweep->objective_count + 1);
    for (size_t g = 0; g < r->sweep->objective_count; g++) {
        r->value[g] = FS_NEW(r->arena, double, all + 1);
        for (size_t i = 0; i < all; i++)
            r->value[g][i] = (double)NAN;
    }
    if (write_points(r, options, err) == FS_OK && look_at_statistics(r, options, err) == FS_OK) {
        ask_points(r, options);
        price_sets(r, 0, r->draws.first, true, options, err);
    }
    if (err->status == FS_OK) {
        mark_reach(r);
        price_sets(r, r->draws.first, r->sets, false, options, err);
    }
    for (size_t p = 0; p < r->points; p++)
        unlink(file_of(r, options, r->point[p]));
    rmdir(fs_arena_printf(r->arena, "%s/points", options->folder));
    for (size_t p = 0; p < r->points && err->status == FS_OK; p++)
        if (r->failures > 0 && !r->priced[p])
            fs_fail(err, FS_RUN, "--robust: every price of the point %s failed, such as: %s",
                    r->sweep->points[r->point[p]].label, r->failure);
    if (r->failures > 0)
        fs_say("robust: %zu prices failed and are left out: %s", r->failures, r->failure);
    return err->status;
}
