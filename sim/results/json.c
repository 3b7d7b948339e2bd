/* JSON text. jansson's own writer prints reals in 17 digits or by a build option of the library; this one
 * prints the shortest text that reads back, the same on every machine. */
#include "sim/results/results.h"

#include <math.h>
#include <string.h>

static void write_string(const char *text, size_t length, FILE *out) {
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", out);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void write_line(int depth, FILE *out) {
    fputc('\n', out);
    for (int i = 0; i < depth; i++)
        fputs("  ", out);
}

static void write_value(const json_t *value, int depth, FILE *out);

static bool all_scalars(const json_t *array) {
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (json_is_object(item) || json_is_array(item))
            return false;
    }
    return true;
}

static void write_array(const json_t *array, int depth, FILE *out) {
    bool one_line = all_scalars(array);
    fputc('[', out);
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (i > 0)
            fputs(one_line ? ", " : ",", out);
        if (!one_line)
            write_line(depth + 1, out);
        write_value(json_array_get(array, i), depth + 1, out);
    }
    if (!one_line)
        write_line(depth, out);
    fputc(']', out);
}

static void write_object(const json_t *object, int depth, FILE *out) {
    json_t *borrowed =
        (json_t *)(uintptr_t)object; /* jansson's iterators want it writable; nothing is written */
    bool first = true;
    fputc('{', out);
    for (void *at = json_object_iter(borrowed); at != NULL; at = json_object_iter_next(borrowed, at)) {
        if (!first)
            fputc(',', out);
        first = false;
        write_line(depth + 1, out);
        write_string(json_object_iter_key(at), strlen(json_object_iter_key(at)), out);
        fputs(": ", out);
        write_value(json_object_iter_value(at), depth + 1, out);
    }
    if (!first)
        write_line(depth, out);
    fputc('}', out);
}

static void write_value(const json_t *value, int depth, FILE *out) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        write_object(value, depth, out);
        break;
    case JSON_ARRAY:
        write_array(value, depth, out);
        break;
    case JSON_STRING:
        write_string(json_string_value(value), json_string_length(value), out);
        break;
    case JSON_INTEGER:
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        fputs(FS_REAL_WORD(json_real_value(value)), out);
        break;
    case JSON_TRUE:
        fputs("true", out);
        break;
    case JSON_FALSE:
        fputs("false", out);
        break;
    case JSON_NULL:
        fputs("null", out);
        break;
    }
}

void fs_json_write(const json_t *root, FILE *out) {
    write_value(root, 0, out);
    fputc('\n', out);
}

fs_status fs_results_json(fs_results *results, const char *name, const json_t *root, fs_error *err) {
    FILE *file = fs_results_create(results, name, NULL, NULL, 0, err);
    if (file == NULL)
        return FS_IO;
    fs_json_write(root, file);
    return fs_results_close(results, file, err);
}

json_t *fs_json_number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

const char *fs_json_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

double fs_json_real(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}
