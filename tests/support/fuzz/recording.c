/* Recordings: the bytes of the container, and numbers behind right checksums.
 *
 * What is changed is a recording of a small run that this process makes first, so that its key and model
 * version are right for good. A change takes 16 bytes of the data: a section, what is done, where, a number.
 */
#include "registry/registry.h"
#include "sim/config/config.h"
#include "sim/results/results.h"
#include "sim/workload/host_options.h"
#include "sim/workload/workload.h"
#include "tests/support/foam/small_foam.h"
#include "tests/support/fuzz/targets.h"
#include "tests/support/hostile/repack.h"
#include "workloads/smallpaint/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGE = 16, MOST_CHANGES = 8, MOST_BYTES = 1 << 20 };

/* A workload's configuration, and the recordings of its run. */
typedef struct recorded {
    const fs_workload *workload;
    const fs_config *config;
    repack itinerary, activity;
} recorded;

static recorded foam, engine, paint;
static fs_error err;

static void must(bool well) {
    if (!well) {
        fprintf(stderr, "no recording to begin with: %s\n", err.text);
        abort();
    }
}

static fs_status run(const recorded *of, const fs_host_options *host) {
    static char line[1024];
    err = (fs_error){0};
    fs_results *results = fs_results_open(fuzz_path("run"), true, &err);
    if (results == NULL)
        return err.status;
    fs_status status = fs_workload_run(of->workload, of->config, host, results, line, &err);
    fs_results_discard(results);
    return status;
}

/* Runs the experiment once, with one recording or both. */
static void record(recorded *to, const char *workload, const char *text, bool both) {
    char itinerary[8192], active[8192];
    to->config =
        fs_config_load(fs_arena_create(), fuzz_file("x.yaml", text, strlen(text)), fs_registry_sections,
                       fs_registry_all.section_count, NULL, 0, fs_configs_dir(), &err);
    must(to->config != NULL);
    to->workload = fs_workload_find(&fs_registry_all, workload);
    snprintf(itinerary, sizeof itinerary, "%s", fuzz_path("rays"));
    snprintf(active, sizeof active, "%s", fuzz_path("activity"));
    must(run(to, &(fs_host_options){
                     .threads = 1, .record = itinerary, .record_activity = both ? active : NULL}) == FS_OK);
    must(repack_open(&to->itinerary, itinerary, &err) == 0);
    must(!both || repack_open(&to->activity, active, &err) == 0);
}

static void begin(void) {
    if (foam.config != NULL)
        return;
    static char text[16384];
    fs_foam scene;
    must(fs_test_foam(200, 7, &scene) == FS_OK);
    snprintf(text, sizeof text, "%s", fuzz_path("scene.ply"));
    must(fs_foam_write_ply(text, &scene, &err) == FS_OK);
    fs_foam_free(&scene);
    snprintf(text, sizeof text,
             "machine: { base: gc200-small, exchange: { mode: dynamic } }\n"
             "overlay: { kind: quadtree }\nscene: { file: \"%s\" }\n"
             "run: { max_iterations: 2000, statistics: full }\n"
             "workload:\n  kind: foam\n  partition: { kind: kd, shards: 16 }\n"
             "  camera: { position: [2.1, -2.9, 1.7], look_at: [0, 0, 0], width: 12, height: 8 }\n",
             fuzz_path("scene.ply"));
    record(&foam, "foam", text, true);
}

/* Makes one change; what it makes of a section's size is bounded. */
static void change(repack *r, const uint8_t *how) {
    repack_section *s = &r->section[how[0] % r->sections];
    const size_t size = (size_t)1 << (how[1] & 3);
    uint32_t at;
    uint64_t number;
    memcpy(&at, how + 4, sizeof at);
    memcpy(&number, how + 8, sizeof number);
    if (how[2] % 8 == 0) {
        repack_resize(s, number % MOST_BYTES);
    } else if (s->bytes >= size) {
        char *to = (char *)s->data + at % (s->bytes / size) * size;
        uint64_t was = 0;
        memcpy(&was, to, size);
        number = how[2] % 8 < 4 ? was + number : number;
        memcpy(to, &number, size);
    }
}

static void copy(repack *to, const repack *from) {
    *to = *from;
    for (size_t s = 0; s < from->sections; s++) {
        to->section[s].data = malloc(from->section[s].bytes + 1);
        if (to->section[s].data == NULL)
            abort();
        memcpy(to->section[s].data, from->section[s].data, from->section[s].bytes);
    }
}

