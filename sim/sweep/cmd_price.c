/* foamsim price: prices several experiments from one activity recording; a sweep's own command. One line of
 * JSON for each: a result as fs_store_finish takes it. */
#include "sim/base/host.h"
#include "sim/config/paths.h"
#include "sim/sweep/commands.h"
#include "sim/sweep/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const fs_workload *workload_of(const char *kind) {
    const fs_workload *const *w = fs_registry_workloads;
    while (*w != NULL && strcmp((*w)->kind, kind) != 0)
        w++;
    return *w;
}

bool fs_sweep_can_record(const char *kind) {
    const fs_workload *workload = workload_of(kind);
    return workload != NULL && workload->records;
}

bool fs_sweep_can_price(const char *kind) {
    return workload_of(kind) == NULL;
}

static fs_status run(int argc, char **argv, fs_error *err) {
    (void)argc;
    (void)argv;
    return fs_fail(err, FS_INPUT, "price: there are no recordings");
}

const fs_command fs_command_price = {"price", "price experiments from an activity recording", run};
