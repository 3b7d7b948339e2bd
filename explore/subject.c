/* What is explored: a run, an experiment or a recording, with a run of it that was made once. */
#include "explore/private.h"

#include "sim/base/alloc.h"
#include "sim/config/key.h"
#include "sim/host/file.h"
#include "sim/host/progress.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"
#include "sim/results/archive.h"
#include "sim/yaml/paths.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- what a name stands for ---- */

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static fs_status of_run(fs_explore *x, fs_error *err) {
    x->opened = fs_folder_open(x->subject, x->registry->figures, err);
    if (x->opened == NULL)
        return err->status;
    if (fs_folder_views(x->opened) > 0)
        return fs_fail(err, FS_INPUT, "%s: expected a run of one view, found %zu; choose one of its folders",
                       x->subject, fs_folder_views(x->opened));
    x->experiment = fs_arena_printf(x->arena, "%s/resolved.yaml", fs_folder_path(x->opened));
    x->command = fs_arena_printf(x->arena, "%s/resolved.yaml", x->subject);
    return FS_OK;
}

/* A recording holds its experiment as a text. */
static fs_status of_recording(fs_explore *x, fs_error *err) {
    fs_recording *recording = fs_recording_open(x->subject, err);
    if (recording == NULL || fs_recorded_expect(recording, FS_RECORDING_ACTIVITY, err)) {
        fs_recording_close(recording);
        return err->status;
    }
    enum { MOST = 16 << 20 };
    const size_t bytes = fs_recording_bytes(recording, FS_RECORDED_EXPERIMENT);
    char *text = bytes < MOST ? fs_arena_alloc(x->arena, 1, bytes + 1) : NULL;
    if (text == NULL)
        fs_fail(
            err, FS_INPUT,
            "%s: it does not hold its experiment, as recordings of older versions do not; expected a run's "
            "folder, an experiment, or a recording that is made anew",
            x->subject);
    else if (fs_recording_read(recording, FS_RECORDED_EXPERIMENT, text, bytes, err) == FS_OK) {
        x->experiment = fs_arena_printf(x->arena, "%s/experiment.yaml", x->scratch.path);
        x->command = "experiment.yaml";
        fs_file_write(x->experiment, text, bytes, FS_LIGHT, err);
    }
    fs_recording_close(recording);
    return err->status;
}

/* ---- the run of it ---- */

