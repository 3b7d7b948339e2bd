/* What becomes of the end of a process: results and failures to the sink, recordings that got in the way,
 * runs that needed too much memory. */
#include "sim/host/file.h"
#include "sim/results/results.h"
#include "sim/sweep/private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_STRIKES = 3,    /* recordings that got in the way before none is used any more */
    MOST_SAID = 64 << 20 /* bytes that a process may write */
};

/* ---- results ---- */

static fs_status give(fs_executor *x, size_t item, fs_layer layer, json_t *result) {
    const bool done = strcmp(fs_json_text(result, "status"), "done") == 0;
    fs_status status = x->sink->result(x->sink->self, &x->items[item], result, x->err);
    json_decref(result);
    if (status)
        return status;
    x->work[item].state = FINISHED;
    fs_arena *arena = fs_arena_create();
    fs_sweep_forget_item(arena, x->options->folder, &x->items[item]);
    fs_arena_free(arena);
    if (done)
        x->tally->by_layer[layer]++;
    x->tally->done += done;
    x->tally->failed += !done;
    if (x->tally->failed > 0)
        snprintf(x->label, sizeof x->label, "%s (%zu failed)", x->options->label, x->tally->failed);
    if (x->options->progress)
        fs_progress_update(&x->progress, x->options->before + x->tally->done + x->tally->failed);
    return FS_OK;
}

static fs_status give_failure(fs_executor *x, size_t item, fs_layer layer, const char *words) {
    if (fs_sweep_lacks_room(words))
        return fs_fail(x->err, FS_IO,
                       "%s: no room for what is under way; what is finished is in the store: make room and "
                       "give the same command again",
                       x->options->folder);
    fs_arena *arena = fs_arena_create();
    json_t *result = fs_sweep_failure(arena, &x->items[item], layer, words);
    fs_arena_free(arena);
    return give(x, item, layer, result);
}

static fs_status group(fs_executor *x, bool begin) {
    return x->sink->group == NULL ? FS_OK : x->sink->group(x->sink->self, begin, x->err);
}

/* ---- recordings ---- */

static void strike(fs_executor *x, const char *recording) {
    if (recording != NULL)
        unlink(recording);
    if (++x->strikes >= MOST_STRIKES)
        x->recordings = false;
    x->stale = true;
}

/* A recording got in the way, or seemed to: what the plain run says is what counts. */
static void run_plainly(fs_executor *x, size_t item, const char *suspect) {
    x->work[item].state = OPEN;
    x->work[item].plain = true;
    x->work[item].suspect = suspect == NULL ? "" : suspect;
}

/* What a run says of itself it says from every layer; only what it says of recordings is not of the point. */
static bool speaks_of_recordings(const char *words) {
    return words[0] == '\0' || strstr(words, "record") != NULL || strstr(words, "replay") != NULL ||
           strstr(words, ".itinerary") != NULL || strstr(words, ".activity") != NULL ||
           strstr(words, "signal") != NULL;
}

static fs_status end_of_run(fs_executor *x, fs_executor_slot *s, bool good, const char *words) {
    const size_t item = s->job.items[0];
    const fs_sweep_job *j = &s->job;
    fs_arena *arena = fs_arena_create();
    json_t *result = good ? fs_sweep_harvest(arena, x->options->folder, &x->items[item], j->layer) : NULL;
    fs_arena_free(arena);
    if ((j->itinerary != NULL && !fs_sweep_there(j->itinerary)) ||
        (j->activity != NULL && !fs_sweep_there(j->activity)))
        x->stale = true; /* others count on it */
    if (result == NULL && (j->itinerary != NULL || j->activity != NULL) &&
        (good || speaks_of_recordings(words))) {
        run_plainly(x, item, j->itinerary != NULL ? j->itinerary : j->activity);
        return FS_OK;
    }
    if (result == NULL)
        return give_failure(x, item, j->layer, words);
    if (x->work[item].suspect != NULL)
        strike(x, x->work[item].suspect[0] == '\0' ? NULL : x->work[item].suspect);
    return give(x, item, j->layer, result);
}

