/* Statistics: a figure knows itself. Its name, unit and description, which way is better, what it is called
 * in a table and where it stands there are declared once, in a row; everything that reads figures (stats.csv,
 * views, comparisons, sweeps, studies, stores, validation) reads that row.
 *
 * Components own plain structs of integers and reals that they count in; a table of fs_stat rows points into
 * the struct, exactly as parameter tables do. Collecting costs nothing: rows are read at the end of a run. A
 * table may be composed of others: the device, the memory and the workload each bring theirs.
 *
 *     typedef struct fs_lift_figures { uint64_t rides; double waiting; } fs_lift_figures;
 *     #define FS_ROWS_OF fs_lift_figures
 *     static const fs_stat rows[] = {
 *         FS_WHOLE("lift.rides", rides, "rides", "doors closed and opened again on another floor", FS_MORE),
 *         FS_VALUE("lift.waiting", waiting, "s", "from the button to the door", FS_LESS,
 *                  FS_AT(1, "time before the door"))};
 *     const fs_stat_table fs_lift_stats = FS_STAT_TABLE("lift", rows);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum fs_stat_type { FS_STAT_U64, FS_STAT_REAL, FS_STAT_BOOL, FS_STAT_TEXT } fs_stat_type;

typedef enum fs_better { FS_BETTER_NEITHER, FS_BETTER_LESS, FS_BETTER_MORE } fs_better;

/* How a number is to be read, and so how two of them differ: by per cent, by percentage points, in decibels,
 * or, of a label, not at all. */
typedef enum fs_says {
    FS_SAYS_QUANTITY, /* so much of the unit; of whole numbers a count of it */
    FS_SAYS_SHARE,    /* a part of a whole, 1 being all of it */
    FS_SAYS_DECIBEL,
    FS_SAYS_LABEL, /* names a thing, such as a tile by its number: has no mean and no direction */
} fs_says;

typedef struct fs_stat {
    const char *name; /* dotted path in summary.json: "rays.generated"; unique in a table */
    fs_stat_type type;
    size_t offset;    /* in the owner's struct: uint64_t, double, bool or const char * */
    const char *unit; /* "cycles", "rays", "B", "s", "dB"; NULL: none */
    const char *doc;  /* one line: what is counted, over what */
    fs_better better; /* of flags: whether true is; of FS_BETTER_NEITHER any change is worth a look */
    fs_says says;
    const char *label; /* short words for tables: "time on the device"; NULL: the name */
    /* Order in the main table, least first; 0: not in it. Below 100: what the workload is about, which stands
     * before the machine's figures; 100 to 199: those of the machine; from 200 on all others. The first of a
     * run's figures decides which of two runs is better, by less of it. */
    unsigned place;
    /* Of a real: the word for null where null stands for infinity ("never" for the time of a frame that is
     * not done, "exact" for the PSNR of equal pictures). NULL: null is "not applicable". */
    const char *null_is;
    /* A comparison's sentence where the figure differs, with "{new}" and "{old}" for its values: "A ray makes
     * {new} instead of {old} router visits." NULL: the tables are enough. */
    const char *changed;
    /* Of a figure that tells whether the answer is right: what is wrong where it is worse than `bound` (of
     * `better`: more than it, less than it; a flag: false), and what would mend it. A sentence without its
     * full stop, with "{value}" for the figure: "{value} were lost: larger lanes would keep them". Sweeps
     * take such points for infeasible unless they allow losses. NULL: the figure does not tell. */
    const char *wrong;
    double bound;
    /* Of a figure that rises steeply where a machine is full: the figure of the same run that says what it is with
     * nothing in the way, and how many times that is taken for the knee of the curve. NULL: it has no knee. */
    const char *alone;
    double knee;
    /* Of a share of a limit that a person sets: the figure that is held to it, in the same run, "area.mm2". What
     * is `wrong` then is the machine and not the answer. NULL: no such share. */
    const char *held;
    /* Of a number that may be an estimate: the figure of the same run that is half its 95 % interval, in % of it. A run
     * without that figure knows it exactly. NULL: it always does. */
    const char *interval;
} fs_stat;

/* The flag of every workload that its run did all that was asked of it. */
#define FS_STAT_COMPLETE "complete"

/* Rows. `...`: the further members, `.unit = "B", .doc = "..."`; at least one. */
#define FS_STAT_MEMBER_(S, m, T) (offsetof(S, m) + 0 * sizeof(_Generic(&((S *)0)->m, T * : 1)))
#define FS_STAT_COUNT(n, S, m, ...)                                                                          \
    { .name = n, .type = FS_STAT_U64, .offset = FS_STAT_MEMBER_(S, m, uint64_t), __VA_ARGS__ }
#define FS_STAT_VALUE(n, S, m, ...)                                                                          \
    { .name = n, .type = FS_STAT_REAL, .offset = FS_STAT_MEMBER_(S, m, double), __VA_ARGS__ }
