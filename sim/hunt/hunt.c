/* The loop of a search: the search proposes points of the sweep file's space, the store answers, from what it
 * holds or by running them. */
#include "sim/hunt/hunt.h"
#include "sim/base/alloc.h"
#include "sim/base/host.h"
#include "sim/host/voice.h"
#include "sim/results/results.h"
#include "sim/workload/workload.h"

#include <math.h>
#include <string.h>

typedef struct searching {
    const fs_hunt *request;
    fs_arena *arena;
    fs_sweep_space space;
    fs_search_space levels;
    fs_store_sweep sweep;
    fs_store_point *points; /* of the sweep, [budget] */
    size_t budget;
    size_t objectives;
    fs_search *search;
    fs_store *store;
    fs_sweep_tally tally;
} searching;

/* ---- the space ---- */

static bool before(const fs_sweep_axis *axis, size_t a, size_t b) {
    return axis->options[a].number < axis->options[b].number;
}

/* Numbers that differ are in order: the level of an option is its rank. */
static bool ranks_of(const fs_sweep_axis *axis, uint16_t *rank) {
    bool ordered = true;
    for (size_t i = 0; i < axis->count; i++) {
        rank[i] = (uint16_t)i;
        ordered &= isfinite(axis->options[i].number) && strcmp(axis->options[i].value, "true") != 0 &&
                   strcmp(axis->options[i].value, "false") != 0;
    }
    for (size_t i = 0; i < axis->count && ordered; i++) {
        size_t below = 0;
        for (size_t k = 0; k < axis->count; k++) {
            below += before(axis, k, i);
            ordered &= k == i || before(axis, k, i) || before(axis, i, k);
        }
        rank[i] = (uint16_t)below;
    }
    for (size_t i = 0; i < axis->count && !ordered; i++)
        rank[i] = (uint16_t)i;
    return ordered;
}

static fs_search_space levels_of(fs_arena *arena, const fs_sweep_space *space) {
    const size_t axes = space->file->axis_count;
    size_t *levels = FS_NEW(arena, size_t, axes + 1);
    bool *ordered = FS_NEW(arena, bool, axes + 1);
    uint16_t *at = FS_NEW(arena, uint16_t, space->count * axes + 1);
    for (size_t a = 0; a < axes; a++) {
        uint16_t *rank = FS_NEW(arena, uint16_t, space->file->axes[a].count);
        levels[a] = space->file->axes[a].count;
        ordered[a] = ranks_of(&space->file->axes[a], rank);
        for (size_t i = 0; i < space->count; i++) {
            const uint16_t option = space->choice[i * axes + a];
            at[i * axes + a] = option == FS_SWEEP_NO_OPTION ? (uint16_t)FS_SEARCH_NO_LEVEL : rank[option];
        }
    }
    return (fs_search_space){
        .axes = axes, .levels = levels, .ordered = ordered, .count = space->count, .at = at};
}

/* Where the file names no objective: that of the first point whose configuration holds. */
static fs_status want_something(searching *x, fs_error *err) {
    fs_error why, first;
    fs_store_point point;
    bool kept = false;
    fs_error_clear(&first);
    for (size_t i = 0; i < x->space.count && (x->sweep.objective_count == 0 || !kept); i++) {
        fs_error_clear(&why);
        if (fs_sweep_space_point(&x->space, i, &point, &why) && i == 0)
            first = why;
        if (why.status == FS_RUN) {
            *err = why;
            return FS_RUN;
        }
        fs_sweep_want_time(x->request->options.registry, x->arena, &point, &x->sweep);
        if (why.status == FS_OK)
            fs_sweep_want_kept(x->arena, &x->request->file, &point, 1, &x->sweep);
        kept |= why.status == FS_OK;
    }
    if (x->sweep.objective_count > 0)
        return FS_OK;
    if (first.status)
        *err = first;
    return first.status ? first.status
                        : fs_fail(err, FS_INPUT, "%s: objectives: expected at least one figure",
                                  x->request->file.path);
}

