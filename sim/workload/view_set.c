/* A view set: one run for each camera, in processes of their own, and a folder around them. */
#include "sim/host/children.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/workload/run_request.h"
#include "sim/yaml/quantity.h"

#include <string.h>

typedef struct set {
    const fs_run_request *request;
    const fs_host_options *host;
    const fs_workload *workload;
    fs_view *views; /* [count] */
    size_t count;
    fs_child *child; /* [count] */
    size_t done;
    fs_results *results; /* of the set; NULL with --check */
    fs_arena *arena;
} set;

static const char *point_set(fs_arena *arena, const char *key, const double point[3]) {
    char x[FS_QUANTITY_TEXT], y[FS_QUANTITY_TEXT], z[FS_QUANTITY_TEXT];
    fs_quantity_print_real(x, FS_UNIT_NONE, point[0]);
    fs_quantity_print_real(y, FS_UNIT_NONE, point[1]);
    fs_quantity_print_real(z, FS_UNIT_NONE, point[2]);
    return fs_arena_printf(arena, "workload.%s=[%s, %s, %s]", key, x, y, z);
}

/* The one place that knows how a view becomes settings of a run. */
static const char *const *words_of(const set *s, size_t i, const char *dir) {
    const fs_view *view = &s->views[i];
    const char **more = FS_NEW(s->arena, const char *, 4);
    size_t n = 0;
    more[n++] = "views.kind=none";
    more[n++] = point_set(s->arena, s->workload->camera.position, view->position);
    if (view->look_at_given)
        more[n++] = point_set(s->arena, s->workload->camera.look_at, view->look_at);
    const char *option = s->request->ladder && dir != NULL ? "--ladder" : NULL;
    return fs_run_words(s->request, s->host, s->arena, more, n, option, dir);
}

static fs_status check_request(const set *s, const fs_config *config, fs_error *err) {
    const char *where = fs_config_where(config, "views", "kind");
    if (s->workload->camera.position == NULL)
        return fs_fail(err, FS_INPUT, "%s: the workload %s has no camera", where, s->workload->kind);
    if (s->request->trace != NULL)
        return fs_fail(err, FS_INPUT,
                       "--trace: this experiment has %zu views; choose one with --set views.kind=none",
                       s->count);
    if (strcmp(s->request->experiment, "-") == 0)
        return fs_fail(err, FS_INPUT,
                       "%s: an experiment with views must be a file, as each view reads it again", where);
    return FS_OK;
}

/* ---- progress ---- */

static void checked(void *self, size_t i) {
    const set *s = self;
    fs_say("view %zu: %s", i, s->child[i].words_said);
}

static void ran(void *self, size_t i) {
    set *s = self;
    s->done++;
    const char *time = fs_view_time(s->workload, s->results, i, s->arena);
    fs_say("view %zu: %s%sdone, %zu of %zu", i, time, time[0] == '\0' ? "" : " on the device, ", s->done,
           s->count);
}

/* Several at a time would each make and cache the scene that is not there yet: the first camera's check does
 * it for all. */
static fs_status make_scene(const set *s, fs_error *err) {
    fs_child first = {.label = "view 0", .words = words_of(s, 0, NULL)};
    fs_children children = {.child = &first, .count = 1, .jobs = 1};
    return fs_children_run(&children, s->arena, err);
}

static fs_status run_children(set *s, void (*ended)(void *self, size_t i), fs_error *err) {
    int jobs = (int)s->request->jobs;
    fs_children children = {.child = s->child,
                            .count = s->count,
                            .jobs = (size_t)jobs < s->count ? jobs : (int)s->count,
                            .ended = ended,
                            .self = s};
    return fs_children_run(&children, s->arena, err);
}

/* ---- the folder ---- */

static fs_status run_in(set *s, const fs_config *config, fs_results *results, char *line, fs_error *err) {
    if ((int)s->request->jobs > 1 && s->host->cache_dir != NULL && make_scene(s, err))
        return err->status;
    for (size_t i = 0; i < s->count; i++) {
        const char *name = fs_arena_printf(s->arena, "view-%zu", i);
        s->child[i].words = words_of(s, i, fs_arena_strdup(s->arena, fs_results_path(results, name)));
    }
    if (run_children(s, ran, err) ||
        fs_views_figures(s->workload, s->views, s->count, results, line, FS_LINE_BYTES, err))
        return err->status;
    return fs_run_write_common(config, s->workload, results, err);
}

static fs_status run_into(set *s, const fs_config *config, const char *dir, fs_error *err) {
    fs_results *results = fs_results_open(dir, s->request->force, err);
    if (results == NULL)
        return err->status;
    s->results = results;
    char line[FS_LINE_BYTES] = "";
    if (run_in(s, config, results, line, err)) {
        fs_results_discard(results);
        return err->status;
    }
    fs_run_note_origin(config, results);
    if (fs_results_commit(results, err))
        return err->status;
    fs_say("%s", line);
    printf("%s\n", dir);
    return FS_OK;
}

/* For the table of views: where a view says nothing it is the workload's point. */
static void complete(set *s, const fs_config *config, const fs_view *views) {
    const double *look_at = fs_config_value(config, "workload", s->workload->camera.look_at);
    memcpy(s->views, views, s->count * sizeof *views);
    for (size_t i = 0; i < s->count; i++)
        if (!views[i].look_at_given && look_at != NULL)
            memcpy(s->views[i].look_at, look_at, sizeof s->views[i].look_at);
}

fs_status fs_run_views(const fs_run_request *request, const fs_host_options *host, const fs_config *config,
                       const fs_workload *workload, const fs_view *views, size_t count, const char *dir,
                       fs_arena *arena, fs_error *err) {
    set s = {.request = request,
             .host = host,
             .workload = workload,
             .views = FS_NEW(arena, fs_view, count),
             .count = count,
             .arena = arena,
             .child = FS_NEW(arena, fs_child, count)};
    if (check_request(&s, config, err))
        return FS_INPUT;
    complete(&s, config, views);
    for (size_t i = 0; i < count; i++) {
        s.child[i].label = fs_arena_printf(arena, "view %zu", i);
        s.child[i].words = words_of(&s, i, NULL);
    }
    fs_catch_signals();
    return request->check ? run_children(&s, checked, err) : run_into(&s, config, dir, err);
}
