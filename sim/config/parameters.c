/* parameters.csv: what an experiment sets and what it leaves as it is, one row for each parameter. */
#include "sim/base/alloc.h"
#include "sim/base/csv.h"
#include "sim/config/config.h"
#include "sim/config/section.h"
#include "sim/config/value.h"
#include "sim/yaml/quantity.h"

#include <stdlib.h>
#include <string.h>

const char *const fs_parameter_columns[FS_PARAMETER_COLUMNS] = {
    "section", "key",        "value",  "unit",    "default",    "changed",
    "origin",  "confidence", "source", "touches", "description"};

/* "garden.yaml:12", "--set", "default": the file without its folders, so that a folder that moved says the
 * same. */
static const char *origin_text(fs_arena *arena, fs_mark mark) {
    if (mark.source == NULL)
        return "default";
    if (mark.line == 0)
        return "--set";
    const char *slash = strrchr(mark.source->name, '/');
    return fs_arena_printf(arena, "%s:%d", slash == NULL ? mark.source->name : slash + 1, mark.line);
}

/* A number of the hardware that is not the default is the user's, unless its line states a source:
 * `clock: 1.85 GHz # [P] ipu.md 1, HC33`. */
static void judge(fs_config_row *l, fs_mark origin) {
    if (l->confidence == '-' || strcmp(l->value, l->usual) == 0)
        return;
    const char *stated = origin.stated;
    const bool known = stated != NULL && strchr("PMRIA", stated[1]) != NULL;
    l->confidence = 'Y';
    if (known)
        l->confidence = stated[1];
    l->source = known ? stated + strlen("[P] ") : "";
}

/* The value in canonical form, or "none". */
static const char *value_text(fs_arena *arena, const fs_param *row, const void *params) {
    fs_memory memory;
    fs_value_write(row, params, fs_memory_open(&memory));
    const char *kept = fs_arena_strdup(arena, fs_memory_close(&memory));
    free(memory.text);
    return kept;
}

/* A kind changes what the most far-reaching of its parameters changes. */
static fs_config_row kind_row(fs_arena *arena, const fs_config_part *part) {
    const fs_param_table *table = part->kind->table;
    const fs_node *node = fs_tree_get(part->node, "kind");
    return (fs_config_row){.section = part->section->name,
                           .key = "kind",
                           .value = part->kind->kind,
                           .unit = "",
                           .usual =
                               part->section->default_kind == NULL ? "required" : part->section->default_kind,
                           .source = "",
                           .doc = table->doc,
                           .origin = origin_text(arena, node == NULL ? (fs_mark){0} : node->mark),
                           .confidence = '-',
                           .touches = fs_table_reach(table),
                           .kinds = part->section,
                           .range = ""};
}

static fs_config_row row_of(fs_arena *arena, const fs_config_part *part, size_t i, const void *usual) {
    const fs_param *row = &part->kind->table->rows[i];
    fs_config_row l = {.section = part->section->name,
                       .key = row->name,
                       .value = value_text(arena, row, part->params),
                       .unit = row->unit == FS_UNIT_NONE ? "" : fs_quantity_units(row->unit)[0],
                       .usual = row->def == NULL ? "required" : value_text(arena, row, usual),
                       .source = fs_param_from(row).source,
                       .doc = row->doc,
                       .origin = origin_text(arena, part->origin[i]),
                       .confidence = fs_param_from(row).confidence,
                       .touches = row->touches,
                       .param = row,
                       .range = fs_value_range(arena, row)};
    judge(&l, part->origin[i]);
    return l;
}

const fs_config_row *fs_config_rows(fs_arena *arena, const fs_config *config, size_t *count) {
    size_t room = 0;
    for (size_t p = 0; p < config->count; p++)
        room += config->parts[p].kind->table->count + 1;
    fs_config_row *rows = FS_NEW(arena, fs_config_row, room + 1);
    *count = 0;
    for (size_t p = 0; p < config->count; p++) {
        const fs_config_part *part = &config->parts[p];
        void *usual = fs_arena_alloc(arena, 1, part->kind->table->size);
        fs_params_default(arena, part->kind->table, usual);
        if (fs_section_has_kinds(part->section))
            rows[(*count)++] = kind_row(arena, part);
        for (size_t i = 0; i < part->kind->table->count; i++)
            rows[(*count)++] = row_of(arena, part, i, usual);
    }
    return rows;
}

static void write_row(fs_arena *arena, const fs_config_row *l, FILE *out) {
    const char *const cells[FS_PARAMETER_COLUMNS] = {
        l->section, l->key,
        l->value,   l->unit,
        l->usual,   strcmp(l->value, l->usual) == 0 ? "no" : "yes",
        l->origin,  fs_arena_printf(arena, "%c", l->confidence),
        l->source,  fs_touches_word(l->touches),
        l->doc};
    for (size_t i = 0; i < FS_PARAMETER_COLUMNS; i++) {
        if (i > 0)
            fputc(',', out);
        fs_csv_field(cells[i], out);
    }
    fputc('\n', out);
}

void fs_config_write_parameters(const fs_config *config, FILE *out) {
    fs_arena *arena = fs_arena_create();
    size_t count = 0;
    const fs_config_row *rows = fs_config_rows(arena, config, &count);
    for (size_t i = 0; i < count; i++)
        write_row(arena, &rows[i], out);
    fs_arena_free(arena);
}
