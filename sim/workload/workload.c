/* The workloads of the registry, by kind. */
#include "sim/workload/workload.h"

#include <math.h>
#include <string.h>

const char *const fs_layer_words[] = {
    [FS_LAYER_RUN] = "run", [FS_LAYER_REPLAY] = "replay", [FS_LAYER_PRICE] = "price", [FS_LAYERS] = NULL};

const fs_workload *fs_workload_find(const char *kind) {
    for (const fs_workload *const *w = fs_registry_workloads; *w != NULL; w++)
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

void fs_workload_expect(const fs_workload *workload, const fs_point *point, double seconds[FS_LAYERS]) {
    static const double usual = 0.2; /* a process and a short run */
    for (int layer = 0; layer < FS_LAYERS; layer++)
        seconds[layer] = (double)NAN;
    seconds[FS_LAYER_RUN] = usual;
    if (workload != NULL && workload->expect != NULL)
        workload->expect(point, seconds);
}
