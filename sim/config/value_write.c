/* Values as YAML writes them: canonical, so that equal values are equal texts. */
#include "sim/config/section.h"
#include "sim/yaml/quantity.h"

#include <stdlib.h>
#include <string.h>

bool fs_value_present(const fs_param *row, const void *params) {
    return row->given == 0 || *(const bool *)((const char *)params + row->given);
}

/* Decodes one character of valid UTF-8; returns its bytes. */
static size_t decode(const char *text, uint32_t *code) {
    unsigned char c = (unsigned char)text[0];
    size_t n = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    *code = n == 1 ? c : c & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++)
        *code = *code << 6 | ((unsigned char)text[i] & 0x3f);
    return n;
}

/* YAML would fold, refuse or hide these inside quotes. */
static bool needs_escape(uint32_t code) {
    return code < ' ' || (code >= 0x7f && code <= 0xa0) || code == 0x2028 || code == 0x2029 ||
           code == 0xfeff || code == 0xfffe || code == 0xffff;
}

int fs_config_text_write(const char *text, FILE *out) {
    int width = fprintf(out, "\"");
    while (*text != '\0') {
        uint32_t code;
        size_t bytes = decode(text, &code);
        if (code == '"' || code == '\\')
            width += fprintf(out, "\\%c", (int)code);
        else if (needs_escape(code))
            width += fprintf(out, "\\u%04x", (unsigned)code);
        else {
            fwrite(text, 1, bytes, out);
            width++;
        }
        text += bytes;
    }
    return width + fprintf(out, "\"");
}

/* An int64_t or a double, as the row has. */
static int write_number(const fs_param *row, const void *value, FILE *out) {
    char text[FS_QUANTITY_TEXT];
    const bool real = row->type != FS_TYPE_INT && row->type != FS_TYPE_INT_LIST;
    if (row->word != NULL &&
        (real ? *(const double *)value == FS_WORD_VALUE : *(const int64_t *)value == FS_WORD_VALUE))
        return fprintf(out, "%s", row->word);
    if (real)
        fs_quantity_print_real(text, row->unit, *(const double *)value);
    else
        fs_quantity_print_int(text, row->unit, *(const int64_t *)value);
    return fprintf(out, "%s", text);
}

/* `count` numbers, or lists of `each` of them. */
static int write_list(const fs_param *row, const void *items, size_t count, size_t each, FILE *out) {
    enum { NUMBER_BYTES = 8 };
    int width = fprintf(out, "[");
    for (size_t i = 0; i < count; i++) {
        const char *item = (const char *)items + i * (each == 0 ? 1 : each) * NUMBER_BYTES;
        width += fprintf(out, "%s", i == 0 ? "" : ", ");
        width += each == 0 ? write_number(row, item, out) : write_list(row, item, each, 0, out);
    }
    return width + fprintf(out, "]");
}

int fs_value_write(const fs_param *row, const void *params, FILE *out) {
    const void *member = (const char *)params + row->offset;
    if (!fs_value_present(row, params))
        return fprintf(out, "none");
    switch (row->type) {
    case FS_TYPE_BOOL:
        return fprintf(out, "%s", *(const bool *)member ? "true" : "false");
    case FS_TYPE_INT:
    case FS_TYPE_REAL:
        return write_number(row, member, out);
    case FS_TYPE_ENUM:
        return fprintf(out, "%s", row->choices[*(const int64_t *)member]);
    case FS_TYPE_STRING:
    case FS_TYPE_PATH:
        return fs_config_text_write(*(const char *const *)member, out);
    case FS_TYPE_VEC3:
        return write_list(row, member, 3, 0, out);
    case FS_TYPE_MAT4:
        return write_list(row, member, 4, 4, out);
    case FS_TYPE_INT_LIST:
        return write_list(row, ((const fs_int_list *)member)->item, ((const fs_int_list *)member)->count, 0,
                          out);
    case FS_TYPE_VEC3_LIST:
        return write_list(row, ((const fs_vec3_list *)member)->item, ((const fs_vec3_list *)member)->count, 3,
                          out);
    }
    return 0;
}

/* ---- rows of a table ---- */

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
