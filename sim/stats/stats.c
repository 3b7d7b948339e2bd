#include "sim/stats/stats.h"

#include "sim/base/csv.h"
#include "sim/base/error.h"

#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static bool finite_real(double x) {
    return x - x == 0.0;
}

const char *fs_real_text(double value, char out[FS_REAL_TEXT]) {
    if (!finite_real(value))
        return memcpy(out, "null", 5);
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, FS_REAL_TEXT, "%.*g", digits, value);
        if (strtod(out, NULL) == value) /* reads its own locale, so the comparison is fair */
            break;
    }
    const char *point = localeconv()->decimal_point;
    char *at = strstr(out, point);
    if (at != NULL && strcmp(point, ".") != 0) {
        *at = '.';
        memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
    }
    if (strpbrk(out, ".e") == NULL)
        strcat(out, ".0"); /* at most 17 digits and a sign stand before it */
    return out;
}

static const void *member(const fs_stat *row, const void *values) {
    return (const char *)values + row->offset;
}

static double real_of(const fs_stat *row, const void *values) {
    double value;
    memcpy(&value, member(row, values), sizeof value);
    return value;
}

static uint64_t u64_of(const fs_stat *row, const void *values) {
    uint64_t value;
    memcpy(&value, member(row, values), sizeof value);
    return value;
}

static bool flag_of(const fs_stat *row, const void *values) {
    bool value;
    memcpy(&value, member(row, values), sizeof value);
    return value;
}

static const char *text_of(const fs_stat *row, const void *values) {
    const char *value;
    memcpy(&value, member(row, values), sizeof value);
    return value == NULL ? "" : value;
}

static void write_value(const fs_stat *row, const void *values, FILE *out) {
    char text[FS_REAL_TEXT];
    switch (row->type) {
    case FS_STAT_U64:
        fprintf(out, "%" PRIu64, u64_of(row, values));
        break;
    case FS_STAT_REAL:
        fputs(fs_real_text(real_of(row, values), text), out);
        break;
    case FS_STAT_BOOL:
        fputs(flag_of(row, values) ? "true" : "false", out);
        break;
    case FS_STAT_TEXT:
        fs_csv_field(text_of(row, values), out);
        break;
    }
}

void fs_stats_write_csv(const fs_stat_table *table, const void *values, FILE *out) {
    for (size_t i = 0; i < table->count; i++) {
        const fs_stat *row = &table->rows[i];
        fs_csv_field(row->name, out);
        fputc(',', out);
        fs_csv_field(row->unit, out);
        fputc(',', out);
        write_value(row, values, out);
        fputc(',', out);
        fs_csv_field(row->doc, out);
        fputc('\n', out);
    }
}

static void check_same(const fs_stat *row, bool same) {
    FS_ASSERT(same, "%s differs between runs that are merged", row->name);
}

static uint64_t merge_u64(const fs_stat *row, uint64_t a, double weight_a, uint64_t b, double weight_b) {
    switch (row->merge) {
    case FS_MERGE_SUM:
        return a + b;
    case FS_MERGE_MAX:
        return a > b ? a : b;
    case FS_MERGE_MIN:
        return a < b ? a : b;
    case FS_MERGE_MEAN:
        return (uint64_t)(((double)a * weight_a + (double)b * weight_b) / (weight_a + weight_b) + 0.5);
    case FS_MERGE_SAME:
        check_same(row, a == b);
    }
    return a;
}

static double merge_real(const fs_stat *row, double a, double weight_a, double b, double weight_b) {
    if (!finite_real(a) || !finite_real(b))
        return finite_real(a) ? a : b;
    switch (row->merge) {
    case FS_MERGE_SUM:
        return a + b;
    case FS_MERGE_MAX:
        return a > b ? a : b;
    case FS_MERGE_MIN:
        return a < b ? a : b;
    case FS_MERGE_MEAN:
        return (a * weight_a + b * weight_b) / (weight_a + weight_b);
    case FS_MERGE_SAME:
        check_same(row, a >= b && a <= b);
    }
    return a;
}

void fs_stats_merge(const fs_stat_table *table, void *into, double weight_into, const void *from,
                    double weight_from) {
    for (size_t i = 0; i < table->count; i++) {
        const fs_stat *row = &table->rows[i];
        char *at = (char *)into + row->offset;
        switch (row->type) {
        case FS_STAT_U64: {
            uint64_t value = merge_u64(row, u64_of(row, into), weight_into, u64_of(row, from), weight_from);
            memcpy(at, &value, sizeof value);
            break;
        }
        case FS_STAT_REAL: {
            double value = merge_real(row, real_of(row, into), weight_into, real_of(row, from), weight_from);
            memcpy(at, &value, sizeof value);
            break;
        }
        case FS_STAT_BOOL: {
            FS_ASSERT(row->merge != FS_MERGE_MEAN, "%s: a flag has no mean", row->name);
            bool value = merge_u64(row, flag_of(row, into), 1, flag_of(row, from), 1) != 0;
            memcpy(at, &value, sizeof value);
            break;
        }
        case FS_STAT_TEXT:
            check_same(row, strcmp(text_of(row, into), text_of(row, from)) == 0);
            break;
        }
    }
}

void fs_stats_print_markdown(const fs_stat_table *table, FILE *out) {
    static const char *const types[] = {"integer", "real", "flag", "text"};
    static const char *const merges[] = {"sum", "maximum", "minimum", "mean", "same"};
    fprintf(out,
            "## %s\n\n| name | unit | type | merged by | description |\n| --- | --- | --- | --- | --- |\n",
            table->name);
    for (size_t i = 0; i < table->count; i++) {
        const fs_stat *row = &table->rows[i];
        fprintf(out, "| `%s` | %s | %s | %s | %s |\n", row->name, row->unit, types[row->type],
                merges[row->merge], row->doc);
    }
}
