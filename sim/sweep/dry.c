/* The dry run of a sweep: the layer of each point, and the points that are checked up to their first iteration. */
#include "sim/host/file.h"
#include "sim/host/scratch.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/sweep/sweep.h"
#include "sim/workload/elaborate.h"
#include "sim/workload/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double each_seconds = 10, all_seconds = 20;

typedef struct dry {
    const fs_sweep_dry_options *how;
    const fs_sweep_options *run;
    const fs_store_sweep *sweep;
    fs_arena *arena;
    const char **state;   /* [points] of the store, "wrong", or NULL: open */
    const char **error;   /* [points] what is wrong; NULL or "": nothing */
    fs_sweep_item *item;  /* [count] the open points */
    size_t *point, count; /* [count] */
    size_t checked, unfinished, traffics;
} dry;

/* ---- which points are made ---- */

/* The values of an axis that were met. */
typedef struct met {
    const char **value; /* [count] */
    size_t count;
} met;

/* Notes the point's values; whether one of them is new. */
static bool adds_a_value(const dry *d, met *axes, size_t i) {
    const fs_store_point *p = &d->sweep->points[d->point[i]];
    bool adds = false;
    for (size_t a = 0; a < d->sweep->axis_count; a++) {
        const char *value = p->settings[a].value == NULL ? "" : p->settings[a].value;
        if (FS_WORD_PLACE(axes[a].value, axes[a].count, value) < axes[a].count)
            continue;
        axes[a].value[axes[a].count++] = value;
        adds = true;
    }
    return adds;
}

static int by_traffic(const void *a, const void *b) {
    const fs_sweep_item *x = *(const fs_sweep_item *const *)a, *y = *(const fs_sweep_item *const *)b;
    const int order = strcmp(x->traffic_key, y->traffic_key);
    return order != 0 ? order : x < y ? -1 : 1;
}

/* The first open point of each traffic. */
static bool *first_of_traffic(dry *d) {
    const fs_sweep_item **sorted = FS_NEW(d->arena, const fs_sweep_item *, d->count + 1);
    bool *first = FS_NEW(d->arena, bool, d->count + 1);
    for (size_t i = 0; i < d->count; i++)
        sorted[i] = &d->item[i];
    qsort(sorted, d->count, sizeof *sorted, by_traffic);
    for (size_t i = 0; i < d->count; i++)
        if (i == 0 || strcmp(sorted[i]->traffic_key, sorted[i - 1]->traffic_key) != 0) {
            first[sorted[i] - d->item] = true;
            d->traffics++;
        }
    return first;
}

/* Open points to be made, at most `most`: [*chosen]. */
static size_t *choose(dry *d, size_t most, size_t *chosen) {
    const bool *first = first_of_traffic(d);
    size_t *list = FS_NEW(d->arena, size_t, d->count + 1);
    bool *taken = FS_NEW(d->arena, bool, d->count + 1);
    met *axes = FS_NEW(d->arena, met, d->sweep->axis_count + 1);
    for (size_t a = 0; a < d->sweep->axis_count; a++)
        axes[a].value = FS_NEW(d->arena, const char *, d->count + 1);
    *chosen = 0;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < d->count && *chosen < most; i++)
            if (first[i] && !taken[i] && (round == 1 || adds_a_value(d, axes, i))) {
                taken[i] = true;
                list[(*chosen)++] = i;
            }
    return list;
}

/* ---- making them ---- */

static fs_status make_in(dry *d, const char *folder, const size_t *list, size_t count, fs_error *err) {
    fs_elaboration *e = FS_NEW(d->arena, fs_elaboration, count + 1);
    const fs_elaborate_options how = {.jobs = d->run->jobs,
                                      .cache = d->run->scenes,
                                      .no_cache = d->run->scenes == NULL,
                                      .each = each_seconds,
                                      .all = all_seconds};
    for (size_t i = 0; i < count; i++) {
        const fs_sweep_item *item = &d->item[list[i]];
        e[i].file = fs_arena_printf(d->arena, "%s/%s.yaml", folder, item->key);
        if (fs_file_write(e[i].file, item->resolved, strlen(item->resolved), FS_LIGHT, err))
            return err->status;
    }
    fs_catch_signals();
    fs_status status = fs_elaborate(e, count, &how, d->arena, err);
    for (size_t i = 0; i < count; i++) {
        d->checked += e[i].looked_at;
        d->unfinished += e[i].unfinished;
        if (e[i].looked_at && e[i].error[0] != '\0')
            d->error[d->point[list[i]]] = fs_sweep_own_places(d->arena, &d->item[list[i]], e[i].error);
    }
    return status;
}

