/* Findings: what a run has to say, sentences with the figures that they speak of, most important first; the
 * one writer of findings.json.
 *
 *     FS_FIND(&findings, "time", "Compute takes {compute|share} of the time[, {@more}].",
 *             FS_IS("compute", compute), FS_IS("@more", words));
 *
 * A finding's text is one of a page (fs_number_fill): values by name in braces with a form, clauses in brackets. It is
 * left out where a value outside of clauses is not known. What is named is one of its figures, but for what begins with
 * '@'; a figure that does not apply is null.
 *
 * Every percentage is one of its figures, and the figures stand in the order in which it names them: a share as 0 to 1, per
 * cent under a name that ends in "_percent". Tests hold that.
 */
#pragma once

#include "sim/base/numbers.h"
#include "sim/results/results.h"

#include <math.h>
#include <stdint.h>

enum { FS_FINDINGS_MOST = 24, FS_FINDING_MOST = 16 };

/* What a finding knows: a number or a word. Names are not copied, words last until fs_find returns. */
typedef struct fs_finding_value {
    const char *name; /* "pace_share"; "@tile" is no figure */
    double number;    /* NAN: not applicable */
    const char *word; /* NULL: a number, or no word */
} fs_finding_value;

typedef struct fs_finding {
    const char *key, *text; /* of the arena of the list; the key is not copied */
    fs_finding_value value[FS_FINDING_MOST];
    uint32_t values;
} fs_finding;

typedef struct fs_findings {
    fs_arena *arena; /* of what they hold */
    fs_finding finding[FS_FINDINGS_MOST];
    uint32_t count;
} fs_findings;

/* Adds a finding, unless its text needs what is not known. values: up to one without a name; NULL: none. A text that names a value that
 * is not among them is a defect, as are more than FS_FINDINGS_MOST or FS_FINDING_MOST. */
void fs_find(fs_findings *findings, const char *key, const char *text, const fs_finding_value *values);
#define FS_FIND(findings, key, text, ...)                                                                    \
    fs_find(findings, key, text, (const fs_finding_value[]){__VA_ARGS__, {NULL, 0, NULL}})

/* A value of any type of number, or a word. */
#define FS_IS(name, value)                                                                                   \
    _Generic((value), const char *: fs_finding_word, char *: fs_finding_word, unsigned long: fs_finding_count,  \
        long: fs_finding_whole, default: fs_finding_number)(name, value)

static inline fs_finding_value fs_finding_word(const char *name, const char *word) {
    return (fs_finding_value){name, NAN, word};
}
static inline fs_finding_value fs_finding_number(const char *name, double number) {
    return (fs_finding_value){name, number, NULL};
}
static inline fs_finding_value fs_finding_count(const char *name, uint64_t number) {
    return (fs_finding_value){name, (double)number, NULL};
}
static inline fs_finding_value fs_finding_whole(const char *name, int64_t number) {
    return (fs_finding_value){name, (double)number, NULL};
}

/* findings.json: a list of key, text and figures. Whole numbers are written as such, what is not finite as
 * null. */
fs_status fs_findings_write(const fs_findings *findings, fs_results *results, fs_error *err);

/* ---- words ---- */

#define FS_PERCENT(share) fs_number_form(share, "share", "") /* "81 %", "0.3 %", "under 0.1 %" */

static inline const char *fs_plural(uint64_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}
