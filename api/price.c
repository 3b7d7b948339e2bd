/* The library for C: prices of a recording, in this process. */
#include "api/private.h"
#include "sim/base/alloc.h"
#include "sim/workload/workload.h"

#include <omp.h>
#include <stdlib.h>

struct foamsim_recording {
    fs_pricing *pricing;
    foamsim_experiment **kept; /* [count]: priced, and looked at still */
    size_t count;
};

foamsim_recording *foamsim_open_recording(const char *file, foamsim_error *error) {
    FS_API_ENTER;
    fs_error *err = fs_calloc(1, sizeof *err);
    foamsim_recording *r = fs_calloc(1, sizeof *r);
    r->pricing = fs_pricing_open(file, err);
    fs_api_tell(err, error);
    free(err);
    if (r->pricing != NULL)
        return r;
    free(r);
    return NULL;
}

void foamsim_close_recording(foamsim_recording *recording) {
    if (recording == NULL)
        return;
    fs_pricing_close(recording->pricing);
    for (size_t i = 0; i < recording->count; i++)
        foamsim_forget(recording->kept[i]);
    free(recording->kept);
    free(recording);
}

/* The experiment beside those that the pricing still looks at; the others go. */
static void keep(foamsim_recording *r, const foamsim_experiment *priced) {
    foamsim_experiment *experiment = (foamsim_experiment *)priced; /* counted, and never changed */
    size_t left = 0;
    atomic_fetch_add(&experiment->uses, 1);
    r->kept = fs_grow(r->kept, r->count, sizeof *r->kept);
    r->kept[r->count++] = experiment;
    for (size_t i = 0; i < r->count; i++)
        if (fs_pricing_keeps(r->pricing, r->kept[i]->config))
            r->kept[left++] = r->kept[i];
        else
            foamsim_forget(r->kept[i]);
    r->count = left;
}

static foamsim_folder *priced(foamsim_recording *r, const foamsim_experiment *e, fs_error *err) {
    if (e->config == NULL)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: it needs plug-ins, which the program prices: foamsim price",
                            e->name);
    foamsim_folder *figures = NULL;
    json_t *summary = json_object();
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1); /* of this thread alone */
    if (fs_pricing_point(r->pricing, e->config, summary, NULL, err) == FS_OK)
        figures = fs_api_priced(summary, fs_workload_of(e->config)->stats);
    omp_set_num_threads(threads);
    json_decref(summary);
    keep(r, e);
    return figures;
}

foamsim_folder *foamsim_price(foamsim_recording *recording, const foamsim_experiment *experiment,
                              foamsim_error *error) {
    FS_API_ENTER;
    fs_error *err = fs_calloc(1, sizeof *err);
    foamsim_folder *figures = priced(recording, experiment, err);
    fs_api_tell(err, error);
    free(err);
    return figures;
}
