/* Writing, reading and pricing recordings of activity. */
#include "workloads/pathtrace/record.h"

#include "sim/config/key.h"
#include "sim/host/signals.h"
#include "sim/results/results.h"
#include "workloads/pathtrace/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- content ---- */

static uint64_t rows_of(const fs_pathtrace_layout *l, uint64_t drawn) {
    return drawn * l->render_tiles * l->workers;
}

static size_t bytes_of(const fs_pathtrace_layout *l, uint64_t drawn) {
    return (size_t)(l->batches * rows_of(l, drawn)) * FS_WALK_EVENTS * sizeof(uint16_t);
}

void fs_pathtrace_activity_create(fs_pathtrace_activity *activity, const fs_pathtrace_layout *layout,
                                  const fs_pathtrace_params *params) {
    *activity = (fs_pathtrace_activity){.wide = false};
    activity->count = fs_malloc(bytes_of(layout, (uint64_t)params->drawn));
}

void fs_pathtrace_activity_free(fs_pathtrace_activity *activity) {
    free(activity->count);
    activity->count = NULL;
}

void fs_pathtrace_activity_keep(fs_pathtrace_activity *activity, const fs_pathtrace_layout *layout,
                                uint64_t drawn, uint64_t batch, fs_pathtrace_row *rows) {
    const uint64_t count = rows_of(layout, drawn);
    uint16_t *to = activity->count + batch * count * FS_WALK_EVENTS;
    for (uint64_t i = 0; i < count; i++)
        for (int e = 0; e < FS_WALK_EVENTS; e++) {
            activity->wide = activity->wide || rows[i][e] > UINT16_MAX;
            *to++ = (uint16_t)rows[i][e];
        }
}

void fs_pathtrace_activity_rows(const fs_pathtrace_activity *activity, const fs_pathtrace_layout *layout,
                                uint64_t drawn, uint64_t batch, fs_pathtrace_row *rows) {
    const uint64_t count = rows_of(layout, drawn);
    const uint16_t *from = activity->count + batch * count * FS_WALK_EVENTS;
    for (uint64_t i = 0; i < count; i++)
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            rows[i][e] = *from++;
}

/* ---- files ---- */

static const char *digest_of(void *self, const char *path) {
    fs_error ignored = {0}; /* whoever needs the file has said that it can't be read */
    return fs_digest_file(path, self, &ignored) ? NULL : self;
}

/* The text is the caller's to free. */
static char *key_of(const fs_config *config, char key[FS_DIGEST_HEX]) {
    char *text = NULL, hex[FS_DIGEST_HEX];
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    FS_ASSERT(memory != NULL, "the host has no memory left");
    fs_config_write_key(config, FS_TOUCHES_TRAFFIC, digest_of, hex, memory);
    FS_ASSERT(fclose(memory) == 0, "the host has no memory left");
    fs_digest_memory(text, size, key);
    return text;
}

fs_status fs_pathtrace_record(const char *path, const fs_config *config, const fs_pathtrace_setup *setup,
                              const fs_pathtrace_activity *activity, fs_error *err) {
    if (activity->wide)
        return fs_fail(err, FS_INPUT,
                       "%s: a worker counts more than %d of an event in a sample, which a recording does not "
                       "hold: fewer rays a worker do",
                       path, UINT16_MAX);
    char key[FS_DIGEST_HEX], *text = key_of(config, key);
    fs_recording_writer *w = fs_recording_create(path, FS_RECORDING_ACTIVITY, key, text, err);
    free(text);
    if (w == NULL)
        return err->status;
    if (fs_recording_add(w, "scene", &setup->scene, sizeof setup->scene, err) == FS_OK &&
        fs_recording_add(w, "paths", &activity->paths, sizeof activity->paths, err) == FS_OK &&
        fs_recording_add(w, "counts", activity->count,
                         bytes_of(&setup->layout, (uint64_t)setup->params->drawn), err) == FS_OK)
        return fs_recording_commit(w, err);
    fs_recording_discard(w);
    return err->status;
}

static fs_status match(const fs_recording *rec, const fs_config *config, fs_error *err) {
    char key[FS_DIGEST_HEX], *text = key_of(config, key);
    const fs_status status = fs_recording_match(rec, key, text, err);
    free(text);
    return status;
}

/* Checksums are right, but whose numbers are they? What the workers did is what the paths did. */
static fs_status check(const fs_recording *rec, const fs_pathtrace_activity *a, const fs_pathtrace_layout *l,
                       uint64_t drawn, fs_error *err) {
    uint64_t sum[FS_WALK_EVENTS] = {0};
    const uint64_t count = l->batches * rows_of(l, drawn);
    for (uint64_t i = 0; i < count; i++)
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            sum[e] += a->count[i * FS_WALK_EVENTS + (uint64_t)e];
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        if (sum[e] != a->paths.event[e])
            return fs_recording_damaged(rec, err, "workers have %" PRIu64 " of event %d, paths %" PRIu64,
                                        sum[e], e, a->paths.event[e]);
    if (a->paths.count != l->pixels * drawn || a->scene.nodes == 0 || a->scene.nodes > UINT32_MAX ||
        a->scene.triangles > UINT32_MAX || a->scene.vertices > UINT32_MAX || a->scene.spheres > UINT32_MAX ||
        a->scene.discs > UINT32_MAX || a->scene.materials > UINT32_MAX || a->scene.node_bytes > 4096)
        return fs_recording_damaged(rec, err, "its scene has %" PRIu64 " nodes, and %" PRIu64 " paths",
                                    a->scene.nodes, a->paths.count);
    return FS_OK;
}

