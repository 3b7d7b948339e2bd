/* Values as YAML writes them: canonical, so that equal values are equal texts. */
#include "sim/config/value.h"
#include "sim/yaml/quantity.h"

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

static int write_int(const fs_param *row, int64_t value, FILE *out) {
    char text[FS_QUANTITY_TEXT];
    fs_quantity_print_int(text, row->unit, value);
    return fprintf(out, "%s", text);
}

static int write_reals(const fs_param *row, const double *values, size_t count, FILE *out) {
    int width = fprintf(out, "[");
    for (size_t i = 0; i < count; i++) {
        char text[FS_QUANTITY_TEXT];
        fs_quantity_print_real(text, row->unit, values[i]);
        width += fprintf(out, "%s%s", i == 0 ? "" : ", ", text);
    }
    return width + fprintf(out, "]");
}

static int write_matrix(const fs_param *row, const double *m, FILE *out) {
    int width = fprintf(out, "[");
    for (size_t r = 0; r < 4; r++) {
        width += fprintf(out, "%s", r == 0 ? "" : ", ");
        width += write_reals(row, m + 4 * r, 4, out);
    }
    return width + fprintf(out, "]");
}

static int write_int_list(const fs_param *row, const fs_int_list *list, FILE *out) {
    int width = fprintf(out, "[");
    for (size_t i = 0; i < list->count; i++) {
        width += fprintf(out, "%s", i == 0 ? "" : ", ");
        width += write_int(row, list->item[i], out);
    }
    return width + fprintf(out, "]");
}

static int write_points(const fs_param *row, const fs_vec3_list *list, FILE *out) {
    int width = fprintf(out, "[");
    for (size_t i = 0; i < list->count; i++) {
        width += fprintf(out, "%s", i == 0 ? "" : ", ");
        width += write_reals(row, list->item[i], 3, out);
    }
    return width + fprintf(out, "]");
}

int fs_value_write(const fs_param *row, const void *params, FILE *out) {
    const void *member = (const char *)params + row->offset;
    switch (row->type) {
    case FS_TYPE_BOOL:
        return fprintf(out, "%s", *(const bool *)member ? "true" : "false");
    case FS_TYPE_INT:
        if (row->word != NULL && *(const int64_t *)member == FS_WORD_VALUE)
            return fprintf(out, "%s", row->word);
        return write_int(row, *(const int64_t *)member, out);
    case FS_TYPE_REAL: {
        char text[FS_QUANTITY_TEXT];
        fs_quantity_print_real(text, row->unit, *(const double *)member);
        return fprintf(out, "%s", text);
    }
    case FS_TYPE_ENUM:
        return fprintf(out, "%s", row->choices[*(const int64_t *)member]);
    case FS_TYPE_STRING:
    case FS_TYPE_PATH:
        return fs_config_text_write(*(const char *const *)member, out);
    case FS_TYPE_VEC3:
        return write_reals(row, member, 3, out);
    case FS_TYPE_MAT4:
        return write_matrix(row, member, out);
    case FS_TYPE_INT_LIST:
        return write_int_list(row, member, out);
    case FS_TYPE_VEC3_LIST:
        return write_points(row, member, out);
    }
    return 0;
}
