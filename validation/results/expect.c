/* Today's mean error against that of an earlier results.csv: what CI watches. */
#include "reports/page/page_file.h"
#include "sim/base/csv.h"
#include "validation/cases/words.h"
#include "validation/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double growth_allowed = 0.01; /* one percentage point */

enum { MOST_COLUMNS = 32 };

static size_t column_of(char *const *cells, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(cells[i], name) == 0)
            return i;
    return SIZE_MAX;
}

/* The claim of that case and name that counts for the score; NULL. */
static const fs_claim *scored_claim(const fs_validation *v, const char *case_name, const char *name) {
    for (size_t k = 0; k < v->case_count; k++) {
        const fs_validation_case *c = &v->cases[k];
        for (size_t i = 0; i < c->claim_count && c->scored && strcmp(c->name, case_name) == 0; i++)
            if (c->claims[i].use == FS_USE_PREDICT && strcmp(c->claims[i].name, name) == 0)
                return &c->claims[i];
    }
    return NULL;
}

typedef struct two_means {
    double before, now;
    size_t count;
} two_means;

static fs_status compare(const fs_validation *v, const char *path, char *text, two_means *means,
                         fs_error *err) {
    char *cell[MOST_COLUMNS], *at = text;
    size_t count = fs_csv_record(&at, cell, MOST_COLUMNS);
    const size_t of_case = column_of(cell, count, "case"), of_name = column_of(cell, count, "figure");
    const size_t of_error = column_of(cell, count, "error");
    if (of_case == SIZE_MAX || of_name == SIZE_MAX || of_error == SIZE_MAX)
        return fs_fail(err, FS_INPUT, "%s: expected a results.csv with the columns case, figure and error",
                       path);
    while ((count = fs_csv_record(&at, cell, MOST_COLUMNS)) > 0) {
        if (count <= of_case || count <= of_name || count <= of_error)
            return fs_fail(err, FS_INPUT, "%s: a line has %zu cells and no error", path, count);
        const fs_claim *claim = scored_claim(v, cell[of_case], cell[of_name]);
        const bool failed = cell[of_error][0] == '\0'; /* then, and counted as 100 % */
        if (claim == NULL)
            continue;
        if (!failed && !isfinite(claim->error))
            return fs_fail(err, FS_RUN, "%s, %s: there was a value once, and now is none: %s", cell[of_case],
                           cell[of_name], claim->missing);
        means->before += failed ? 1 : fabs(strtod(cell[of_error], NULL));
        means->now += fs_claim_miss(claim);
        means->count++;
    }
    return FS_OK;
}

fs_status fs_validation_expect(const fs_validation *v, const char *path, FILE *out, fs_error *err) {
    two_means means = {0};
    char *text = fs_page_read(path, NULL, err);
    if (text == NULL)
        return err->status;
    fs_status status = compare(v, path, text, &means, err);
    free(text);
    if (status)
        return status;
    if (means.count == 0)
        return fs_fail(err, FS_INPUT, "%s: no figure that is predicted here too", path);
    const double before = means.before / (double)means.count, now = means.now / (double)means.count;
    if (out != NULL)
        fprintf(out, "mean error of %zu predicted figures: %.2f %%, expected %.2f %%\n", means.count,
                100 * now, 100 * before);
    if (now > before + growth_allowed)
        return fs_fail(err, FS_RUN, "the mean error grew from %.2f %% to %.2f %%", 100 * before, 100 * now);
    return FS_OK;
}
