/* A run of each stand-in by itself: its picture and the visits of its pixels, for the page. */
#include "reports/page/page_file.h"
#include "sim/host/children.h"
#include "sim/host/file.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "validation/judge/private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The folder `run` is there and was made from the point of that key. */
static bool fresh(const char *run, const char *key_file, const char *key) {
    fs_error ignored = {0};
    struct stat info;
    char *text = stat(run, &info) == 0 ? fs_page_read(key_file, NULL, &ignored) : NULL;
    bool same = text != NULL && strcmp(text, key) == 0;
    free(text);
    return same;
}

/* The recording that saves most of the run of a point; NULL: there is none. */
static const char *recording_of(const fs_validation *v, const fs_sweep_item *item, const char *folder) {
    const fs_sweep_means means = {.registry = v->registry, .folder = folder, .recordings = true};
    fs_sweep_plan plan;
    fs_sweep_plan_make(v->arena, item, NULL, 1, &means, &plan);
    FS_ASSERT(plan.count == 1, "%zu jobs for one point", plan.count);
    const fs_sweep_job *job = &plan.jobs[0];
    return job->layer == FS_LAYER_RUN ? NULL : job->layer == FS_LAYER_REPLAY ? job->itinerary : job->activity;
}

/* The command that makes the run, or NULL when the one that is there will do. */
static const char *const *command_of(const fs_validation *v, const fs_standin *s, const fs_store_point *point,
                                     const char *stem, const fs_validation_options *options, fs_error *err) {
    const char *key_file = fs_arena_printf(v->arena, "%s.key", stem),
               *file = fs_arena_printf(v->arena, "%s.yaml", stem);
    fs_sweep_item item;
    if (fresh(stem, key_file, point->key))
        return NULL;
    if (!fs_sweep_item_of(v->registry, point, &item))
        return FS_FAIL_NULL(err, FS_INPUT, "%s: %s", s->name, point->error);
    if (fs_file_write(file, item.resolved, strlen(item.resolved), FS_LIGHT, err) ||
        fs_file_write(key_file, "", 0, FS_LIGHT, err)) /* until the run is there */
        return NULL;
    const char *recording = recording_of(v, &item, fs_arena_printf(v->arena, "%s.cache", options->store));
    fs_process_words w = {.arena = v->arena};
    fs_process_add(&w, "run", file, "--quiet", "--force", "--out", stem, "--threads",
                   fs_arena_printf(v->arena, "%d", options->jobs * options->threads), NULL);
    fs_process_option(&w, recording != NULL ? "--replay" : "--cache",
                      recording != NULL ? recording : options->scenes);
    return w.word;
}

fs_status fs_validation_scenes(fs_validation *v, const char *folder, const fs_validation_options *options,
                               fs_error *err) {
    static const fs_variant plain = {.name = ""};
    fs_case_points *list = fs_case_points_create(v);
    if (fs_dir_make(fs_arena_printf(v->arena, "%s/scenes", folder), err))
        return err->status;
    for (size_t i = 0; i < v->standin_count; i++) {
        fs_standin *s = &v->standins[i];
        size_t index = 0;
        if (fs_case_points_add(list, s, &plain, NULL, 0, "alone", &index, err))
            return err->status;
        const fs_store_point *point = &list->points[index];
        const char *stem = fs_arena_printf(v->arena, "%s/scenes/%s", folder, s->name);
        fs_child child = {.label = s->name, .words = command_of(v, s, point, stem, options, err)};
        fs_children children = {.child = &child, .count = 1, .jobs = 1}; /* with all the memory there is */
        if (child.words != NULL) {
            if (options->progress)
                fs_say("%s: a run of its own, for its picture", s->name);
            fs_error failed = {.status = FS_OK};
            if (fs_children_run(&children, v->arena, &failed) && fs_interrupted())
                return fs_fail(err, FS_RUN, "interrupted");
            if (failed.status != FS_OK) { /* no picture; its figures say what is wrong */
                fs_say("%s", failed.text);
                continue;
            }
        }
        if (err->status != FS_OK)
            return err->status;
        if (fs_file_write(fs_arena_printf(v->arena, "%s.key", stem), point->key, strlen(point->key), FS_LIGHT,
                          err))
            return err->status;
        s->run = stem;
    }
    return FS_OK;
}
