#include "models/ipu/tables/links_table.h"

#include "sim/base/arith.h"
#include "sim/results/row.h"

static const char *const link_columns[] = {"link",  "from",   "to",        "out",        "latency",
                                           "flits", "cycles", "no_credit", "no_channel", "lost",
                                           "x",     "y",      "to_x",      "to_y"};
static const char *const link_units[] = {"",       "",       "",       "", "cycles", "flits", "cycles",
                                         "cycles", "cycles", "cycles", "", "",       "",      ""};
enum { OF_A_PITCH = 100 }; /* places are hundredths of the way to a neighbour */

fs_status fs_links_table_write(const fs_noc_graph *g, const fs_noc_use *uses, uint64_t cycles,
                               fs_results *results, fs_error *err) {
    fs_row_table t;
    if (fs_row_table_open(&t, results, "links.csv", link_columns, link_units, FS_COUNT(link_columns), err))
        return err->status;
    for (uint32_t l = 0; l < g->links + g->ends; l++) {
        const fs_noc_use *u = &uses[l];
        const bool out = l >= g->links;
        const uint64_t values[] = {l,
                                   fs_noc_begin_of(g, l),
                                   out ? l - g->links : g->link[l].to,
                                   out,
                                   out ? g->end[l - g->links].latency : g->link[l].latency,
                                   u->flits,
                                   cycles,
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
