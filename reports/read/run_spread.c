#include "reports/read/run_folder.h"

#include <stdlib.h>
#include <string.h>

/* The least value that so many are at most. */
static int64_t first_with(const int64_t *value, const int64_t *many, size_t count, double wanted) {
    double seen = 0;
    size_t i = 0;
    while (i + 1 < count && (seen += (double)many[i]) < wanted)
        i++;
    return value[i];
}

void fs_spread_counted(fs_value_spread *s, const int64_t *value, const int64_t *many, size_t count) {
    double sum = 0, all = 0, full = 0, some = 0;
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < count; i++) {
        all += (double)many[i];
        sum += (double)many[i] * (double)value[i];
        some += value[i] > 0 ? (double)many[i] : 0;
        full += value[i] >= 100 ? (double)many[i] : 0;
        s->tallest = (uint64_t)many[i] > s->tallest ? (uint64_t)many[i] : s->tallest;
    }
    s->count = (uint64_t)all;
    if (count == 0 || !(all > 0))
        return;
    s->least = value[0];
    s->most = value[count - 1];
    s->mean = sum / all;
    s->some = some / all;
    s->full = full / all;
    s->median = first_with(value, many, count, 0.5 * all);
    s->cut = first_with(value, many, count, 0.995 * all);
    s->late = first_with(value, many, count, 0.999 * all);
    if (s->cut <= s->least)
        s->cut = s->most > s->least ? s->most : s->least + 1;
}

/* Sorts values [count] and packs equal ones; many[i]: how often value[i] stood there. */
static size_t pack(int64_t *value, size_t count, int64_t *many) {
    size_t kinds = 0;
    qsort(value, count, sizeof *value, fs_by_i64);
    for (size_t i = 0; i < count; i++)
        if (kinds > 0 && value[kinds - 1] == value[i])
            many[kinds - 1]++;
        else {
            value[kinds] = value[i];
            many[kinds++] = 1;
        }
    return kinds;
}

void fs_spread_take(fs_value_spread *s, const int64_t *value, size_t count) {
    int64_t *sorted = fs_malloc((count + 1) * sizeof *sorted), *many = fs_malloc((count + 1) * sizeof *many);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (value[i] >= 0)
            sorted[n++] = value[i];
    fs_spread_counted(s, sorted, many, pack(sorted, n, many));
    free(sorted);
    free(many);
}

fs_status fs_spread_read(fs_arena *arena, const fs_csv *t, const char *column, const int64_t *minus,
                         bool counted, fs_counted *out, fs_error *err) {
    const int64_t *v = fs_csv_ints(t, counted ? "value" : column, err), *many = NULL;
    const char *const *name = NULL;
    if (v == NULL || (counted && ((many = fs_csv_ints(t, "count", err)) == NULL ||
                                  (name = fs_csv_words(t, "name", err)) == NULL)))
        return err->status;
    *out = (fs_counted){.value = FS_NEW(arena, int64_t, fs_csv_rows(t) + 1),
                        .many = FS_NEW(arena, int64_t, fs_csv_rows(t) + 1)};
    for (size_t i = 0; i < fs_csv_rows(t); i++)
        if (name != NULL ? strcmp(name[i], column) == 0 : v[i] >= 0 && (minus == NULL || minus[i] >= 0)) {
            out->value[out->count] = v[i] - (minus == NULL ? 0 : minus[i]);
            out->many[out->count++] = many == NULL ? 1 : many[i];
        }
    if (!counted)
        out->count = pack(out->value, out->count, out->many);
    return FS_OK;
}

bool fs_spread_know(const fs_value_spread *s, const char *word, fs_number_value *out) {
    const struct {
        const char *word;
        double value;
        bool whole;
    } known[] = {
        {".mean", s->mean, false},          {".median", (double)s->median, true},
        {".most", (double)s->most, true},   {".least", (double)s->least, true},
        {".late", (double)s->late, true},   {".some", s->some, false},
        {".none", 1 - s->some, false},      {".full", s->full, false},
        {".count", (double)s->count, true},
    };
    if (s->count == 0)
        return false;
    const size_t i = FS_PLACE(known, FS_COUNT(known), word, word);
    if (i < FS_COUNT(known))
        *out = (fs_number_value){.number = known[i].value, .unit = "", .whole = known[i].whole};
    return i < FS_COUNT(known);
}
