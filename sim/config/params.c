/* Rows of a table without a file: defaults, comparison, and the text that digests are taken of. */
#include "sim/config/config.h"
#include "sim/config/value.h"

#include <string.h>

void fs_params_default(fs_arena *arena, const fs_param_table *table, void *out) {
    memset(out, 0, table->size);
    for (size_t i = 0; i < table->count; i++)
        fs_value_default(arena, &table->rows[i], out);
}

static bool is_below(const char *name, const char *below) {
    const size_t n = strlen(below);
    return n == 0 || (strncmp(name, below, n) == 0 && (name[n] == '.' || name[n] == '\0'));
}

static const void *member(const fs_param *row, const void *params) {
    return (const char *)params + row->offset;
}

static bool same_list(const void *a, const void *b, size_t a_count, size_t b_count, size_t item) {
    return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * item) == 0);
}

static bool same_reals(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (a[i] < b[i] || a[i] > b[i])
            return false;
    return true;
}

/* The same value: what the row writes for both is the same text. */
static bool same_value(const fs_param *row, const void *a, const void *b) {
    switch (row->type) {
    case FS_TYPE_BOOL:
        return *(const bool *)a == *(const bool *)b;
    case FS_TYPE_INT:
    case FS_TYPE_ENUM:
        return *(const int64_t *)a == *(const int64_t *)b;
    case FS_TYPE_REAL:
        return same_reals(a, b, 1);
    case FS_TYPE_STRING:
    case FS_TYPE_PATH:
        return strcmp(*(const char *const *)a, *(const char *const *)b) == 0;
    case FS_TYPE_VEC3:
        return same_reals(a, b, 3);
    case FS_TYPE_MAT4:
        return same_reals(a, b, 16);
    case FS_TYPE_INT_LIST: {
        const fs_int_list *x = a, *y = b;
        return same_list(x->item, y->item, x->count, y->count, sizeof *x->item);
    }
    case FS_TYPE_VEC3_LIST: {
        const fs_vec3_list *x = a, *y = b;
        return same_list(x->item, y->item, x->count, y->count, sizeof *x->item);
    }
    }
    fs_panic(__FILE__, __LINE__, "row %s has no type", row->name);
}

bool fs_params_equal(const fs_param_table *table, const char *below, const void *a, const void *b) {
    for (size_t i = 0; i < table->count; i++) {
        const fs_param *row = &table->rows[i];
        if (!is_below(row->name, below))
            continue;
        const bool there = fs_value_present(row, a);
        if (there != fs_value_present(row, b) || (there && !same_value(row, member(row, a), member(row, b))))
            return false;
    }
    return true;
}

void fs_params_write(const fs_param_table *table, const char *below, const void *params, FILE *out) {
    for (size_t i = 0; i < table->count; i++) {
        const fs_param *row = &table->rows[i];
        if (!is_below(row->name, below))
            continue;
        fprintf(out, "%s: ", row->name);
        if (fs_value_present(row, params))
            fs_value_write(row, params, out);
        else
            fputs("none", out);
        fputc('\n', out);
    }
}
