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

/* One row before it is written. */
typedef struct line {
    const char *section, *key, *value, *unit, *usual, *source, *doc;
    fs_mark origin;
    char confidence;
    fs_touches touches;
} line;

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
static void judge(line *l) {
    if (l->confidence == '-' || strcmp(l->value, l->usual) == 0)
        return;
    const char *stated = l->origin.stated;
    const bool known = stated != NULL && strchr("PMRIA", stated[1]) != NULL;
    l->confidence = 'Y';
    if (known)
        l->confidence = stated[1];
    l->source = known ? stated + strlen("[P] ") : "";
}

static void write_line(fs_arena *arena, const line *l, FILE *out) {
    const char *const cells[FS_PARAMETER_COLUMNS] = {l->section,
                                                     l->key,
                                                     l->value,
                                                     l->unit,
                                                     l->usual,
                                                     strcmp(l->value, l->usual) == 0 ? "no" : "yes",
                                                     origin_text(arena, l->origin),
                                                     fs_arena_printf(arena, "%c", l->confidence),
                                                     l->source,
                                                     fs_touches_word(l->touches),
                                                     l->doc};
    for (size_t i = 0; i < FS_PARAMETER_COLUMNS; i++) {
        if (i > 0)
            fputc(',', out);
        fs_csv_field(cells[i], out);
    }
    fputc('\n', out);
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
static void write_kind(fs_arena *arena, const fs_config_part *part, FILE *out) {
    const fs_param_table *table = part->kind->table;
    const fs_node *node = fs_tree_get(part->node, "kind");
    line l = {.section = part->section->name,
              .key = "kind",
              .value = part->kind->kind,
              .unit = "",
              .usual = part->section->default_kind == NULL ? "required" : part->section->default_kind,
              .source = "",
              .doc = table->doc,
              .confidence = '-',
              .touches = fs_table_reach(table)};
    if (node != NULL)
        l.origin = node->mark;
    write_line(arena, &l, out);
}

static void write_part(fs_arena *arena, const fs_config_part *part, FILE *out) {
    const fs_param_table *table = part->kind->table;
    void *usual = fs_arena_alloc(arena, 1, table->size);
    fs_params_default(arena, table, usual);
    if (fs_section_has_kinds(part->section))
        write_kind(arena, part, out);
    for (size_t i = 0; i < table->count; i++) {
        const fs_param *row = &table->rows[i];
        line l = {.section = part->section->name,
                  .key = row->name,
                  .value = value_text(arena, row, part->params),
                  .unit = row->unit == FS_UNIT_NONE ? "" : fs_quantity_units(row->unit)[0],
                  .usual = row->def == NULL ? "required" : value_text(arena, row, usual),
                  .source = fs_param_from(row).source,
                  .doc = row->doc,
                  .origin = part->origin[i],
                  .confidence = fs_param_from(row).confidence,
                  .touches = row->touches};
        judge(&l);
        write_line(arena, &l, out);
    }
}

void fs_config_write_parameters(const fs_config *config, FILE *out) {
    fs_arena *arena = fs_arena_create();
    for (size_t i = 0; i < config->count; i++)
        write_part(arena, &config->parts[i], out);
    fs_arena_free(arena);
}
