/* foamsim price: prices several experiments of one traffic from an activity recording; a sweep's own command.
 * One line of JSON for each: a result as fs_store_finish takes it. */
#include "sim/base/digest.h"
#include "sim/base/host.h"
#include "sim/base/progress.h"
#include "sim/cli/cli.h"
#include "sim/sweep/commands.h"
#include "sim/sweep/private.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const fs_workload *workload_of(const char *kind) {
    const fs_workload *const *w = fs_registry_workloads;
    FS_ASSERT(kind != NULL, "a configuration without a kind of workload");
    while (*w != NULL && strcmp((*w)->kind, kind) != 0)
        w++;
    return *w;
}

bool fs_sweep_can_record(const char *kind) {
    const fs_workload *workload = workload_of(kind);
    return workload != NULL && workload->records;
}

bool fs_sweep_can_price(const char *kind) {
    const fs_workload *workload = workload_of(kind);
    return workload != NULL && workload->price != NULL;
}

/* ---- one process ---- */

typedef struct pricing {
    char **paths;  /* FOLDER/KEY.yaml */
    double before; /* host seconds, at the last result */
} pricing;

/* The key is the file's name: what was asked for under that name is what is answered. */
static const char *key_of(const char *path, char key[FS_DIGEST_HEX]) {
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    snprintf(key, FS_DIGEST_HEX, "%.*s", (int)strcspn(name, "."), name);
    return key;
}

static void print_result(void *self, size_t point, const json_t *summary, const fs_error *err) {
    pricing *p = self;
    char key[FS_DIGEST_HEX];
    const double now = fs_host_wall_seconds();
    json_t *host = fs_sweep_host(now - p->before, (double)fs_host_peak_rss_bytes());
    json_t *result = json_pack("{s:s, s:s, s:s, s:o}", "key", key_of(p->paths[point], key), "status",
                               summary == NULL ? "failed" : "done", "layer", "price", "host", host);
    FS_ASSERT(result != NULL, "the host has no memory left");
    json_object_set_new(result, "error", json_string(summary == NULL && err != NULL ? err->text : ""));
    if (summary != NULL)
        json_object_set_new(result, "summary", json_deep_copy(summary));
    char *text = json_dumps(result, JSON_COMPACT);
    FS_ASSERT(text != NULL, "the host has no memory left");
    printf("%s\n", text);
    free(text);
    json_decref(result);
    p->before = now;
}

static fs_status price(const char *recording, char **paths, size_t count, fs_arena *arena, fs_error *err) {
    const fs_config **configs = FS_NEW(arena, const fs_config *, count);
    const char *kind = NULL;
    for (size_t i = 0; i < count; i++) {
        configs[i] = fs_config_load(arena, paths[i], fs_registry_sections, fs_registry_section_count, NULL, 0,
                                    fs_configs_dir(), err);
        if (configs[i] == NULL)
            return err->status;
        const char *other = fs_config_kind(configs[i], "workload");
        if (kind != NULL && strcmp(kind, other) != 0)
            return fs_fail(err, FS_INPUT, "price: expected one workload, found %s and %s", kind, other);
        kind = other;
    }
    if (!fs_sweep_can_price(kind))
        return fs_fail(err, FS_INPUT, "price: the workload %s has no activity recordings", kind);
    pricing p = {.paths = paths, .before = fs_host_wall_seconds()};
    return workload_of(kind)->price(configs, count, recording, print_result, &p, err);
}

static fs_status run(int argc, char **argv, fs_error *err) {
    int args = 0;
    bool help = false;
    fs_status status = fs_options_parse(
        "price RECORDING EXPERIMENT.yaml...\n"
        "Prices experiments that differ from a recorded run in prices only (clock, costs, exchange,\n"
        "sync, host), from its activity recording: foamsim run --record-activity. Prints a line of\n"
        "JSON for each, named after its file; foamsim sweep does this by itself.",
        NULL, 0, argc, argv, 2, -1, &args, &help, err);
    if (status || help)
        return status;
    fs_say_quiet(true);
    omp_set_num_threads(1);
    fs_arena *arena = fs_arena_create();
    status = price(argv[0], argv + 1, (size_t)args - 1, arena, err);
    fs_arena_free(arena);
    return status;
}

const fs_command fs_command_price = {"price", "price experiments from an activity recording", run};
