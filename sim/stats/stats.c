/* Rows of figures: found in composed tables, written to stats.csv and to the reference. */
#include "sim/stats/stats.h"

#include "sim/base/csv.h"
#include "sim/base/error.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool finite_real(double x) {
    return x - x == 0.0;
}

static bool reads_back(double value, int digits, char out[FS_REAL_TEXT]) {
    snprintf(out, FS_REAL_TEXT, "%.*g", digits, value);
    return strtod(out, NULL) == value; /* reads its own locale, so the comparison is fair */
}

const char *fs_real_text(double value, char out[FS_REAL_TEXT]) {
    enum { MOST = 17, MANY = 15 };
    int exponent, digits = 1;
    if (!finite_real(value))
        return memcpy(out, "null", 5);
    /* Where many digits are too few, fewer are: the nearest text of more digits is no farther away. A power of two has
     * farther neighbours above than below, so that this need not hold. */
    if (fabs(frexp(value, &exponent)) != 0.5 && !reads_back(value, MANY, out))
        digits = MANY + 1;
    while (!reads_back(value, digits, out) && digits < MOST)
        digits++;
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

fs_stat_value fs_stats_value(const fs_stat *row, const void *values) {
    static const size_t bytes[] = {[FS_STAT_U64] = sizeof(uint64_t),
                                   [FS_STAT_REAL] = sizeof(double),
                                   [FS_STAT_BOOL] = sizeof(bool),
                                   [FS_STAT_TEXT] = sizeof(const char *)};
    fs_stat_value value = {.u64 = 0};
    memcpy(&value, (const char *)values + row->offset,
           bytes[row->type]); /* the offset is all that is known */
    return value;
}

static void write_value(const fs_stat *row, const void *values, FILE *out) {
    const fs_stat_value value = fs_stats_value(row, values);
    char text[FS_REAL_TEXT];
    if (row->type == FS_STAT_U64)
        fprintf(out, "%" PRIu64, value.u64);
    else if (row->type == FS_STAT_REAL)
        fputs(fs_real_text(value.real, text), out);
    else if (row->type == FS_STAT_BOOL)
        fputs(value.flag ? "true" : "false", out);
    else
        fs_csv_field(value.text == NULL ? "" : value.text, out);
}

/* ---- tables and their parts ---- */

size_t fs_stats_count(const fs_stat_table *table) {
    size_t count = table->count;
    for (size_t p = 0; p < table->part_count; p++)
        count += fs_stats_count(table->parts[p].table);
    return count;
}

fs_stat fs_stats_row(const fs_stat_table *table, size_t i) {
    if (i < table->count)
        return table->rows[i];
    i -= table->count;
    for (size_t p = 0; p < table->part_count; p++) {
        const fs_stat_part *part = &table->parts[p];
        const size_t count = fs_stats_count(part->table);
        if (i < count) {
            fs_stat row = fs_stats_row(part->table, i);
            row.offset += part->offset;
            return row;
        }
        i -= count;
    }
    FS_ASSERT(false, "table %s has no row %zu behind its last", table->name, i);
    return (fs_stat){0};
}

bool fs_stats_has(const fs_stat_table *table, size_t i, const void *values) {
    if (i < table->count)
        return true;
    i -= table->count;
    for (size_t p = 0; p < table->part_count; p++) {
        const fs_stat_part *part = &table->parts[p];
        const size_t count = fs_stats_count(part->table);
        const void *own = (const char *)values + part->offset;
        if (i < count)
            return (part->has == NULL || part->has(own)) && fs_stats_has(part->table, i, own);
        i -= count;
    }
    return false;
}

bool fs_stats_find(const fs_stat_table *table, const char *name, fs_stat *row) {
    const size_t count = fs_stats_count(table);
    for (size_t i = 0; i < count; i++) {
        *row = fs_stats_row(table, i);
        if (strcmp(row->name, name) == 0)
            return true;
    }
    return false;
}

bool fs_stats_find_in(const fs_stat_table *const *tables, const char *name, fs_stat *row) {
    for (; tables != NULL && *tables != NULL; tables++)
        if (fs_stats_find(*tables, name, row))
            return true;
    return false;
}

/* ---- words ---- */

static const char *const better_words[] = {"neither", "less", "more"};
enum { BETTERS = sizeof better_words / sizeof *better_words };

const char *fs_better_word(fs_better better) {
    return better_words[better];
}

bool fs_better_of(const char *word, fs_better *better) {
    for (size_t i = 0; i < BETTERS; i++)
        if (strcmp(word, better_words[i]) == 0) {
            *better = (fs_better)i;
            return true;
        }
    return false;
}

static const char *const says_words[] = {"quantity", "share", "decibel", "label", "count", "flag"};
enum { SAYS = sizeof says_words / sizeof *says_words, COUNT_WORD = FS_SAYS_LABEL + 1, FLAG_WORD };

const char *fs_says_word(const fs_stat *row) {
    if (row->type == FS_STAT_BOOL)
        return says_words[FLAG_WORD];
    if (row->type == FS_STAT_TEXT)
        return says_words[FS_SAYS_LABEL];
    return says_words[row->type == FS_STAT_U64 && row->says == FS_SAYS_QUANTITY ? COUNT_WORD : row->says];
}

bool fs_says_of(const char *word, fs_says *says) {
    for (size_t i = 0; i < SAYS; i++)
        if (strcmp(word, says_words[i]) == 0) {
            *says = i < COUNT_WORD ? (fs_says)i : FS_SAYS_QUANTITY;
            return true;
        }
    return false;
}

/* ---- writing ---- */

const char *const fs_stats_columns[FS_STATS_COLUMNS] = {"name",  "unit",  "value", "description", "better",
                                                        "label", "place", "says",  "null",        "changed"};

static void field(const char *text, FILE *out) {
    fputc(',', out);
    fs_csv_field(text == NULL ? "" : text, out);
}

void fs_stats_write_csv(const fs_stat_table *table, const void *values, FILE *out) {
    const size_t count = fs_stats_count(table);
    for (size_t i = 0; i < count; i++) {
        if (!fs_stats_has(table, i, values))
            continue;
        const fs_stat row = fs_stats_row(table, i);
        fs_csv_field(row.name, out);
        field(row.unit, out);
        fputc(',', out);
        write_value(&row, values, out);
        field(row.doc, out);
        field(fs_better_word(row.better), out);
        field(row.label, out);
        fprintf(out, ",%u", row.place);
        field(fs_says_word(&row), out);
        field(row.null_is, out);
        field(row.changed, out);
        fputc('\n', out);
    }
}

void fs_stats_print_markdown(const fs_stat_table *table, FILE *out) {
    static const char *const types[] = {"integer", "real", "flag", "text"};
    fprintf(out,
            "## %s\n\n| name | unit | type | better | label | description |\n| --- | --- | --- | --- | --- | "
            "--- |\n",
            table->name);
    const size_t count = fs_stats_count(table);
    for (size_t i = 0; i < count; i++) {
        const fs_stat row = fs_stats_row(table, i);
        char right[64] = "";
        if (row.wrong != NULL && row.type == FS_STAT_BOOL)
            snprintf(right, sizeof right, "; of a right answer true");
        else if (row.wrong != NULL)
            snprintf(right, sizeof right, "; %s at %s %g",
                     row.held == NULL ? "of a right answer" : "within the limit",
                     row.better == FS_BETTER_MORE ? "least" : "most", row.bound);
        fprintf(out, "| `%s` | %s | %s | %s | %s | %s%s |\n", row.name, row.unit == NULL ? "" : row.unit,
                types[row.type], row.better == FS_BETTER_NEITHER ? "" : fs_better_word(row.better),
                row.label == NULL ? "" : row.label, row.doc, right);
    }
}