static fs_status begin(searching *x, const fs_hunt *r, fs_arena *arena, fs_error *err) {
    enum { MOST_POINTS = 2000000 };
    bool larger[FS_SEARCH_MOST_GOALS] = {false};
    *x = (searching){.request = r, .arena = arena};
    if (r->file.axis_count > FS_SEARCH_MOST_AXES)
        return fs_fail(err, FS_INPUT, "%s: axes: expected at most %d, found %zu", r->file.path,
                       FS_SEARCH_MOST_AXES, r->file.axis_count);
    if (r->plan.points == 0 && !(r->plan.seconds > 0))
        return fs_fail(
            err, FS_INPUT,
            "%s: budget: expected a number of points or a time such as 30 min, here or with --budget, "
            "found nothing",
            r->file.path);
    if (fs_sweep_space_of(arena, &r->file, MOST_POINTS, &x->space, err))
        return err->status;
    fs_sweep_heads(arena, &r->file, &x->sweep);
    x->sweep.base = x->space.base;
    if (want_something(x, err))
        return err->status;
    x->objectives = x->sweep.objective_count;
    if (x->objectives > FS_SEARCH_MOST_GOALS)
        return fs_fail(err, FS_INPUT, "%s: objectives: a search takes at most %d, found %zu", r->file.path,
                       FS_SEARCH_MOST_GOALS, x->objectives);
    for (size_t i = 0; i < x->objectives; i++)
        larger[i] = x->sweep.objectives[i].larger;
    x->levels = levels_of(arena, &x->space);
    x->search = fs_search_create(arena, &x->levels, larger, x->objectives, (uint64_t)r->plan.seed);
    x->budget = r->plan.points > 0 ? r->plan.points : FS_SWEEP_MOST_BUDGET;
    x->budget = x->budget < x->space.count ? x->budget : x->space.count;
    x->points = FS_NEW(arena, fs_store_point, x->budget + 1);
    x->sweep.points = x->points;
    return FS_OK;
}

/* ---- a batch ---- */

/* How many are proposed; none with an error that is no point's. */
static size_t propose(searching *x, size_t *index, fs_error *err) {
    fs_error why; /* of a configuration that is wrong: it is the point's */
    const size_t left = x->budget - x->sweep.point_count, batch = (size_t)x->request->plan.batch;
    const size_t count = fs_search_propose(x->search, left < batch ? left : batch, index);
    const bool was = fs_say_quiet(true); /* words on keys are for a person with one experiment */
    for (size_t i = 0; i < count && err->status == FS_OK; i++) {
        fs_error_clear(&why);
        if (fs_sweep_space_point(&x->space, index[i], &x->points[x->sweep.point_count + i], &why) == FS_RUN)
            *err = why;
    }
    fs_say_quiet(was);
    return err->status == FS_OK ? count : 0;
}

static fs_status run_here(searching *x, size_t count, fs_error *err) {
    fs_sweep_options options = x->request->options;
    fs_sweep_tally tally;
    size_t open = 0;
    options.keep = true;
    options.label = "search";
    options.before = x->sweep.point_count - count;
    options.total = x->request->plan.points > 0 ? x->budget : x->sweep.point_count;
    const fs_status status =
        fs_sweep_into_store(x->store, &x->sweep, &options, x->request->retry, &open, &tally, err);
    x->tally.done += tally.done;
    x->tally.failed += tally.failed;
    for (int i = 0; i < 3; i++)
        x->tally.by_layer[i] += tally.by_layer[i];
    return status;
}

/* The cluster's results come at their own time: the store is open only while the points go in. */
static fs_status run_there(searching *x, size_t count, fs_error *err) {
    const fs_sweep_item *items = NULL;
    size_t open = 0;
    fs_store_sweep fresh = x->sweep;
    fresh.points += x->sweep.point_count - count;
    fresh.point_count = count;
    const fs_registry *registry = x->request->options.registry;
    if (fs_store_put_sweep(x->store, &x->sweep, err) == FS_OK)
        fs_sweep_open_items(registry, x->store, &fresh, x->request->retry, x->arena, &items, &open, err);
    fs_store_close(x->store);
    x->store = NULL;
    if (err->status == FS_OK && open > 0)
        fs_cluster_sweep(x->request->path, x->sweep.name, x->request->cluster, registry, err);
    x->tally.done += open;
    return err->status ? err->status : fs_store_open(x->request->path, FS_STORE_WRITE, &x->store, err);
}

static fs_status learn(searching *x, const size_t *index, size_t count, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    for (size_t i = 0; i < count && err->status == FS_OK; i++) {
        fs_store_point point;
        double values[FS_SEARCH_MOST_GOALS];
        const char *key = x->points[x->sweep.point_count - count + i].key;
        if (fs_store_read_point(x->store, arena, key, &x->sweep, &point, err))
            break;
        bool known = point.feasible;
        for (size_t g = 0; g < x->objectives; g++) {
            values[g] = fs_store_number_of(&point, x->sweep.objectives[g].figure);
            known &= isfinite(values[g]) != 0;
        }
        fs_search_learn(x->search, index[i], known ? values : NULL);
    }
    fs_arena_free(arena);
    return err->status;
}

/* What the points are held against is looked at last, so that no place of the budget is its. */
static fs_status add_baseline(searching *x, fs_error *err) {
    if (!fs_sweep_add_baseline(&x->space, x->points, x->sweep.point_count))
        return FS_OK;
    x->sweep.point_count++;
    return x->request->cluster != NULL ? run_there(x, 1, err) : run_here(x, 1, err);
}

/* ---- the judgement ---- */

