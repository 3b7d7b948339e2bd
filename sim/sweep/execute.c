/* The pool: which process is started next, in how much memory, and the loop. */
#include "sim/base/host.h"
#include "sim/host/signals.h"
#include "sim/sweep/private.h"

#include <signal.h>
#include <string.h>
#include <time.h>

enum { LOOK_NANOSECONDS = 4000000, MOST_IDLE = 1000, MOST_JOBS = 1024 };
static const double memory_seconds = 0.1; /* between two looks at the memory */
static const double price_seconds = 0.2;  /* and at prices under way */
static const double patience = 5;         /* seconds that a run may take to put its folder in order */

/* ---- the plan ---- */

static void make_plan(fs_executor *x) {
    fs_arena_free(x->plan_arena);
    x->plan_arena = fs_arena_create();
    size_t *open = FS_NEW(x->plan_arena, size_t, x->count + 1), count = 0, promised = 0;
    for (size_t i = 0; i < x->count; i++)
        if (x->work[i].state == OPEN && !x->work[i].plain)
            open[count++] = i;
    const char **promises = FS_NEW(x->plan_arena, const char *, 2 * (size_t)x->options->jobs + 1);
    for (int s = 0; s < x->options->jobs; s++) {
        const fs_sweep_job *j = &x->slots[s].job;
        if (x->slots[s].process.id == 0)
            continue;
        if (j->layer == FS_LAYER_RUN && j->itinerary != NULL)
            promises[promised++] = fs_arena_strdup(x->plan_arena, j->itinerary);
        if (j->layer != FS_LAYER_PRICE && j->activity != NULL)
            promises[promised++] = fs_arena_strdup(x->plan_arena, j->activity);
    }
    const fs_sweep_means means = {.registry = x->options->registry,
                                  .folder = x->options->folder,
                                  .recordings = x->recordings,
                                  .keep = x->options->keep,
                                  .together = x->options->together,
                                  .jobs = x->options->jobs,
                                  .promised = promises,
                                  .promised_count = promised};
    fs_sweep_plan_make(x->plan_arena, x->items, open, count, &means, &x->plan);
    x->taken = FS_NEW(x->plan_arena, bool, x->plan.count + 1);
    x->stale = false;
}

static bool ready(const fs_sweep_job *j) {
    return j->layer == FS_LAYER_RUN ||
           fs_sweep_there(j->layer == FS_LAYER_REPLAY ? j->itinerary : j->activity);
}

/* ---- starting ---- */

static int busy(const fs_executor *x) {
    int n = 0;
    for (int s = 0; s < x->options->jobs; s++)
        n += x->slots[s].process.id != 0;
    return n;
}

/* Of the job that is to start: all cores, where all others wait for its recording. */
static int threads_of(const fs_executor *x) {
    bool other = busy(x) > 0;
    for (size_t i = 0; i < x->count; i++)
        other = other || (x->work[i].state == OPEN && x->work[i].plain);
    for (size_t i = 0; i < x->plan.count; i++)
        other = other || (!x->taken[i] && ready(&x->plan.jobs[i]));
    return other || x->options->cores < x->options->threads ? x->options->threads : x->options->cores;
}

/* The option that writes what a layer goes on from. */
static const char *recorder_of(const fs_registry *registry, fs_arena *arena, const fs_sweep_item *item,
                               fs_layer layer) {
    const fs_workload *workload = fs_workload_find(registry, item->kind);
    FS_ASSERT(workload != NULL && workload->recorder[layer] != NULL, "%s has no layer %s", item->kind,
              fs_layer_words[layer]);
    return fs_arena_printf(arena, "--%s", workload->recorder[layer]);
}

static const char *const *words_of(fs_executor *x, fs_arena *arena, const fs_sweep_job *j) {
    const fs_registry *registry = x->options->registry;
    const fs_sweep_item *item = &x->items[j->items[0]];
    fs_process_words w = {.arena = arena};
    if (j->together) {
        fs_process_add(&w, "price", j->activity, NULL);
        for (size_t i = 0; i < j->count; i++)
            fs_process_add(&w, fs_sweep_yaml_path(arena, x->options->folder, x->items[j->items[i]].key),
                           NULL);
        return w.word;
    }
    fs_process_add(&w, "run", "--quiet", "--force", "--set", "run.outputs=summary", "--threads",
                   fs_arena_printf(arena, "%d", threads_of(x)), "--out",
                   fs_sweep_run_path(arena, x->options->folder, item->key),
                   x->options->scenes == NULL ? "--no-cache" : NULL, NULL);
    fs_process_option(&w, "--cache", x->options->scenes);
    if (j->itinerary != NULL)
        fs_process_option(
            &w, j->layer == FS_LAYER_RUN ? recorder_of(registry, arena, item, FS_LAYER_REPLAY) : "--replay",
            j->itinerary);
    if (j->activity != NULL)
        fs_process_option(
            &w, j->layer == FS_LAYER_PRICE ? "--replay" : recorder_of(registry, arena, item, FS_LAYER_PRICE),
            j->activity);
    fs_process_add(&w, fs_sweep_yaml_path(arena, x->options->folder, item->key), NULL);
    return w.word;
}

