/* Today against an earlier file: the mean error, which CI watches, or what was predicted before it was compared. */
#include "reports/page/page_file.h"
#include "sim/base/csv.h"
#include "validation/cases/words.h"
#include "validation/results/results.h"

#include <inttypes.h>
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

/* The predicted claim of that case and name, of those that count for the score where `scored`; NULL. */
static const fs_claim *claim_of(const fs_validation *v, const char *case_name, const char *name,
                                bool scored) {
    for (size_t k = 0; k < v->case_count; k++) {
        const fs_validation_case *c = &v->cases[k];
        for (size_t i = 0; i < c->claim_count && c->scored >= scored && strcmp(c->name, case_name) == 0; i++)
            if (c->claims[i].use == FS_USE_PREDICT && strcmp(c->claims[i].name, name) == 0)
                return &c->claims[i];
    }
    return NULL;
}

/* Where an earlier file has what is looked at. */
typedef struct columns {
    size_t of_case, of_name, of_value;
    bool predicted; /* values that were predicted, not errors */
} columns;

static fs_status read_heads(const char *path, fs_csv_lines *table, columns *where, fs_error *err) {
    char *cell[MOST_COLUMNS];
    const size_t count = fs_csv_record(table, cell, MOST_COLUMNS);
    *where = (columns){column_of(cell, count, "case"), column_of(cell, count, "figure"), SIZE_MAX, false};
    where->of_value = column_of(cell, count, "error");
    if (where->of_value == SIZE_MAX) {
        where->of_value = column_of(cell, count, "predicted");
        where->predicted = true;
    }
    return where->of_case == SIZE_MAX || where->of_name == SIZE_MAX || where->of_value == SIZE_MAX
               ? fs_fail(
                     err, FS_INPUT,
                     "%s: expected a results.csv or a prediction, with the columns case, figure and error "
                     "or predicted",
                     path)
               : FS_OK;
}

typedef struct tally {
    double before, now;  /* sums of errors */
    size_t count, same;  /* figures that both have; of predictions, those that are as they were predicted */
    const char *differs; /* the first that is not, in words; NULL */
} tally;

static fs_status compare_error(const fs_claim *claim, char *const *cell, const columns *where, tally *t,
                               fs_error *err) {
    const char *error = cell[where->of_value];
    const bool failed = error[0] == '\0'; /* then, and counted as 100 % */
    if (!failed && !isfinite(claim->error))
        return fs_fail(err, FS_RUN, "%s, %s: there was a value once, and now is none: %s",
                       cell[where->of_case], cell[where->of_name], claim->missing);
    t->before += failed ? 1 : fabs(strtod(error, NULL));
    t->now += fs_claim_miss(claim);
    return FS_OK;
}

static void compare_prediction(const fs_validation *v, const fs_claim *claim, char *const *cell,
                               const columns *where, tally *t) {
    const char *then = cell[where->of_value], *now = fs_claim_there(claim) ? FS_REAL_WORD(claim->median) : "";
    const bool same = strcmp(then, now) == 0;
    t->same += same;
    if (!same && t->differs == NULL)
        t->differs = fs_arena_printf(v->arena, "%s, %s: predicted %s, now %s", cell[where->of_case],
                                     cell[where->of_name], then[0] == '\0' ? "to fail" : then,
                                     now[0] == '\0' ? "failed" : now);
}

static fs_status compare(const fs_validation *v, const char *path, fs_csv_lines *table, const columns *where,
                         tally *t, fs_error *err) {
    char *cell[MOST_COLUMNS];
    size_t count = 0;
    while ((count = fs_csv_record(table, cell, MOST_COLUMNS)) > 0) {
        if (count <= where->of_case || count <= where->of_name || count <= where->of_value)
            return fs_fail(err, FS_INPUT, "%s:%" PRIu64 ": %zu cells and no %s", path, table->line, count,
                           where->predicted ? "prediction" : "error");
        const fs_claim *claim = claim_of(v, cell[where->of_case], cell[where->of_name], !where->predicted);
        if (claim == NULL)
            continue;
        t->count++;
        if (where->predicted)
            compare_prediction(v, claim, cell, where, t);
        else if (compare_error(claim, cell, where, t, err))
            return err->status;
    }
    return t->count > 0 ? FS_OK : fs_fail(err, FS_INPUT, "%s: no figure that is predicted here too", path);
}

static fs_status say_predictions(const char *path, const tally *t, FILE *out, fs_error *err) {
    if (out != NULL)
        fprintf(out, "%zu of %zu figures as they were predicted\n", t->same, t->count);
    return t->same == t->count ? FS_OK
                               : fs_fail(err, FS_RUN, "%s: %zu of %zu figures differ; first %s", path,
                                         t->count - t->same, t->count, t->differs);
}

static fs_status say_errors(const tally *t, FILE *out, fs_error *err) {
    const double before = t->before / (double)t->count, now = t->now / (double)t->count;
    if (out != NULL)
        fprintf(out, "mean error of %zu predicted figures: %.2f %%, expected %.2f %%\n", t->count, 100 * now,
                100 * before);
    return now <= before + growth_allowed
               ? FS_OK
               : fs_fail(err, FS_RUN, "the mean error grew from %.2f %% to %.2f %%", 100 * before, 100 * now);
}

fs_status fs_validation_expect(const fs_validation *v, const char *path, FILE *out, fs_error *err) {
    tally t = {0};
    columns where;
    char *text = fs_page_read(path, NULL, err);
    if (text == NULL)
        return err->status;
    fs_csv_lines table = fs_csv_begin(text);
    fs_status status = read_heads(path, &table, &where, err);
    if (status == FS_OK)
        status = compare(v, path, &table, &where, &t, err);
    free(text);
    if (status)
        return status;
    return where.predicted ? say_predictions(path, &t, out, err) : say_errors(&t, out, err);
}
