/* Prices by the thousand: a recording that is opened once, and the loop over points that every workload's
 * prices share. */
#include "sim/base/alloc.h"
#include "sim/host/signals.h"
#include "sim/workload/recorded.h"
#include "sim/workload/workload.h"

#include <stdlib.h>

struct fs_pricing {
    fs_recording *recording;
    const fs_workload_prices *prices; /* of the first point that the recording matched; NULL: none yet */
    fs_file_memo files;
    void *ground;
};

fs_pricing *fs_pricing_open(const char *activity_file, fs_error *err) {
    fs_pricing *p = fs_calloc(1, sizeof *p);
    p->recording = fs_recording_open(activity_file, err);
    if (p->recording != NULL && fs_recorded_expect(p->recording, FS_RECORDING_ACTIVITY, err) == FS_OK)
        return p;
    fs_pricing_close(p);
    return NULL;
}

void fs_pricing_close(fs_pricing *pricing) {
    if (pricing == NULL)
        return;
    if (pricing->prices != NULL)
        pricing->prices->close(pricing->ground);
    free(pricing->ground);
    fs_recording_close(pricing->recording);
    free(pricing);
}

/* A recording is one workload's, so all points that it matches have the same prices. */
fs_status fs_pricing_point(fs_pricing *p, const fs_config *config, json_t *summary, const fs_price_view *view,
                           fs_error *err) {
    const fs_workload *workload = fs_workload_of(config);
    if (workload->prices == NULL)
        return fs_fail(err, FS_INPUT, "price: the workload %s has no activity recordings", workload->kind);
    if (fs_recorded_match(p->recording, config, &p->files, err))
        return err->status;
    if (p->prices == NULL) {
        p->prices = workload->prices;
        p->ground = fs_calloc(1, p->prices->size);
    }
    return p->prices->point(p->ground, p->recording, config, summary, view, err);
}

bool fs_pricing_fits(fs_pricing *p, const fs_config *config) {
    fs_error why = {.status = FS_OK};
    return fs_recorded_match(p->recording, config, &p->files, &why) == FS_OK;
}

bool fs_pricing_keeps(const fs_pricing *p, const fs_config *config) {
    return p->prices != NULL && (p->prices->keeps == NULL || p->prices->keeps(p->ground, config));
}

fs_status fs_workload_price(const fs_config *const *configs, size_t count, const char *activity_file,
                            const fs_priced_result *result, fs_error *err) {
    fs_pricing *p = fs_pricing_open(activity_file, err);
    for (size_t i = 0; p != NULL && i < count && err->status == FS_OK; i++) {
        fs_error why = {.status = FS_OK};
        json_t *summary = json_object();
        const bool priced = fs_pricing_point(p, configs[i], summary, NULL, &why) == FS_OK;
        result->take(result->self, i, priced ? summary : NULL, priced ? NULL : &why);
        json_decref(summary);
        if (fs_interrupted())
            fs_fail(err, FS_RUN, "interrupted after %zu of %zu points", i + 1, count);
    }
    fs_pricing_close(p);
    return err->status;
}
