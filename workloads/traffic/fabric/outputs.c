/* The tables of a fabric run, and what is said of it. */
#include "sim/base/arith.h"
#include "sim/results/row.h"
#include "workloads/traffic/fabric/run.h"

static const char *const link_columns[] = {"link",  "from",   "to",        "out",        "latency",
                                           "flits", "cycles", "no_credit", "no_channel", "lost",
                                           "x",     "y",      "to_x",      "to_y"};
static const char *const link_units[] = {"",       "",       "",       "", "cycles", "flits", "cycles",
                                         "cycles", "cycles", "cycles", "", "",       "",      ""};
enum { OF_A_PITCH = 100 }; /* places of routers are hundredths of the way to a neighbour */

/* links.csv: each link, then each way out to an end point (out 1, to that end point). */
static fs_status write_links(const fs_packets_run *r, fs_results *results, fs_error *err) {
    const fs_noc_graph *g = r->graph;
    fs_row_table t;
    if (fs_row_table_open(&t, results, "links.csv", link_columns, link_units, FS_COUNT(link_columns), err))
        return err->status;
    for (uint32_t l = 0; l < g->links + g->ends; l++) {
        const fs_noc_use *u = &r->flow->uses[l];
        const bool out = l >= g->links;
        const uint64_t values[] = {l,
                                   out ? g->end[l - g->links].router : g->link[l].from,
                                   out ? l - g->links : g->link[l].to,
                                   out,
                                   out ? g->end[l - g->links].latency : g->link[l].latency,
                                   u->flits,
                                   r->window,
                                   u->no_credit,
                                   u->no_channel,
                                   u->lost};
        fs_row_table_ints(&t, values, FS_COUNT(values));
        const fs_noc_place *from = &g->place[values[1]], *to = out ? from : &g->place[values[2]];
        const double ways[] = {from->x, from->y, to->x, to->y};
        for (size_t i = 0; i < FS_COUNT(ways); i++)
            fs_row_int(&t.row, (int64_t)(ways[i] * OF_A_PITCH));
        fs_row_end(&t.row);
    }
    return fs_row_table_close(&t, err);
}

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
    return write_links(r, results, err) || write_distributions(r, results, err) ? err->status : FS_OK;
}
