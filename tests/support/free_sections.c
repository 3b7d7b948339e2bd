#include "tests/support/free_sections.h"
#include "registry/registry.h"

#include "sim/yaml/quantity.h"

#include <string.h>

/* Without rules between rows; those of roles are rows like others. A text that has to be given is, where nothing else is
 * (`work`, a section that an experiment may leave out). */
static const fs_param_table *free_table(fs_arena *arena, const fs_param_table *table, bool given) {
    fs_param_table *copy = FS_NEW(arena, fs_param_table, 1);
    *copy = *table;
    fs_param *rows = FS_NEW(arena, fs_param, table->count);
    for (size_t i = 0; i < table->count; i++)
        rows[i] = table->rows[i];
    for (size_t i = 0; given && i < table->count; i++)
        if (rows[i].type == FS_TYPE_STRING && rows[i].def == NULL)
            rows[i].def = "\"given\"";
    copy->rows = rows;
    copy->check = NULL;
    copy->role_size = 0;
    return copy;
}

const fs_section *fs_test_free_sections(fs_arena *arena) {
    const fs_section *all = fs_sections_of_roles(arena, fs_registry_sections, fs_registry_all.section_count);
    fs_section *sections = FS_NEW(arena, fs_section, fs_registry_all.section_count);
    for (size_t s = 0; s < fs_registry_all.section_count; s++) {
        sections[s] = all[s];
        fs_section_kind *kinds = FS_NEW(arena, fs_section_kind, sections[s].count);
        for (size_t k = 0; k < sections[s].count; k++)
            kinds[k] = (fs_section_kind){.kind = sections[s].kinds[k].kind,
                                         .table = free_table(arena, sections[s].kinds[k].table,
                                                             strcmp(sections[s].name, "work") == 0)};
        sections[s].kinds = kinds;
    }
    return sections;
}

const char *fs_test_another(fs_arena *arena, const fs_param *row, const void *value) {
    const char *unit = row->unit == FS_UNIT_NONE ? "" : fs_quantity_units(row->unit)[0];
    switch (row->type) {
    case FS_TYPE_BOOL:
        return *(const bool *)value ? "false" : "true";
    case FS_TYPE_INT: {
        int64_t v = *(const int64_t *)value;
        if (row->min >= row->max)
            return NULL;
        if ((double)v < row->min) /* an `auto` below what can be given */
            v = (int64_t)row->min;
        return fs_arena_printf(arena, "%lld %s", (long long)((double)v < row->max ? v + 1 : v - 1), unit);
    }
    case FS_TYPE_REAL: {
        double v = *(const double *)value, step = (row->max - row->min) / 1024.0;
        step = step < 0.5 * v ? step : v > 0 ? 0.5 * v : row->max < 1 ? row->max / 2 : 0.5;
        return fs_arena_printf(arena, "%.17g %s", v + step <= row->max ? v + step : v - step, unit);
    }
    case FS_TYPE_ENUM:
        return row->choices[1] == NULL ? NULL : row->choices[*(const int64_t *)value == 0 ? 1 : 0];
    case FS_TYPE_STRING:
        return "\"another\"";
    case FS_TYPE_PATH:
        return "b.txt";
    case FS_TYPE_VEC3:
    case FS_TYPE_VEC3_LIST:
        return "[0.25, 0.5, 0.125]";
    case FS_TYPE_MAT4:
        return "[[1, 0, 0, 2], [0, 1, 0, 3], [0, 0, 1, 4], [0, 0, 0, 1]]";
    case FS_TYPE_INT_LIST: {
        long long v = (long long)(row->min > -5 ? row->min + 1 : 5);
        return fs_arena_printf(arena, "[%lld, %lld]", v, v);
    }
    }
    return NULL;
}
