/* Recordings of paths: numbers behind right checksums. Batches are dealt without the device, of which a
 * process has one. The first byte chooses the layer; the rest is as in recording.c. */
#include "registry/registry.h"
#include "sim/workload/workload.h"
#include "tests/support/fuzz/targets.h"
#include "tests/support/hostile/repack.h"
#include "workloads/pathtrace/pathtrace.h"
#include "workloads/pathtrace/run.h"

#include "sim/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const fs_config *config;
static repack recorded[2]; /* itinerary, activity */
static fs_error err;

static void must(bool well) {
    if (!well) {
        fprintf(stderr, "no recording to begin with: %s\n", err.text);
        abort();
    }
}

/* A run without its device: reads, deals and keeps. NULL: what is wrong is in err. */
static fs_pathtrace_run *deal(const fs_host_options *host) {
    err = (fs_error){0};
    fs_run *run = fs_run_begin(&fs_workload_pathtrace, config, host, &err);
    if (run == NULL)
        return NULL;
    fs_pathtrace_run *r = (fs_pathtrace_run *)run;
    const fs_pathtrace_layout *l = &r->setup.layout;
    const uint64_t n = (uint64_t)r->setup.params->drawn, rows = fs_pathtrace_rows_of(l, n);
    fs_walk_counts_create(&r->itinerary.counts, fs_pathtrace_rows_kept(FS_RECORDING_ITINERARY, l, n));
    fs_walk_counts_create(&r->activity.counts, fs_pathtrace_rows_kept(FS_RECORDING_ACTIVITY, l, n));
    r->tracer.kept = run->prices ? NULL : &r->itinerary.counts;
    r->rows = fs_calloc(rows, sizeof *r->rows);
    for (uint64_t b = 0; b < l->batches && !run->prices; b++) {
        memset(r->rows, 0, rows * sizeof *r->rows);
        fs_pathtrace_trace(&r->tracer, b, r->rows);
        if (run->replay == NULL)
            fs_walk_counts_keep(&r->activity.counts, b * rows, rows, r->rows);
    }
    free(r->rows);
    return r;
}

static void end(fs_pathtrace_run *r) {
    if (r != NULL)
        fs_run_close(&fs_workload_pathtrace, &r->chip.of.run);
}

static void begin(void) {
    static const char text[] =
        "machine: gc200-small\nscene: { kind: mesh, builtin: spheres }\n"
        "workload: { kind: pathtrace, width: 40, height: 24, samples: 2, rays_per_worker: 1,\n"
        "  sampling: { drawn: 2 } }\n"
        "run: { outputs: summary }\n";
    static const fs_recording_layer layer[2] = {FS_RECORDING_ITINERARY, FS_RECORDING_ACTIVITY};
    if (config != NULL)
        return;
    config = fs_config_load(fs_arena_create(), fuzz_file("x.yaml", text, strlen(text)), fs_registry_sections,
                            fs_registry_all.section_count, NULL, 0, fs_configs_dir(), &err);
    must(config != NULL);
    fs_pathtrace_run *r = deal(&(fs_host_options){.threads = 1});
    must(r != NULL);
    for (int i = 0; i < 2; i++) {
        fs_pathtrace_recorded all = {.scene = r->setup.scene,
                                     .paths = r->tracer.paths,
                                     .counts = i == 0 ? r->itinerary.counts : r->activity.counts};
        must(fs_pathtrace_record(fuzz_path("paths"), layer[i], config, &all, &err) == FS_OK);
        must(repack_open(&recorded[i], fuzz_path("paths"), &err) == 0);
    }
    end(r);
}

static void priced(void *self, size_t point, const json_t *summary, const fs_error *why) {
    (void)self, (void)point;
    if ((summary == NULL) == (why == NULL))
        abort();
}

void fuzz_paths(const uint8_t *data, size_t size) {
    begin();
    char path[8192];
    const size_t first = size > 0;
    const bool workers = first && data[0] % 2 == 1;
    snprintf(path, sizeof path, "%s", fuzz_path("changed"));
    fuzz_change(&recorded[workers], path, data + first, size - first);
    if (workers) {
        err = (fs_error){0};
        fuzz_check(fs_workload_price(&config, 1, path, &(fs_priced_result){priced, NULL}, &err), &err);
    }
    fs_pathtrace_run *r = deal(&(fs_host_options){.threads = 1, .replay = path});
    fuzz_check(err.status, &err);
    end(r);
}
