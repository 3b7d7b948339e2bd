/* foamsim price: prices several experiments of one traffic from an activity recording; a sweep's own command.
 * One line of JSON for each: a result as fs_store_finish takes it. */
#include "sim/base/alloc.h"
#include "sim/base/digest.h"
#include "sim/base/host.h"
#include "sim/cli/cli.h"
#include "sim/cli/options.h"
#include "sim/host/voice.h"
#include "sim/sweep/sweep.h"
#include "sim/workload/workload.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one process ---- */

typedef struct pricing {
    const fs_registry *registry;
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
    if (result == NULL)
        fs_no_memory();
    json_object_set_new(result, "error", json_string(summary == NULL && err != NULL ? err->text : ""));
    if (summary != NULL)
        json_object_set_new(result, "summary", json_deep_copy(summary));
    char *text = json_dumps(result, JSON_COMPACT);
    if (text == NULL)
        fs_no_memory();
    printf("%s\n", text);
    fflush(stdout); /* whoever listens has it, whatever becomes of the next one */
    free(text);
    json_decref(result);
    p->before = now;
}

/* Those of the files that hold; what is wrong with another is its result. */
static size_t load_all(pricing *p, char **paths, size_t count, fs_arena *arena, const fs_config **configs) {
    size_t loaded = 0;
    for (size_t i = 0; i < count; i++) {
        fs_error why = {.status = FS_OK};
        p->paths[loaded] = paths[i];
        configs[loaded] = fs_experiment_load(p->registry, arena, paths[i], NULL, 0, &why);
        if (configs[loaded] != NULL)
            loaded++;
        else
            print_result(p, loaded, NULL, &why);
    }
    return loaded;
}

static fs_status price(const fs_registry *registry, const char *recording, char **paths, size_t count,
                       fs_arena *arena, fs_error *err) {
    const fs_config **configs = FS_NEW(arena, const fs_config *, count);
    pricing p = {
        .registry = registry, .paths = FS_NEW(arena, char *, count), .before = fs_host_wall_seconds()};
    const size_t loaded = load_all(&p, paths, count, arena, configs);
    if (loaded == 0)
        return FS_OK;
    const fs_workload *workload = fs_workload_of(configs[0]);
    for (size_t i = 1; i < loaded; i++)
        if (fs_workload_of(configs[i]) != workload)
            return fs_fail(err, FS_INPUT, "price: expected one workload, found %s and %s", workload->kind,
                           fs_workload_of(configs[i])->kind);
    if (workload->prices == NULL)
        return fs_fail(err, FS_INPUT, "price: the workload %s has no activity recordings", workload->kind);
    return fs_workload_price(configs, loaded, recording, &(fs_priced_result){print_result, &p}, err);
}

static fs_status run(fs_command_line *call, fs_error *err) {
    if (!fs_options_parse(
            call,
            "price RECORDING EXPERIMENT.yaml...\n"
            "Prices experiments that differ from a recorded run in prices only (clock, costs, exchange,\n"
            "sync, host), from its activity recording: foamsim run --record-activity. Prints a line of\n"
            "JSON for each, named after its file; foamsim sweep does this by itself.",
            NULL, 0, 2, -1, err))
        return err->status;
    fs_say_quiet(true);
    omp_set_num_threads(1);
    return price(call->cli->registry, call->argv[0], call->argv + 1, (size_t)call->argc - 1, call->arena,
                 err);
}

const fs_command fs_command_price = {"price", "price experiments from an activity recording", run};