static fs_status start(fs_executor *x, fs_executor_slot *s, const fs_sweep_job *job) {
    fs_arena *arena = fs_arena_create();
    fs_status status = FS_OK;
    for (size_t i = 0; i < job->count && status == FS_OK; i++) {
        const fs_sweep_item *item = &x->items[job->items[i]];
        x->work[job->items[i]].state = UNDER_WAY;
        status = fs_sweep_write_item(arena, x->options->folder, item, x->err);
        if (status == FS_OK && x->sink->started != NULL && job->layer != FS_LAYER_PRICE)
            status = x->sink->started(x->sink->self, item, x->err);
    }
    s->job = *job;
    s->over = false;
    s->resident = 0;
    s->told = s->lines = 0;
    /* The plan may be made anew while this runs. */
    s->job.items = memcpy(FS_NEW(x->arena, size_t, job->count), job->items, job->count * sizeof *job->items);
    s->job.itinerary = job->itinerary == NULL ? NULL : fs_arena_strdup(x->arena, job->itinerary);
    s->job.activity = job->activity == NULL ? NULL : fs_arena_strdup(x->arena, job->activity);
    if (status == FS_OK)
        status = fs_process_start(
            &s->process,
            &(fs_process_plan){.words = words_of(x, arena, job), .heard = true, .own_group = true}, x->err);
    fs_arena_free(arena);
    return status;
}

/* Whether the memory is enough for one more of a layer, as far as those before it tell. */
static bool fits(const fs_executor *x, fs_layer layer) {
    uint64_t sum = x->peak[layer];
    for (int s = 0; s < x->options->jobs; s++) {
        const fs_executor_slot *other = &x->slots[s];
        if (other->process.id == 0)
            continue;
        const uint64_t expected = x->peak[other->job.layer];
        sum += other->resident > expected ? other->resident : expected;
    }
    return x->options->memory == 0 || sum <= x->options->memory;
}

static bool someone_alone(const fs_executor *x) {
    for (int s = 0; s < x->options->jobs; s++)
        if (x->slots[s].process.id != 0 && x->work[x->slots[s].job.items[0]].alone)
            return true;
    return false;
}

/* The next job to start, NULL when there is none now. */
static const fs_sweep_job *next_job(fs_executor *x, fs_sweep_job *plain, size_t *item) {
    if (someone_alone(x))
        return NULL;
    for (size_t i = 0; i < x->count; i++)
        if (x->work[i].state == OPEN && x->work[i].plain && (!x->work[i].alone || busy(x) == 0)) {
            *item = i;
            *plain = (fs_sweep_job){.layer = FS_LAYER_RUN, .items = item, .count = 1};
            return fits(x, FS_LAYER_RUN) || busy(x) == 0 ? plain : NULL;
        }
    if (x->stale)
        make_plan(x);
    for (size_t i = 0; i < x->plan.count; i++)
        if (!x->taken[i] && ready(&x->plan.jobs[i])) {
            if (!fits(x, x->plan.jobs[i].layer) && busy(x) > 0)
                return NULL;
            x->taken[i] = true;
            return &x->plan.jobs[i];
        }
    return NULL;
}

/* ---- memory ---- */

static void look_at_memory(fs_executor *x) {
    const double now = fs_host_wall_seconds();
    if (now - x->looked < memory_seconds)
        return;
    x->looked = now;
    uint64_t sum = 0;
    fs_executor_slot *youngest = NULL;
    for (int i = 0; i < x->options->jobs; i++) {
        fs_executor_slot *s = &x->slots[i];
        if (s->process.id == 0)
            continue;
        s->resident = fs_host_resident_bytes(s->process.id);
        sum += s->resident;
        if (s->resident > x->peak[s->job.layer])
            x->peak[s->job.layer] = s->resident;
        if (youngest == NULL || s->process.started > youngest->process.started)
            youngest = s;
    }
    if (x->options->memory == 0 || sum <= x->options->memory || youngest == NULL)
        return;
    if (busy(x) == 1)
        for (size_t i = 0; i < youngest->job.count; i++)
            x->work[youngest->job.items[i]].alone = true; /* it was: that is the end of it */
    youngest->over = true;
    fs_process_signal(&youngest->process, SIGKILL);
}

/* ---- the loop ---- */

static size_t keep_recordings(const fs_sweep_job *job, const char **keep, size_t n) {
    if (job->itinerary != NULL)
        keep[n++] = job->itinerary;
    if (job->activity != NULL)
        keep[n++] = job->activity;
    return n;
}

static void trim(fs_executor *x) {
    fs_arena *arena = fs_arena_create();
    const char **keep = FS_NEW(arena, const char *, 2 * ((size_t)x->options->jobs + x->plan.count) + 1);
    size_t n = 0;
    for (int s = 0; s < x->options->jobs; s++)
        if (x->slots[s].process.id != 0)
            n = keep_recordings(&x->slots[s].job, keep, n);
    for (size_t i = 0; i < x->plan.count; i++)
        if (!x->taken[i])
            n = keep_recordings(&x->plan.jobs[i], keep, n);
    fs_sweep_trim(arena, x->options->folder, x->options->cache_limit, keep, n);
    fs_arena_free(arena);
}