#define FS_STAT_FLAG(n, S, m, ...)                                                                           \
    { .name = n, .type = FS_STAT_BOOL, .offset = FS_STAT_MEMBER_(S, m, bool), __VA_ARGS__ }
#define FS_STAT_WORD(n, S, m, ...)                                                                           \
    { .name = n, .type = FS_STAT_TEXT, .offset = FS_STAT_MEMBER_(S, m, const char *), __VA_ARGS__ }

/* The same of the struct FS_ROWS_OF, where name, unit (NULL: none) and meaning come first; what few rows have
 * follows by name, FS_LESS, FS_MORE and the place in the main table by word. A share has no unit. */
#define FS_WHOLE(n, m, un, ...) FS_STAT_COUNT(n, FS_ROWS_OF, m, .unit = un, .doc = __VA_ARGS__)
#define FS_VALUE(n, m, un, ...) FS_STAT_VALUE(n, FS_ROWS_OF, m, .unit = un, .doc = __VA_ARGS__)
#define FS_SHARE(n, m, ...)     FS_STAT_VALUE(n, FS_ROWS_OF, m, .says = FS_SAYS_SHARE, .doc = __VA_ARGS__)
#define FS_LESS                 .better = FS_BETTER_LESS
#define FS_MORE                 .better = FS_BETTER_MORE
#define FS_AT(p, l)             .place = p, .label = l

typedef struct fs_stat_table fs_stat_table;

/* A table whose struct is a member of the struct of the table that it is a part of. */
typedef struct fs_stat_part {
    const fs_stat_table *table;
    size_t offset; /* of that member */
    /* Whether that member has something to say in this run: of a part that a machine may lack, whose rows are not
     * written without it. NULL: always. */
    bool (*has)(const void *values);
} fs_stat_part;

/* Has rows of its own or is composed of parts; its order is that of the rows, part by part. */
struct fs_stat_table {
    const char *name; /* "device", "foam" */
    const fs_stat *rows;
    size_t count;
    const fs_stat_part *parts;
    size_t part_count;
};
#define FS_STAT_TABLE(n, r)                                                                                  \
    { .name = n, .rows = r, .count = sizeof(r) / sizeof *(r) }
#define FS_STAT_PARTS(n, p)                                                                                  \
    { .name = n, .parts = p, .part_count = sizeof(p) / sizeof *(p) }
#define FS_STAT_PART(t, S, m)                                                                                \
    { .table = t, .offset = offsetof(S, m) }

#define FS_STAT_PART_IF(t, S, m, has_)                                                                       \
    { .table = t, .offset = offsetof(S, m), .has = has_ }

/* Rows of a table and all its parts. */
size_t fs_stats_count(const fs_stat_table *table);
/* Row i of them, i < fs_stats_count, with its offset in the struct of `table`. */
fs_stat fs_stats_row(const fs_stat_table *table, size_t i);
/* Row i is one that a run with these values has (fs_stat_part.has). */
bool fs_stats_has(const fs_stat_table *table, size_t i, const void *values);
/* The row of that name; false when there is none. */
bool fs_stats_find(const fs_stat_table *table, const char *name, fs_stat *row);
/* The same in several tables, NULL-terminated, NULL for none: the first that has it. */
bool fs_stats_find_in(const fs_stat_table *const *tables, const char *name, fs_stat *row);

/* What the struct of a table holds for a row of it. */
typedef union fs_stat_value {
    uint64_t u64;
    double real;
    bool flag;
    const char *text; /* may be NULL */
} fs_stat_value;
fs_stat_value fs_stats_value(const fs_stat *row, const void *values);

/* The words of stats.csv for a row: "less", "more", "neither"; "quantity", "count", "share", "decibel",
 * "label", "flag". And back: false for no such word. */
const char *fs_better_word(fs_better better);
const char *fs_says_word(const fs_stat *row);
bool fs_better_of(const char *word, fs_better *better);
bool fs_says_of(const char *word, fs_says *says);

/* Reals that are not finite stand for "not applicable": they are written as null. */

/* The shortest decimal text that reads back as `value`, with '.' in every locale: "0.1", "3.0", "1e+30";
 * "null" when it is not finite. Returns out. */
enum { FS_REAL_TEXT = 32 };
const char *fs_real_text(double value, char out[FS_REAL_TEXT]);
/* As an argument: it lasts until the end of the block. */
#define FS_REAL_WORD(value) fs_real_text(value, (char[FS_REAL_TEXT]){0})

/* The columns of stats.csv and its rows, in table order; reals as fs_real_text. */
enum { FS_STATS_COLUMNS = 10 };
extern const char *const fs_stats_columns[FS_STATS_COLUMNS];
void fs_stats_write_csv(const fs_stat_table *table, const void *values, FILE *out);
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