static fs_status read_all(const fs_recording *rec, const fs_config *config, fs_pathtrace_activity *activity,
                          fs_error *err) {
    if (match(rec, config, err))
        return err->status;
    const fs_pathtrace_params *params = fs_config_section(config, "workload");
    const fs_pathtrace_layout l = fs_pathtrace_layout_of(params, fs_config_section(config, "machine"));
    const size_t bytes = bytes_of(&l, (uint64_t)params->drawn);
    if (fs_recording_expect(rec, "counts", bytes, err))
        return err->status;
    fs_pathtrace_activity_create(activity, &l, params);
    if (fs_recording_read(rec, "scene", &activity->scene, sizeof activity->scene, err) ||
        fs_recording_read(rec, "paths", &activity->paths, sizeof activity->paths, err) ||
        fs_recording_read(rec, "counts", activity->count, bytes, err) ||
        check(rec, activity, &l, (uint64_t)params->drawn, err)) {
        fs_pathtrace_activity_free(activity);
        return err->status;
    }
    return FS_OK;
}

static fs_recording *open_activity(const char *path, fs_error *err) {
    fs_recording *rec = fs_recording_open(path, err);
    if (rec == NULL || fs_recording_layer_of(rec) == FS_RECORDING_ACTIVITY)
        return rec;
    fs_fail(err, FS_INPUT, "%s: expected an activity recording, found an %s recording", path,
            fs_recording_layer_name(fs_recording_layer_of(rec)));
    fs_recording_close(rec);
    return NULL;
}

fs_status fs_pathtrace_recorded(const char *path, const fs_config *config, fs_pathtrace_activity *activity,
                                fs_error *err) {
    fs_recording *rec = open_activity(path, err);
    if (rec == NULL)
        return err->status;
    const fs_status status = read_all(rec, config, activity, err);
    fs_recording_close(rec);
    return status;
}

/* ---- prices ---- */

static void price_batch(const fs_pathtrace_setup *s, const fs_pathtrace_activity *a, uint64_t batch,
                        uint64_t *slots) {
    const uint64_t count = rows_of(&s->layout, (uint64_t)s->params->drawn);
    const uint16_t *from = a->count + batch * count * FS_WALK_EVENTS;
    const uint32_t *price = s->fixed.walk.slots;
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (uint64_t e = 0; e < FS_WALK_EVENTS; e++)
            sum += (uint64_t)from[i * FS_WALK_EVENTS + e] * price[e];
        slots[i] = sum;
    }
}

static fs_status price_point(const fs_recording *rec, const fs_config *config, const fs_pathtrace_activity *a,
                             json_t *summary, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_pathtrace_setup s;
    fs_status status = match(rec, config, err);
    const fs_pathtrace_params *p = fs_config_section(config, "workload");
    if (status == FS_OK && p->sharing == FS_PATHTRACE_QUEUE)
        status = fs_fail(err, FS_INPUT,
                         "%s: a queue's order depends on prices, so it is run and not priced; expected fixed",
                         fs_config_where(config, "workload", "sharing"));
    if (status == FS_OK)
        status = fs_pathtrace_setup_make(&s, config, &a->scene, arena, err);
    if (status == FS_OK) {
        fs_pathtrace_batch *batch = FS_NEW(arena, fs_pathtrace_batch, s.layout.batches);
        uint64_t *slots = fs_calloc(rows_of(&s.layout, (uint64_t)p->drawn), sizeof *slots);
        for (uint64_t b = 0; b < s.layout.batches; b++) {
            price_batch(&s, a, b, slots);
            fs_pathtrace_batch_of(&s.fixed, slots, arena, &batch[b]);
        }
        free(slots);
        const fs_pathtrace_frame frame =
            fs_pathtrace_frame_of(&s.fixed, &s.layout, batch, (fs_pathtrace_free){.balance = false});
        const fs_pathtrace_figures f = fs_pathtrace_figures_of(&s, batch, &frame, &a->paths);
        fs_results_stats_json(&fs_pathtrace_stats, &f, summary);
    }
    fs_arena_free(arena);
    return status;
}

fs_status fs_pathtrace_price(const fs_config *const *configs, size_t count, const char *activity_file,
                             void (*result)(void *self, size_t point, const json_t *summary,
                                            const fs_error *err),
                             void *self, fs_error *err) {
    fs_recording *rec = open_activity(activity_file, err);
    if (rec == NULL)
        return err->status;
    fs_pathtrace_activity activity = {.count = NULL};
    fs_status status = FS_OK;
    for (size_t i = 0; i < count && status == FS_OK; i++) {
        fs_error why = {0};
        json_t *summary = json_object();
        if ((activity.count == NULL && read_all(rec, configs[i], &activity, &why)) ||
            price_point(rec, configs[i], &activity, summary, &why))
            result(self, i, NULL, &why);
        else
            result(self, i, summary, NULL);
        json_decref(summary);
        if (fs_interrupted())
            status = fs_fail(err, FS_RUN, "interrupted after %zu of %zu points", i + 1, count);
    }
    fs_pathtrace_activity_free(&activity);
    fs_recording_close(rec);
    return status;
}