static fs_status look(fs_executor *x) {
    for (int i = 0; i < x->options->jobs; i++) {
        fs_process_end end;
        fs_executor_slot *s = &x->slots[i];
        if (s->process.id == 0 || !fs_process_ended(&s->process, &end))
            continue;
        const bool recorded =
            s->job.layer != FS_LAYER_PRICE && (s->job.itinerary != NULL || s->job.activity != NULL);
        if (fs_executor_take_end(x, s, end))
            return x->err->status;
        if (recorded && x->options->cache_limit > 0)
            trim(x);
    }
    return FS_OK;
}

/* Prices are taken while their process goes on. */
static fs_status hear(fs_executor *x) {
    const double now = fs_host_wall_seconds();
    if (now - x->heard < price_seconds)
        return FS_OK;
    x->heard = now;
    for (int i = 0; i < x->options->jobs; i++)
        if (x->slots[i].process.id != 0 && x->slots[i].job.together &&
            fs_executor_take_prices(x, &x->slots[i]))
            return x->err->status;
    return FS_OK;
}

static bool all_finished(const fs_executor *x) {
    for (size_t i = 0; i < x->count; i++)
        if (x->work[i].state != FINISHED)
            return false;
    return true;
}

static fs_status fill(fs_executor *x) {
    for (int i = 0; i < x->options->jobs; i++) {
        fs_sweep_job plain;
        size_t item = 0;
        const fs_sweep_job *job = x->slots[i].process.id != 0 ? NULL : next_job(x, &plain, &item);
        if (job != NULL && start(x, &x->slots[i], job))
            return x->err->status;
    }
    if (busy(x) == 0 && !all_finished(x)) {
        x->stale = true; /* something it counted on has gone */
        if (++x->idle == MOST_IDLE)
            return fs_fail(x->err, FS_IO,
                           "%s: the sweep cannot go on: what its open points need disappears again and again "
                           "(does another program delete recordings there?)",
                           x->options->folder);
    }
    return FS_OK;
}

static fs_status work_on(fs_executor *x) {
    const struct timespec nap = {.tv_nsec = LOOK_NANOSECONDS};
    make_plan(x);
    while (!all_finished(x)) {
        if (fs_interrupted())
            return fs_fail(x->err, FS_RUN, "interrupted");
        if (look(x) || hear(x) || fill(x))
            return x->err->status;
        look_at_memory(x);
        if (x->options->progress)
            fs_progress_update(&x->progress, x->options->before + x->tally->done + x->tally->failed);
        nanosleep(&nap, NULL);
    }
    return FS_OK;
}

/* Ends what is under way: all of them put their folders in order at once. What was priced is taken, where we
 * were interrupted. */
static void end_all(fs_executor *x, bool take) {
    fs_error late, *const told = x->err; /* why it ended is reported already */
    x->err = &late;
    for (int i = 0; i < x->options->jobs; i++)
        if (x->slots[i].process.id != 0)
            fs_process_signal(&x->slots[i].process, SIGTERM);
    for (int i = 0; i < x->options->jobs; i++) {
        fs_executor_slot *s = &x->slots[i];
        fs_error_clear(&late);
        if (s->process.id != 0) {
            fs_process_stop(&s->process, patience);
            if (take && s->job.together)
                fs_executor_take_prices(x, s);
        }
        fs_process_close(&s->process);
    }
    x->err = told;
}

fs_status fs_sweep_execute(const fs_sweep_item *items, size_t count, const fs_sweep_options *options,
                           const fs_sweep_sink *sink, fs_sweep_tally *tally, fs_error *err) {
    FS_ASSERT(options->jobs >= 1 && options->jobs <= MOST_JOBS, "%d jobs", options->jobs);
    *tally = (fs_sweep_tally){.done = 0};
    if (count == 0)
        return FS_OK;
    if (fs_sweep_make_folders(options->folder, err))
        return err->status;
    fs_executor x = {.items = items,
                     .count = count,
                     .options = options,
                     .sink = sink,
                     .tally = tally,
                     .err = err,
                     .arena = fs_arena_create(),
                     .plan_arena = fs_arena_create(),
                     .recordings = !options->plain};
    snprintf(x.label, sizeof x.label, "%s", options->label);
    x.work = FS_NEW(x.arena, fs_executor_item, count);
    x.slots = FS_NEW(x.arena, fs_executor_slot, (size_t)options->jobs);
    fs_progress_begin(&x.progress, x.label, options->total == 0 ? count : options->total);
    x.progress.before = options->before;
    fs_status status = fs_executor_take_leftovers(&x);
    if (status == FS_OK)
        status = work_on(&x);
    end_all(&x, status == FS_RUN);
    fs_progress_end(&x.progress);
    fs_sweep_remove_folders(options->folder);
    fs_arena_free(x.plan_arena);
    fs_arena_free(x.arena);
    return status;
}
