#include "reports/read/run_spread.h"

#include "sim/base/arith.h"

#include <stdlib.h>
#include <string.h>

void fs_spread_counted(fs_value_spread *s, const int64_t *value, const int64_t *many, size_t count) {
    double sum = 0, seen = 0, all = 0, full = 0, some = 0;
    bool median = false, cut = false, late = false;
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
    for (size_t i = 0; i < count; i++) {
        seen += (double)many[i];
        if (!median && seen >= 0.5 * all)
            s->median = value[i];
        if (!cut && seen >= 0.995 * all)
            s->cut = value[i];
        if (!late && seen >= 0.999 * all)
            s->late = value[i];
        median |= seen >= 0.5 * all;
        cut |= seen >= 0.995 * all;
        late |= seen >= 0.999 * all;
    }
    if (s->cut <= s->least)
        s->cut = s->most > s->least ? s->most : s->least + 1;
}

void fs_spread_take(fs_value_spread *s, const int64_t *value, size_t count) {
    int64_t *sorted = fs_malloc((count + 1) * sizeof *sorted), *many = fs_malloc((count + 1) * sizeof *many);
    size_t n = 0, kinds = 0;
    for (size_t i = 0; i < count; i++)
        if (value[i] >= 0)
            sorted[n++] = value[i];
    qsort(sorted, n, sizeof *sorted, fs_by_i64);
    for (size_t i = 0; i < n; i++)
        if (kinds > 0 && sorted[kinds - 1] == sorted[i])
            many[kinds - 1]++;
        else {
            sorted[kinds] = sorted[i];
            many[kinds++] = 1;
        }
    fs_spread_counted(s, sorted, many, kinds);
    free(sorted);
    free(many);
}

bool fs_spread_know(const fs_value_spread *s, const char *word, fs_fill_value *out) {
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
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].word, word) == 0) {
            *out = (fs_fill_value){.number = known[i].value, .unit = "", .whole = known[i].whole};
            return true;
        }
    return false;
}
