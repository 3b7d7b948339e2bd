/* ladder.csv: what would be won if one part were free, rung by rung. */
#include "sim/results/ladder.h"

#include "sim/base/csv.h"

#include <inttypes.h>
#include <math.h>

void fs_ladder_energy(fs_rung *rungs, size_t count, double joules, double standing) {
    const double cycles = (double)rungs[0].cycles;
    for (size_t i = 0; i < count; i++)
        rungs[i].joules =
            cycles > 0 ? joules + standing * ((double)rungs[i].cycles - cycles) / cycles : (double)NAN;
}

fs_status fs_ladder_write(const fs_rung *rungs, size_t count, fs_results *results, fs_error *err) {
    static const char *const columns[] = {"rung",   "name", "cycles", "seconds", "gain_percent",
                                          "joules", "kind", "detail", "sets"};
    static const char *const units[] = {"", "", "cycles", "s", "%", "J", "", "", ""};
    FILE *file =
        fs_results_create(results, "ladder.csv", columns, units, sizeof columns / sizeof *columns, err);
    if (file == NULL)
        return err->status;
    for (size_t i = 0; i < count; i++) {
        const fs_rung *r = &rungs[i];
        if (r->name == NULL)
            continue;
        fprintf(file, "%zu,%s,%" PRIu64 ",%s,%s,%s,%s,", i, r->name, r->cycles, FS_REAL_WORD(r->seconds),
                FS_REAL_WORD(r->gain_percent), FS_REAL_WORD(r->joules), r->kind);
        fs_csv_field(r->detail == NULL ? "" : r->detail, file);
        fputc(',', file);
        fs_csv_field(r->sets == NULL ? "" : r->sets, file);
        fputc('\n', file);
    }
    return fs_results_close(results, file, err);
}
