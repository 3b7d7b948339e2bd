/* Prices by the thousand: the loop over points that every workload's prices share. */
#include "sim/base/alloc.h"
#include "sim/host/signals.h"
#include "sim/workload/recorded.h"
#include "sim/workload/workload.h"

#include <stdlib.h>

typedef struct pricing {
    const fs_workload_prices *prices;
    fs_recording *recording;
    fs_file_memo files;
    void *ground;
} pricing;

static fs_status price_point(pricing *p, const fs_config *config, json_t *summary, fs_error *err) {
    return fs_recorded_match(p->recording, config, &p->files, err)
               ? err->status
               : p->prices->point(p->ground, p->recording, config, summary, err);
}

static fs_status price_all(pricing *p, const fs_config *const *configs, size_t count,
                           const fs_priced_result *result, fs_error *err) {
    for (size_t i = 0; i < count; i++) {
        fs_error why = {.status = FS_OK};
        json_t *summary = json_object();
        const bool priced = price_point(p, configs[i], summary, &why) == FS_OK;
        result->take(result->self, i, priced ? summary : NULL, priced ? NULL : &why);
        json_decref(summary);
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted after %zu of %zu points", i + 1, count);
    }
    return FS_OK;
}

fs_status fs_workload_price(const fs_workload *workload, const fs_config *const *configs, size_t count,
                            const char *activity_file, const fs_priced_result *result, fs_error *err) {
    pricing *p = fs_calloc(1, sizeof *p);
    p->prices = workload->prices;
    p->recording = fs_recording_open(activity_file, err);
    fs_status status =
        p->recording == NULL ? err->status : fs_recorded_expect(p->recording, FS_RECORDING_ACTIVITY, err);
    if (status == FS_OK) {
        p->ground = fs_calloc(1, p->prices->size);
        status = price_all(p, configs, count, result, err);
        p->prices->close(p->ground);
    }
    free(p->ground);
    fs_recording_close(p->recording);
    free(p);
    return status;
}
