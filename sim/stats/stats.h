/* Statistics: every figure has a name, a unit, a description and a rule for merging, declared once in a
 * table.
 *
 * Components own plain structs of integers and reals that they count in; a table of fs_stat rows points into
 * the struct, exactly as parameter tables do. Collecting costs nothing: rows are read at the end of a run.
 */
#ifndef FOAMSIM_SIM_STATS_STATS_H
#define FOAMSIM_SIM_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum fs_stat_type { FS_STAT_U64, FS_STAT_REAL, FS_STAT_BOOL, FS_STAT_TEXT } fs_stat_type;
typedef enum fs_merge { FS_MERGE_SUM, FS_MERGE_MAX, FS_MERGE_MIN, FS_MERGE_MEAN, FS_MERGE_SAME } fs_merge;

typedef struct fs_stat {
    const char *name; /* dotted path in summary.json: "rays.generated" */
    const char *unit; /* "cycles", "rays", "B", "s", "dB", "" */
    const char *doc;  /* one line: what is counted, over what */
    fs_stat_type type;
    fs_merge merge; /* how two runs' values combine (view sets, threads) */
    size_t offset;  /* in the owner's struct: uint64_t, double, bool or const char * */
} fs_stat;

#define FS_STAT_MEMBER_(S, m, T) (offsetof(S, m) + 0 * sizeof(_Generic(&((S *)0)->m, T * : 1)))
#define FS_STAT_COUNT(n, S, m, un, mg, dc)                                                                   \
    { n, un, dc, FS_STAT_U64, mg, FS_STAT_MEMBER_(S, m, uint64_t) }
#define FS_STAT_VALUE(n, S, m, un, mg, dc)                                                                   \
    { n, un, dc, FS_STAT_REAL, mg, FS_STAT_MEMBER_(S, m, double) }
#define FS_STAT_FLAG(n, S, m, mg, dc)                                                                        \
    { n, "", dc, FS_STAT_BOOL, mg, FS_STAT_MEMBER_(S, m, bool) }
#define FS_STAT_WORD(n, S, m, dc)                                                                            \
    { n, "", dc, FS_STAT_TEXT, FS_MERGE_SAME, FS_STAT_MEMBER_(S, m, const char *) }

typedef struct fs_stat_table {
    const char *name; /* "device", "foam" */
    const fs_stat *rows;
    size_t count;
} fs_stat_table;

/* Reals that are not finite stand for "not applicable": they are written as null, and merging takes the other
 * value. */

/* The shortest decimal text that reads back as `value`, with '.' in every locale: "0.1", "3.0", "1e+30";
 * "null" when it is not finite. Returns out. */
enum { FS_REAL_TEXT = 32 };
const char *fs_real_text(double value, char out[FS_REAL_TEXT]);

/* Writes rows "name,unit,value,description" (no header line) in table order; reals as fs_real_text. */
void fs_stats_write_csv(const fs_stat_table *table, const void *values, FILE *out);
/* Adds `from` to `into` by each row's rule; `weight_into`/`weight_from` weigh means (e.g. number of frames).
 * Flags merge as 0 and 1: sum and max are "any", min is "all". FS_MERGE_SAME: different values are a defect.
 * Texts are always FS_MERGE_SAME. */
void fs_stats_merge(const fs_stat_table *table, void *into, double weight_into, const void *from,
                    double weight_from);
/* Reference for docs/statistics.md. */
void fs_stats_print_markdown(const fs_stat_table *table, FILE *out);

/* A distribution over small non-negative integers (hops, occupancy): exact counts up to FS_DIST_MAX - 1, the
 * rest in the last bin. */
enum { FS_DIST_MAX = 4096 };
typedef struct fs_dist {
    uint64_t bin[FS_DIST_MAX];
    uint64_t count, sum, max;
} fs_dist;
void fs_dist_add(fs_dist *d, uint64_t value);
void fs_dist_merge(fs_dist *into, const fs_dist *from);
double fs_dist_mean(const fs_dist *d);                         /* 0 when empty */
uint64_t fs_dist_percentile(const fs_dist *d, double percent); /* nearest rank; 0 when empty */

#endif