static json_t *goal_json(const searching *x, const fs_search_left *left, size_t goal) {
    json_t *share = json_array();
    for (size_t a = 0; a < x->levels.axes; a++)
        json_array_append_new(share, fs_json_number(left->share[a]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "figure", x->sweep.objectives[goal].figure,
                     "better", x->sweep.objectives[goal].larger ? "larger" : "smaller", "best",
                     fs_json_number(left->best), "better_left", fs_json_number(left->better), "gain_left",
                     fs_json_number(left->gain), "error", fs_json_number(left->error), "covered",
                     fs_json_number(left->covered), "share", share);
}

static fs_status judge(searching *x, fs_error *err) {
    fs_search_judgement j;
    fs_search_judge(x->search, x->arena, &j);
    json_t *volumes = json_array(), *goals = json_array();
    for (size_t i = 0; i < j.seen; i++)
        json_array_append_new(volumes, fs_json_number(j.volumes[i]));
    for (size_t g = 0; g < x->objectives; g++)
        json_array_append_new(goals, goal_json(x, &j.left[g], g));
    json_t *all = json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "space", (json_int_t)j.space,
                            "seen", (json_int_t)j.seen, "feasible", (json_int_t)j.feasible, "seed",
                            (json_int_t)x->request->plan.seed, "batch", (json_int_t)x->request->plan.batch,
                            "volume", fs_json_number(j.volume), "volume_expected",
                            fs_json_number(j.volume_expected), "volumes", volumes, "goals", goals);
    if (all == NULL)
        fs_no_memory();
    fs_store_put_judgement(x->store, x->sweep.name, "search", all, err);
    json_decref(all);
    return err->status;
}

/* ---- all of it ---- */

fs_status fs_hunt_run(const fs_hunt *r, fs_arena *arena, fs_error *err) {
    searching x;
    const double begun = fs_host_wall_seconds();
    size_t count = 0, *index = NULL;
    if (begin(&x, r, arena, err) || fs_store_open(r->path, FS_STORE_WRITE, &x.store, err))
        return err->status;
    index = FS_NEW(arena, size_t, (size_t)r->plan.batch + 1);
    while (err->status == FS_OK && x.sweep.point_count < x.budget &&
           (r->plan.points > 0 || x.sweep.point_count == 0 ||
            fs_host_wall_seconds() - begun < r->plan.seconds) &&
           (count = propose(&x, index, err)) > 0) {
        x.sweep.point_count += count;
        if ((r->cluster != NULL ? run_there(&x, count, err) : run_here(&x, count, err)) == FS_OK)
            learn(&x, index, count, err);
    }
    if (err->status == FS_OK)
        add_baseline(&x, err);
    if (err->status == FS_OK && judge(&x, err) == FS_OK && r->robust != NULL)
        fs_robust_run(r->robust, &r->options, x.store, x.sweep.name, err);
    fs_store_close(x.store);
    if (err->status == FS_RUN)
        fs_say("%zu points were proposed; what was finished stays, and the same command goes on",
               x.sweep.point_count);
    if (err->status == FS_OK)
        fs_say("%zu of %zu points looked at: %zu known, %zu run, %zu replayed, %zu priced, %zu failed now; "
               "%.1f s",
               x.sweep.point_count, x.space.count, x.sweep.point_count - x.tally.done - x.tally.failed,
               x.tally.by_layer[0], x.tally.by_layer[1], x.tally.by_layer[2], x.tally.failed,
               fs_host_wall_seconds() - begun);
    fs_search_free(x.search);
    return err->status;
}

fs_status fs_hunt_preview(const fs_hunt *r, fs_arena *arena, FILE *out, fs_error *err) {
    searching x;
    if (begin(&x, r, arena, err))
        return err->status;
    size_t *index = FS_NEW(arena, size_t, (size_t)r->plan.batch + 1);
    const size_t count = propose(&x, index, err);
    double seconds = 0;
    const char **errors = FS_NEW(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        fs_sweep_item item;
        errors[i] = x.points[i].error;
        const fs_store_point *p = &x.points[i];
        const bool right = fs_sweep_item_of(r->options.registry, p, &item);
        seconds += right ? item.seconds[FS_LAYER_RUN] : 0;
        fprintf(out, "%.12s  %-7s ", p->key, right ? "first" : "wrong");
        fs_put_plain(p->label, out);
        fputc('\n', out);
    }
    fs_sweep_print_wrong(arena, x.points, errors, count, out);
    fprintf(out, "%zu axes, %zu points", x.levels.axes, x.space.count);
    if (r->plan.points > 0)
        fprintf(out, "; %zu of them in batches of %lld, about %.0f s with %d jobs if all are run", x.budget,
                (long long)r->plan.batch,
                count == 0 ? 0 : seconds / (double)count * (double)x.budget / r->options.jobs,
                r->options.jobs);
    else
        fprintf(out, "; batches of %lld for %.0f s", (long long)r->plan.batch, r->plan.seconds);
    fputc('\n', out);
    fs_search_free(x.search);
    return err->status;
}
