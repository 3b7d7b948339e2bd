/* `foamsim params`: the tables as text for people. */
#include "sim/config/config.h"
#include "sim/config/value.h"
#include "sim/yaml/quantity.h"
#include "sim/yaml/words.h"

static const char *type_text(fs_arena *arena, const fs_param *row) {
    static const char *const names[] = {
        [FS_TYPE_BOOL] = "true or false",
        [FS_TYPE_INT] = "integer",
        [FS_TYPE_REAL] = "number",
        [FS_TYPE_ENUM] = "",
        [FS_TYPE_STRING] = "text",
        [FS_TYPE_PATH] = "path",
        [FS_TYPE_VEC3] = "[x, y, z]",
        [FS_TYPE_MAT4] = "4 rows of 4 numbers",
        [FS_TYPE_INT_LIST] = "list of integers",
        [FS_TYPE_VEC3_LIST] = "list of [x, y, z]",
    };
    if (row->type == FS_TYPE_ENUM)
        return fs_listed_words(arena, row->choices, "or");
    return row->word == NULL ? names[row->type]
                             : fs_arena_printf(arena, "%s or %s", row->word, names[row->type]);
}

static const char *unit_text(fs_arena *arena, const fs_param *row) {
    return row->unit == FS_UNIT_NONE ? "" : fs_listed_words(arena, fs_quantity_units(row->unit), "or");
}

static const char *default_text(const fs_param *row) {
    if (row->def == NULL)
        return "required";
    return row->def[0] == '\0' ? "none" : row->def;
}

const char *fs_touches_word(fs_touches touches) {
    static const char *const names[] = {
        [FS_TOUCHES_GEOMETRY] = "geometry",
        [FS_TOUCHES_TRAFFIC] = "traffic",
        [FS_TOUCHES_PRICE] = "price",
        [FS_TOUCHES_NOTHING] = "nothing",
    };
    return names[touches];
}

static void print_row(fs_arena *arena, const fs_param *row, FILE *out) {
    const char *range = fs_value_range(arena, row), *unit = unit_text(arena, row);
    fprintf(out, "  %s: %s%s%s%s%s\n", row->name, type_text(arena, row), unit[0] == '\0' ? "" : " in ", unit,
            range[0] == '\0' ? "" : ", ", range);
    fprintf(out, "      %s\n", row->doc);
    fprintf(out, "      default %s; changes %s", default_text(row), fs_touches_word(row->touches));
    const fs_param_origin from = fs_param_from(row);
    if (from.source[0] != '\0')
        fprintf(out, "; source %s", from.source);
    if (from.confidence != '-')
        fprintf(out, " [%c]", from.confidence);
    fputc('\n', out);
}

void fs_params_print(const fs_param_table *table, FILE *out) {
    fs_arena *arena = fs_arena_create();
    fprintf(out, "%s: %s\n", table->name, table->doc);
    for (size_t i = 0; i < table->count; i++)
        print_row(arena, &table->rows[i], out);
    fs_arena_free(arena);
}

/* One cell of a Markdown table. */
static void print_cell(const char *text, FILE *out) {
    fputs(" ", out);
    for (; *text != '\0'; text++)
        fprintf(out, "%s%c", *text == '|' ? "\\" : "", *text);
    fputs(" |", out);
}

static void print_code_cell(fs_arena *arena, const char *text, FILE *out) {
    print_cell(text[0] == '\0' ? "" : fs_arena_printf(arena, "`%s`", text), out);
}

void fs_params_print_markdown(const fs_param_table *table, FILE *out) {
    fs_arena *arena = fs_arena_create();
    fprintf(out, "## %s\n\n%s\n\n", table->name, table->doc);
    fprintf(out, "| key | takes | unit | default | range | what it is | source | confidence | changes |\n"
                 "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < table->count; i++) {
        const fs_param *row = &table->rows[i];
        fputc('|', out);
        print_code_cell(arena, row->name, out);
        print_cell(type_text(arena, row), out);
        print_cell(unit_text(arena, row), out);
        if (row->def == NULL || row->def[0] == '\0')
            print_cell(default_text(row), out);
        else
            print_code_cell(arena, row->def, out);
        print_cell(fs_value_range(arena, row), out);
        print_cell(row->doc, out);
        print_cell(fs_param_from(row).source, out);
        print_cell(fs_arena_printf(arena, "%c", fs_param_from(row).confidence), out);
        print_cell(fs_touches_word(row->touches), out);
        fputc('\n', out);
    }
    fs_arena_free(arena);
}
