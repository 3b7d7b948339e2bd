/* Rows of a table without a file: defaults, comparison, and the text that digests are taken of. */
#include "sim/config/config.h"
#include "sim/config/section.h"
#include "sim/config/value.h"

#include <stdlib.h>
#include <string.h>

void fs_params_default(fs_arena *arena, const fs_param_table *table, void *out) {
    memset(out, 0, table->size);
    for (size_t i = 0; i < table->count; i++)
        fs_value_default(arena, &table->rows[i], out);
}

/* Equal values are equal texts. */
bool fs_params_equal(const fs_param_table *table, const char *below, const void *a, const void *b) {
    fs_memory one, other;
    fs_params_write(table, below, a, fs_memory_open(&one));
    fs_params_write(table, below, b, fs_memory_open(&other));
    const bool same = strcmp(fs_memory_close(&one), fs_memory_close(&other)) == 0;
    free(one.text);
    free(other.text);
    return same;
}

void fs_params_write(const fs_param_table *table, const char *below, const void *params, FILE *out) {
    for (size_t i = 0; i < table->count; i++) {
        const fs_param *row = &table->rows[i];
        if (strcmp(row->name, below) != 0 && fs_table_below(row->name, below) == NULL)
            continue;
        fprintf(out, "%s: ", row->name);
        fs_value_write(row, params, out);
        fputc('\n', out);
    }
}