void fuzz_change(const repack *from, const char *path, const uint8_t *data, size_t size) {
    repack r;
    copy(&r, from);
    for (size_t c = 0; c < MOST_CHANGES && (c + 1) * CHANGE <= size; c++)
        change(&r, data + c * CHANGE);
    err = (fs_error){.status = FS_OK};
    must(repack_write(&r, path, &err) == 0);
    for (size_t s = 0; s < r.sections; s++)
        free(r.section[s].data);
}

void fuzz_rays(const uint8_t *data, size_t size) {
    begin();
    char path[8192];
    snprintf(path, sizeof path, "%s", fuzz_path("changed"));
    fuzz_change(&foam.itinerary, path, data, size);
    fuzz_check(run(&foam, &(fs_host_options){.threads = 1, .replay = path}), &err);
}

static void priced(void *self, size_t point, const json_t *summary, const fs_error *why) {
    (void)self;
    (void)point;
    if ((summary == NULL) == (why == NULL))
        abort();
}

void fuzz_activity(const uint8_t *data, size_t size) {
    begin();
    char path[8192];
    snprintf(path, sizeof path, "%s", fuzz_path("changed"));
    fuzz_change(&foam.activity, path, data, size);
    fuzz_check(fs_workload_price(&foam.config, 1, path, &(fs_priced_result){priced, NULL}, &err), &err);
    fuzz_check(run(&foam, &(fs_host_options){.threads = 1, .replay = path}), &err);
}

/* The requests of a hierarchy's rays, a picture with them. */
void fuzz_requests(const uint8_t *data, size_t size) {
    if (engine.config == NULL)
        record(&engine, "hierarchy",
               "machine: { base: virtex5, traversal: { queue: 3 } }\n"
               "scene: { kind: mesh, soup: { triangles: 60, seed: 3 },\n"
               "         camera: { position: [0.5, 0.5, 3], look_at: [0.5, 0.5, 0] } }\n"
               "workload: { kind: hierarchy, source: camera, camera: { width: 9, height: 7 } }\n"
               "run: { detail: phase, statistics: basic }\n",
               false);
    char path[8192];
    snprintf(path, sizeof path, "%s", fuzz_path("changed"));
    fuzz_change(&engine.itinerary, path, data, size);
    fuzz_check(run(&engine, &(fs_host_options){.threads = 1, .replay = path}), &err);
}

/* What the drawn samples of a path tracer on Poplar did; recorded without the device, of which a process has
 * one. */
static void begin_paint(void) {
    static const char text[] =
        "machine: gc200-small\nscene: { kind: primitives, builtin: room }\n"
        "workload: { kind: smallpaint, image: { width: 24, height: 16 }, tile: { width: 8, height: 8 },\n"
        "  samples: 4, samples_per_step: 2 }\n"
        "run: { detail: phase, statistics: basic }\n";
    fs_arena *arena = fs_arena_create();
    fs_paint_activity activity;
    err = (fs_error){0};
    paint.config = fs_config_load(arena, fuzz_file("x.yaml", text, strlen(text)), fs_registry_sections,
                                  fs_registry_all.section_count, NULL, 0, fs_configs_dir(), &err);
    must(paint.config != NULL);
    paint.workload = fs_workload_find(&fs_registry_all, "smallpaint");
    fs_smallpaint_run r = {.of.run = {.arena = arena, .config = paint.config}};
    fs_smallpaint_begin(&r);
    must(fs_primitives_load(fs_config_section(paint.config, "scene"), arena, &r.scene, &err) == FS_OK);
    fs_paint_activity_create(&activity, r.params, r.of.machine, (uint64_t)r.of.run.how->seed);
    must(fs_paint_activity_trace(&activity, r.params, &r.scene, (uint64_t)r.of.run.how->seed, &err) == FS_OK);
    must(fs_smallpaint_record(fuzz_path("paint"), paint.config, &activity, &err) == FS_OK);
    must(repack_open(&paint.activity, fuzz_path("paint"), &err) == 0);
    fs_paint_activity_free(&activity);
}

void fuzz_paint(const uint8_t *data, size_t size) {
    if (paint.config == NULL)
        begin_paint();
    char path[8192];
    snprintf(path, sizeof path, "%s", fuzz_path("changed"));
    fuzz_change(&paint.activity, path, data, size);
    err = (fs_error){0};
    fuzz_check(fs_workload_price(&paint.config, 1, path, &(fs_priced_result){priced, NULL}, &err), &err);
}

void fuzz_container(const uint8_t *data, size_t size) {
    err = (fs_error){0};
    fs_recording *r = fs_recording_open(fuzz_file("r", data, size), &err);
    fuzz_check(err.status, &err);
    fs_recording_close(r);
}