static fs_status make_points(dry *d, size_t most, fs_error *err) {
    size_t count = 0;
    const size_t *list = choose(d, most, &count);
    fs_scratch scratch;
    if (count == 0)
        return FS_OK;
    if (fs_scratch_make(d->arena, &scratch, err) == FS_OK)
        make_in(d, scratch.path, list, count, err);
    fs_scratch_remove(&scratch);
    return err->status;
}

/* ---- printing ---- */

static void print_point(const fs_store_point *p, const char *layer, double seconds) {
    printf("%.12s  %-7s %7.1f s  ", p->key, layer, seconds);
    fs_put_plain(p->label, stdout);
    fputc('\n', stdout);
}

static fs_status print_all(const dry *d, fs_error *err) {
    size_t by_layer[3] = {0}, open = 0, wrong = 0;
    fs_sweep_item *items = FS_NEW(d->arena, fs_sweep_item, d->count + 1);
    size_t *point = FS_NEW(d->arena, size_t, d->count + 1);
    for (size_t i = 0; i < d->count; i++) {
        const char *error = d->error[d->point[i]];
        if (error != NULL && error[0] != '\0')
            continue;
        point[open] = d->point[i];
        items[open++] = d->item[i];
    }
    const fs_sweep_means means = {.registry = d->run->registry,
                                  .folder = d->run->folder,
                                  .recordings = !d->run->plain,
                                  .jobs = d->run->jobs};
    fs_sweep_plan plan;
    fs_sweep_plan_make(d->arena, items, NULL, open, &means, &plan);
    const fs_sweep_job **job = FS_NEW(d->arena, const fs_sweep_job *, d->sweep->point_count);
    for (size_t j = 0; j < plan.count; j++)
        for (size_t i = 0; i < plan.jobs[j].count; i++) {
            job[point[plan.jobs[j].items[i]]] = &plan.jobs[j];
            by_layer[plan.jobs[j].layer]++;
        }
    for (size_t i = 0; i < d->sweep->point_count; i++) {
        wrong += d->error[i] != NULL && d->error[i][0] != '\0';
        print_point(&d->sweep->points[i],
                    job[i] != NULL        ? fs_layer_words[job[i]->layer]
                    : d->state[i] != NULL ? d->state[i]
                                          : "wrong",
                    job[i] != NULL ? job[i]->seconds / (double)job[i]->count : 0);
    }
    fs_sweep_print_wrong(d->arena, d->sweep->points, d->error, d->sweep->point_count, stdout);
    if (d->checked > 0)
        printf("checked %zu of %zu distinct configurations up to their first iteration%s\n", d->checked,
               d->traffics,
               d->unfinished == 0 ? ""
                                  : fs_arena_printf(d->arena, ", %zu of them not in full within %.0f s",
                                                    d->unfinished, each_seconds));
    printf("%zu to run, %zu to replay, %zu to price, %zu wrong; about %.0f s with %d jobs\n", by_layer[0],
           by_layer[1], by_layer[2], wrong, plan.seconds / d->run->jobs, d->run->jobs);
    if (wrong == 0 || d->how->allow_failures)
        return FS_OK;
    return fs_fail(err, FS_RUN, "%zu of %zu points are wrong (exit status 0 with --allow-failures)", wrong,
                   d->sweep->point_count);
}

/* ---- all of it ---- */

static fs_status read_states(dry *d, const char *path, bool retry, fs_error *err) {
    fs_store *store = NULL;
    if (fs_store_is(path) && fs_store_open(path, FS_STORE_READ, &store, err))
        return err->status;
    for (size_t i = 0; i < d->sweep->point_count && err->status == FS_OK; i++) {
        const fs_store_point *p = &d->sweep->points[i];
        const char *state = NULL;
        if (store != NULL && fs_store_state(store, p->key, &state, err))
            break;
        const bool wanted = state == NULL || (retry && strcmp(state, "failed") == 0) ||
                            strcmp(state, "pending") == 0 || strcmp(state, "running") == 0;
        d->error[i] = p->error;
        if (wanted && fs_sweep_item_of(d->run->registry, p, &d->item[d->count]))
            d->point[d->count++] = i;
        else
            d->state[i] = p->error[0] != '\0' ? "wrong" : state;
    }
    fs_store_close(store);
    return err->status;
}

fs_status fs_sweep_dry_run(const fs_sweep_dry_options *how, const char *path, const fs_store_sweep *sweep,
                           fs_arena *arena, fs_error *err) {
    dry d = {.how = how,
             .run = how->how,
             .sweep = sweep,
             .arena = arena,
             .state = FS_NEW(arena, const char *, sweep->point_count + 1),
             .error = FS_NEW(arena, const char *, sweep->point_count + 1),
             .item = FS_NEW(arena, fs_sweep_item, sweep->point_count + 1),
             .point = FS_NEW(arena, size_t, sweep->point_count + 1)};
    if (read_states(&d, path, how->retry, err) || make_points(&d, how->checks, err))
        return err->status;
    return print_all(&d, err);
}
