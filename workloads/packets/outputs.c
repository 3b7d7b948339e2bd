/* The tables of a fabric run, and what is said of it. */
#include "sim/results/row.h"
#include "workloads/packets/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_distributions(const void *run, fs_row_table *t) {
    const fs_packets_run *r = run;
    for (uint32_t b = 0; b < FS_LATENCY_BINS; b++)
        fs_distributions_put_bin(t, "latency", fs_latency_bin_begin(b), r->flow->latency.bin[b]);
    fs_distributions_put(t, "routers", r->flow->latency.hops.bin, FS_DIST_MAX);
}

static int by_load(const void *a, const void *b) {
    const fs_flow_probe *x = a, *y = b;
    return x->load < y->load ? -1 : x->load > y->load;
}

/* The curve that the search for the knee went along: a packet alone, then the loads that were tried; knee 1: the
 * greatest of them below it, at which the run is; none where the curve has no knee. */
static void put_curve(const void *run, fs_row_table *t) {
    const fs_packets_run *r = run;
    fs_flow_probe probe[FS_FLOW_MOST_PROBES + 1];
    memcpy(probe, r->knee->probe, r->knee->probes * sizeof *probe);
    size_t count = r->knee->probes;
    probe[count++] = (fs_flow_probe){0, 0, r->figures.alone};
    qsort(probe, count, sizeof *probe, by_load);
    for (size_t i = 0; i < count; i++)
        FS_ROW(t, probe[i].load, probe[i].accepted, probe[i].latency,
               r->knee->found && probe[i].load >= r->setup.load && probe[i].load <= r->setup.load);
}

/* What became of each node's packets. */
static void put_sources(const void *run, fs_row_table *t) {
    const fs_packets_run *r = run;
    for (uint32_t n = 0; n < r->graph->ends; n++) {
        const fs_flow_source *s = &r->flow->source[n];
        FS_ROW(t, n, r->graph->end[n].router, (double)s->offered / (double)r->window,
               (double)s->accepted / (double)r->window, s->measured, s->arrived,
               s->arrived == 0 ? (double)NAN : (double)s->latency / (double)s->arrived, s->longest);
    }
}

fs_status fs_packets_write(void *run, fs_results *results, fs_error *err) {
    static const fs_row_file distributions = {"distributions.csv", "name, value, count packets",
                                              put_distributions};
    static const fs_row_file curve = {
        "curve.csv", "load flits/cycle, accepted flits/cycle, latency cycles, knee", put_curve};
    static const fs_row_file sources = {"sources.csv",
                                        "node, router, offered flits/cycle, accepted flits/cycle, "
                                        "packets packets, arrived packets, latency cycles, longest cycles",
                                        put_sources};
    const fs_packets_run *r = run;
    return fs_links_tables_write(r->graph, &r->machine->noc, r->flow->uses, r->window, r->flow->film, results,
                                 err) ||
                   fs_row_files_write(&distributions, 1, r, results, err) ||
                   (r->knee != NULL && fs_row_files_write(&curve, 1, r, results, err)) ||
                   (r->flow->source != NULL && fs_row_files_write(&sources, 1, r, results, err))
               ? err->status
               : FS_OK;
}