static fs_status give_price(fs_executor *x, fs_executor_slot *s, json_t *priced) {
    const char *key = fs_json_text(priced, "key"), *error = fs_json_text(priced, "error");
    for (size_t i = 0; i < s->job.count; i++) {
        const size_t item = s->job.items[i];
        if (strcmp(x->items[item].key, key) != 0 || x->work[item].state != UNDER_WAY)
            continue;
        if (strcmp(fs_json_text(priced, "status"), "done") == 0)
            return give(x, item, FS_LAYER_PRICE, json_incref(priced));
        if (speaks_of_recordings(error))
            run_plainly(x, item, NULL);
        else
            return give_failure(x, item, FS_LAYER_PRICE, error);
    }
    return FS_OK;
}

/* A line of JSON for each point, as they come: a kill loses what was priced since the last look at most. What
 * is cut off is no line yet. */
fs_status fs_executor_take_prices(fs_executor *x, fs_executor_slot *s) {
    fs_arena *arena = fs_arena_create();
    const size_t most = MOST_SAID - s->told;
    char *text = fs_file_text_from(arena, s->process.out, s->told, most), *at = text;
    fs_status status = strchr(text, '\n') == NULL ? FS_OK : group(x, true);
    const bool begun = strchr(text, '\n') != NULL && status == FS_OK;
    for (char *end; status == FS_OK && (end = strchr(at, '\n')) != NULL; at = end + 1) {
        json_t *priced = json_loadb(at, (size_t)(end - at), 0, NULL);
        s->lines += priced != NULL;
        if (priced != NULL)
            status = give_price(x, s, priced);
        json_decref(priced);
    }
    s->told += (size_t)(at - text);
    if (begun && status == FS_OK)
        status = group(x, false);
    fs_arena_free(arena);
    return status;
}

static fs_status end_of_price(fs_executor *x, fs_executor_slot *s) {
    for (size_t i = 0; i < s->job.count; i++)
        if (x->work[s->job.items[i]].state == UNDER_WAY)
            x->work[s->job.items[i]].state = OPEN;
    if (s->lines < s->job.count)
        strike(x, s->job.activity);
    return FS_OK;
}

static fs_status end_of_memory(fs_executor *x, fs_executor_slot *s) {
    for (size_t i = 0; i < s->job.count; i++) {
        const size_t item = s->job.items[i];
        if (x->work[item].state != UNDER_WAY)
            continue;
        if (x->work[item].alone) {
            char words[160];
            snprintf(words, sizeof words, "the run needs more memory than the limit of %.0f MiB (--memory)",
                     (double)x->options->memory / 1048576.0);
            if (give_failure(x, item, s->job.layer, words))
                return x->err->status;
            continue;
        }
        x->work[item].state = OPEN;
        x->work[item].plain = x->work[item].alone = true;
    }
    x->stale = true;
    return FS_OK;
}

fs_status fs_executor_take_end(fs_executor *x, fs_executor_slot *s, fs_process_end end) {
    fs_arena *arena = fs_arena_create();
    const char *words = fs_file_text(arena, s->process.err, MOST_SAID);
    if (end.signal != 0 && !s->over)
        words = fs_arena_append(arena, words, "\n", "the run was ended by signal %d", end.signal);
    fs_status status = s->job.together ? fs_executor_take_prices(x, s) : FS_OK;
    if (status == FS_OK)
        status = s->over           ? end_of_memory(x, s)
                 : s->job.together ? end_of_price(x, s)
                                   : end_of_run(x, s, end.status == 0, words);
    fs_arena_free(arena);
    fs_process_close(&s->process);
    return status;
}

fs_status fs_executor_take_leftovers(fs_executor *x) {
    for (size_t i = 0; i < x->count; i++) {
        fs_arena *arena = fs_arena_create();
        json_t *result = fs_sweep_harvest(arena, x->options->folder, &x->items[i], FS_LAYER_RUN);
        fs_arena_free(arena);
        if (result != NULL && give(x, i, FS_LAYER_RUN, result))
            return x->err->status;
    }
    return FS_OK;
}
