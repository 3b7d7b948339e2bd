/* Workloads by kind. */
#include "sim/workload/workload.h"

#include <math.h>
#include <string.h>

const char *const fs_layer_words[] = {
    [FS_LAYER_RUN] = "run", [FS_LAYER_REPLAY] = "replay", [FS_LAYER_PRICE] = "price", [FS_LAYERS] = NULL};

fs_config *fs_experiment_load(const fs_registry *registry, fs_arena *arena, const char *path,
                              const char *const *sets, size_t set_count, fs_error *err) {
    return fs_config_load(arena, path, registry->sections, registry->section_count, sets, set_count,
                          fs_configs_dir(), err);
}

const fs_workload *fs_workload_find(const fs_registry *registry, const char *kind) {
    for (const fs_workload *const *w = registry->workloads; *w != NULL; w++)
        if (strcmp((*w)->kind, kind) == 0) {
            FS_ASSERT((*w)->abi == FS_ABI, "workload %s was built for another foamsim", kind);
            return *w;
        }
    return NULL;
}

const fs_workload *fs_workload_of(const fs_config *config) {
    const fs_workload *workload = fs_config_descriptor(config, "workload");
    FS_ASSERT(workload != NULL, "the registry has a workload section but no workload of its kind");
    FS_ASSERT(workload->abi == FS_ABI, "workload %s was built for another foamsim", workload->kind);
    return workload;
}

fs_status fs_workload_check_host(const fs_workload *workload, const fs_host_options *host, fs_error *err) {
    const bool itineraries = workload->recorder[FS_LAYER_REPLAY] != NULL,
               activity = workload->recorder[FS_LAYER_PRICE] != NULL;
    if (host->trace != NULL && !workload->traces)
        return fs_fail(err, FS_INPUT, "--trace: the workload %s has no timeline", workload->kind);
    if (!itineraries && !activity &&
        (host->record != NULL || host->record_activity != NULL || host->replay != NULL))
        return fs_fail(err, FS_INPUT,
                       "--record, --record-activity, --replay: the workload %s has no recordings",
                       workload->kind);
    if (host->record != NULL && !itineraries)
        return fs_fail(err, FS_INPUT, "--record: the workload %s has no itinerary recordings",
                       workload->kind);
    if (host->record_activity != NULL && !activity)
        return fs_fail(err, FS_INPUT, "--record-activity: the workload %s has no activity recordings",
                       workload->kind);
    return FS_OK;
}

void fs_workload_expect(const fs_workload *workload, const fs_point *point, double seconds[FS_LAYERS]) {
    static const double usual = 0.2; /* a process and a short run */
    for (int layer = 0; layer < FS_LAYERS; layer++)
        seconds[layer] = (double)NAN;
    seconds[FS_LAYER_RUN] = usual;
    if (workload != NULL && workload->expect != NULL)
        workload->expect(point, seconds);
}
