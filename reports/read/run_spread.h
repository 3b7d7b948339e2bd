/* How values spread: counts of whole numbers, mean, and percentiles by nearest rank. */
#ifndef FOAMSIM_REPORTS_READ_RUN_SPREAD_H
#define FOAMSIM_REPORTS_READ_RUN_SPREAD_H

#include "reports/read/run_fill.h"

typedef struct fs_value_spread {
    uint64_t count, tallest;                /* values that are there; of the value that occurs most */
    double mean, some, full;                /* shares: above 0; 100 or more (of values in per cent) */
    int64_t least, most, median, late, cut; /* late: 99.9th percentile, of counts 99th; cut: 99.5th */
} fs_value_spread;

/* Of values [count]; those below 0 are none. */
void fs_spread_take(fs_value_spread *out, const int64_t *value, size_t count);
/* Of counted values in rising order: many[i] times value[i]. */
void fs_spread_counted(fs_value_spread *out, const int64_t *value, const int64_t *many, size_t count);

/* Values in rising order with how often each occurs, of the arena. */
typedef struct fs_counted {
    int64_t *value, *many;
    size_t count;
} fs_counted;
/* Of a column of whole numbers, less those of `minus` [rows] (NULL: of nothing), those below 0 left out; or,
 * counted, of the rows name, value, count of a table of histograms whose name is the column. FS_INPUT. */
fs_status fs_spread_read(fs_arena *arena, const fs_csv *table, const char *column, const int64_t *minus,
                         bool counted, fs_counted *out, fs_error *err);

/* ".mean", ".most", ".some", ...: for fs_fill; false for another word, or when there is no value. */
bool fs_spread_know(const fs_value_spread *s, const char *word, fs_fill_value *out);

#endif
