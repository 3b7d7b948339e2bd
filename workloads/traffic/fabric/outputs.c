/* The tables of a fabric run, and what is said of it. */
#include "sim/base/arith.h"
#include "sim/results/row.h"
#include "workloads/traffic/fabric/run.h"

static fs_status write_distributions(const fs_packets_run *r, fs_results *results, fs_error *err) {
    fs_row_table t;
    if (fs_distributions_open(&t, results, "packets", err))
        return err->status;
    for (uint32_t b = 0; b < FS_LATENCY_BINS; b++)
        fs_distributions_put_bin(&t, "latency", fs_latency_bin_begin(b), r->flow->latency.bin[b]);
    fs_distributions_put(&t, "routers", r->flow->latency.hops.bin, FS_DIST_MAX);
    return fs_row_table_close(&t, err);
}

fs_status fs_packets_write(void *run, fs_results *results, fs_error *err) {
    const fs_packets_run *r = run;
    return fs_links_tables_write(r->graph, &r->machine->noc, r->flow->uses, r->window, r->flow->film, results,
                                 err) ||
                   write_distributions(r, results, err)
               ? err->status
               : FS_OK;
}