/* With its progress for the person. What it says is wrong is its own. */
static fs_status run_once(fs_explore *x, const char *activity, const char *replay, fs_error *err) {
    fs_explore_run r = {.error = "", .folder = x->folder, .activity = activity, .replay = replay};
    fs_progress bar;
    bool begun = false;
    if (fs_explore_run_launch(x, &r, err))
        return err->status;
    while (!fs_explore_run_ended(x, &r)) {
        if (fs_interrupted()) {
            fs_process_stop(&r.process, 2);
            return fs_fail(err, FS_RUN, "interrupted");
        }
        if (r.total > 0 && !begun)
            fs_progress_begin(&bar, "one run", r.total);
        begun = begun || r.total > 0;
        if (begun)
            fs_progress_update(&bar, r.done < bar.total ? r.done : bar.total);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    if (begun)
        fs_progress_end(&bar);
    return r.state == FS_EXPLORE_DONE ? FS_OK
                                      : fs_fail(err, r.status == 2 ? FS_INPUT : FS_RUN, "%s", r.error);
}

/* The run that prices go on from: of what has none, made once. */
static fs_status make_run(fs_explore *x, bool recording, fs_error *err) {
    const bool prices = x->workload->prices != NULL;
    const char *activity = recording ? x->subject
                           : prices  ? fs_arena_printf(x->arena, "%s/base.activity", x->scratch.path)
                                     : NULL;
    if (x->opened != NULL && !prices && x->own.count == 0) {
        x->folder = fs_folder_path(x->opened);
    } else {
        fs_say("explore: one run of %s%s", x->subject,
               recording ? " from its recording" : " before the page opens");
        x->folder = fs_arena_printf(x->arena, "%s/base", x->scratch.path);
        if (run_once(x, recording ? NULL : activity, recording ? activity : NULL, err) && activity != NULL &&
            !recording && !fs_interrupted()) {
            fs_say("explore: every change is a run, as no activity can be recorded: %s", err->text);
            fs_error_clear(err);
            activity = NULL;
            run_once(x, NULL, NULL, err);
        }
    }
    if (err->status != FS_OK || (activity != NULL && fs_explore_add_source(x, activity, err)))
        return err->status;
    fs_explore_add_folder(x, &(fs_explore_sets){.count = 0}, x->folder);
    return FS_OK;
}

static fs_status check_views(const fs_explore *x, fs_error *err) {
    const fs_view *views;
    size_t count = 0;
    if (fs_views_make(x->config, x->arena, &views, &count, err))
        return err->status;
    return count == 0 || fs_views_are_frames(x->config)
               ? FS_OK
               : fs_fail(
                     err, FS_INPUT,
                     "explore: this experiment has %zu views, and a page shows one; choose one with --set "
                     "views.kind=none and its camera",
                     count);
}

fs_status fs_explore_open(fs_explore *x, const char *subject, fs_error *err) {
    const bool run = is_folder(subject) || fs_archive_is(subject),
               recording = !run && fs_recording_is(subject);
    x->subject = subject;
    if (run ? of_run(x, err) : recording ? of_recording(x, err) : FS_OK)
        return err->status;
    if (x->experiment == NULL) {
        const bool file = fs_path_is_file(subject);
        x->experiment = file ? fs_path_absolute(x->arena, "", subject) : subject;
        x->command = subject;
    }
    x->config = fs_explore_load(x, x->arena, &(fs_explore_sets){.count = 0}, err);
    if (x->config == NULL || check_views(x, err))
        return err->status;
    x->workload = fs_workload_of(x->config);
    omp_set_num_threads(1); /* prices: one point takes less than starting threads does */
    return make_run(x, recording, err);
}

/* ---- what prices go on from ---- */

fs_status fs_explore_add_source(fs_explore *x, const char *activity, fs_error *err) {
    fs_pricing *pricing = fs_pricing_open(activity, err);
    if (pricing == NULL)
        return err->status;
    if (x->sources == FS_EXPLORE_SOURCES) {
        fs_pricing_close(x->source[1]);
        memmove(&x->source[1], &x->source[2], (--x->sources - 1) * sizeof *x->source);
    }
    x->source[x->sources++] = pricing;
    return FS_OK;
}

void fs_explore_add_folder(fs_explore *x, const fs_explore_sets *sets, const char *path) {
    fs_error *err = fs_calloc(1, sizeof *err);
    fs_arena *arena = fs_arena_create();
    const fs_config *config = fs_explore_load(x, arena, sets, err);
    if (config != NULL && x->known_count < FS_EXPLORE_RUNS + 1) {
        fs_explore_folder *f = &x->known[x->known_count++];
        f->path = path;
        fs_config_key(config, FS_TOUCHES_PRICE, fs_recorded_digest, &x->memo, f->key);
    }
    fs_arena_free(arena);
    free(err);
}

void fs_explore_close(fs_explore *x) {
    for (size_t i = 0; i < x->runs; i++)
        fs_explore_run_stop(x, i);
    while (x->pins > 0)
        fs_explore_pin_remove(x, x->pins - 1);
    for (size_t i = 0; i < x->sources; i++)
        fs_pricing_close(x->source[i]);
    for (size_t i = 0; i < x->kept_count; i++)
        fs_arena_free(x->kept[i].arena);
    free(x->kept);
    fs_folder_close(x->opened);
    fs_scratch_remove(&x->scratch);
}
