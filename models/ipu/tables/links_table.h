/* links.csv: what the links of a network did, for pictures and tables. */
#ifndef FOAMSIM_MODELS_IPU_TABLES_LINKS_TABLE_H
#define FOAMSIM_MODELS_IPU_TABLES_LINKS_TABLE_H

#include "models/noc/net.h"
#include "sim/results/results.h"

/* A row for each link, then one for each way out to an end point (out 1). uses: [links + ends] in so many cycles.
 * Places are hundredths of the distance to a neighbour. FS_IO. */
fs_status fs_links_table_write(const fs_noc_graph *graph, const fs_noc_use *uses, uint64_t cycles,
                               fs_results *results, fs_error *err);

#endif
