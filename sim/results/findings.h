/* Findings: what a run has to say, sentences with the figures that they speak of, most important first; the
 * one writer of findings.json.
 *
 *     fs_finding *f = fs_finding_begin(&findings, "time");
 *     fs_finding_say(f, "Compute takes %s of the time.", FS_PERCENT(compute));
 *     fs_finding_figure(f, "compute", compute);
 *
 * A sentence is left out where it would have nothing to say. Every percentage in it is one of its figures,
 * and the figures stand in the order in which it names them: a share as 0 to 1, per cent under a name
 * that ends in
 * "_percent". Tests hold that. Texts and figures lie in the struct: nothing is freed.
 */
#ifndef FOAMSIM_SIM_RESULTS_FINDINGS_H
#define FOAMSIM_SIM_RESULTS_FINDINGS_H

#include "sim/results/results.h"

#include <stdint.h>

enum { FS_FINDINGS_MOST = 24, FS_FINDING_MOST = 10, FS_FINDING_TEXT = 640 };

typedef struct fs_finding_number {
    const char *name; /* not copied */
    double value;     /* NAN: not applicable */
} fs_finding_number;

typedef struct fs_finding {
    const char *key; /* "pace"; not copied */
    char text[FS_FINDING_TEXT];
    fs_finding_number figure[FS_FINDING_MOST];
    uint32_t figures;
} fs_finding;

typedef struct fs_findings {
    fs_finding finding[FS_FINDINGS_MOST];
    uint32_t count;
} fs_findings;

/* The next finding; more than FS_FINDINGS_MOST are a defect. */
fs_finding *fs_finding_begin(fs_findings *findings, const char *key);
/* Appends to its text. */
void fs_finding_say(fs_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a figure, or several as {name, value}; more than FS_FINDING_MOST are a defect. */
void fs_finding_figure(fs_finding *finding, const char *name, double value);
#define FS_FINDING_FIGURES(finding, ...)                                                                     \
    fs_finding_figures(finding, (const fs_finding_number[]){__VA_ARGS__, {NULL, 0}})
void fs_finding_figures(fs_finding *finding,
                        const fs_finding_number *numbers); /* to the one without a name */

/* findings.json: a list of key, text and figures. Whole numbers are written as such, what is not finite as
 * null. */
fs_status fs_findings_write(const fs_findings *findings, fs_results *results, fs_error *err);

/* ---- words ---- */

enum { FS_PERCENT_TEXT = 16, FS_AT_MOST_TEXT = 32 };
/* A share: "81 %", "0.3 %", "under 0.1 %". Returns out, or a constant. */
const char *fs_percent_text(double share, char out[FS_PERCENT_TEXT]);
/* A share that bounds: "at most 3 %", "less than 0.1 %", "nothing". */
const char *fs_at_most_text(double share, char out[FS_AT_MOST_TEXT]);
/* As arguments: they last until the end of the block. FS_AT_MOST takes per cent. */
#define FS_PERCENT(share)      fs_percent_text(share, (char[FS_PERCENT_TEXT]){0})
#define FS_AT_MOST(percentage) fs_at_most_text((percentage) / 100, (char[FS_AT_MOST_TEXT]){0})

static inline const char *fs_plural(uint64_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

#endif
