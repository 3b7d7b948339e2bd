/* PLY looked at line by line. */
#include "workloads/scene/mesh/files_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The second word of "NAME NUMBER" as a number; false: it is none, or above `most`. */
static bool second_number(const char *text, size_t length, uint64_t most) {
    size_t i = 0;
    uint64_t number = 0;
    while (i < length && text[i] != ' ')
        i++;
    while (i < length && text[i] == ' ')
        i++;
    const size_t first = i;
    for (; i < length && text[i] >= '0' && text[i] <= '9' && number <= most; i++)
        number = 10 * number + (uint64_t)(text[i] - '0');
    return i > first && i == length && number <= most;
}

static bool begins(const char *text, size_t length, const char *with) {
    return length >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* The line is this word, and nothing but blanks. */
static bool is_only(const fs_mesh_line *l, const char *word) {
    size_t n = strlen(word);
    if (!begins(l->text, l->length, word))
        return false;
    while (n < l->length && strchr(" \t\r", l->text[n]) != NULL && l->text[n] != '\0')
        n++;
    return n == l->length;
}

static fs_status check_ply_line(const char *path, const fs_mesh_bytes *file, const fs_mesh_line *l,
                                fs_error *err) {
    static const char *const words[] = {"format", "comment", "obj_info", "element", "property"};
    const char *text;
    size_t length;
    bool known = is_only(l, "comment") || is_only(l, "obj_info");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        known |= fs_mesh_after_word(l, words[i], &text, &length);
    if (!known) /* assimp looks for an end of its own, for ever at some */
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": \"%.*s\"; no line of a PLY header begins so", path,
                       l->number, (int)(l->length < 60 ? l->length : 60), l->text);
    if (fs_mesh_after_word(l, "element", &text, &length) && !second_number(text, length, file->size))
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32
                       ": element \"%.*s\"; expected a name and a number that fits a file of %zu bytes",
                       path, l->number, (int)(length < 60 ? length : 60), text, file->size);
    if (fs_mesh_after_word(l, "property", &text, &length) && begins(text, length, "list ") &&
        !begins(text, length, "list uchar ") && !begins(text, length, "list uint8 "))
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32 ": property \"%.*s\"; a list is counted by uchar or uint8", path,
                       l->number, (int)(length < 60 ? length : 60), text);
    return FS_OK;
}

/* An element of one byte in front of the first one, whose data begin at `data`. */
static void add_byte(fs_mesh_bytes *file, const char *first_element, size_t data) {
    static const char element[] = "element edge 1\nproperty uchar vertex1\n";
    const size_t head = (size_t)(first_element - file->data);
    fs_mesh_bytes out = {0};
    fs_mesh_append(&out, file->data, head);
    fs_mesh_append(&out, element, sizeof element - 1);
    fs_mesh_append(&out, file->data + head, data - head);
    fs_mesh_append(&out, "x", 1);
    fs_mesh_append(&out, file->data + data, file->size - data);
    free(file->data);
    *file = out;
}

/* Least bytes of a property of a binary record: a number, or the count of a list. */
static uint64_t least_bytes(const char *type, size_t length) {
    static const struct {
        const char *name;
        uint64_t bytes;
    } types[] = {{"list ", 1},   {"char ", 1},   {"uchar ", 1},  {"int8 ", 1},   {"uint8 ", 1},
                 {"short ", 2},  {"ushort ", 2}, {"int16 ", 2},  {"uint16 ", 2}, {"int ", 4},
                 {"uint ", 4},   {"int32 ", 4},  {"uint32 ", 4}, {"float ", 4},  {"float32 ", 4},
                 {"double ", 8}, {"float64 ", 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (begins(type, length, types[i].name))
            return types[i].bytes;
    return 0;
}

fs_status fs_mesh_check_ply(const char *path, fs_mesh_bytes *file, fs_error *err) {
    fs_mesh_line l = {0};
    const char *first_element = NULL, *rest;
    size_t length;
    bool binary = false;
    uint64_t count = 0, least = 0; /* of the element that is read; bytes of all records */
    if (!fs_mesh_next_line(file, &l) || !is_only(&l, "ply"))
        return fs_fail(err, FS_INPUT, "%s:1: not a PLY file; expected \"ply\"", path);
    const size_t end =
        l.text[l.length] == '\r' && l.text[l.length + 1] == '\n' ? 2 : 1; /* of a line, bytes */
    while (fs_mesh_next_line(file, &l)) {
        const size_t data = (size_t)(l.text + l.length - file->data) + end;
        if (is_only(&l, "end_header")) {
            if (binary && least > file->size - (data < file->size ? data : file->size))
                return fs_fail(err, FS_INPUT,
                               "%s: the file is cut: its elements take at least %" PRIu64
                               " bytes, and %zu follow the header",
                               path, least, data < file->size ? file->size - data : 0);
            if (binary && first_element != NULL && data < file->size &&
                (file->data[data] == '\n' || file->data[data] == '\r'))
                add_byte(file, first_element, data);
            return FS_OK;
        }
        if (check_ply_line(path, file, &l, err))
            return err->status;
        if (fs_mesh_after_word(&l, "element", &rest, &length))
            count = strtoull(memchr(rest, ' ', length), NULL, 10);
        if (fs_mesh_after_word(&l, "property", &rest, &length))
            least += count * least_bytes(rest, length);
        if (first_element == NULL && fs_mesh_after_word(&l, "element", &rest, &length))
            first_element = l.text;
        binary |= fs_mesh_after_word(&l, "format", &rest, &length) && begins(rest, length, "binary_");
    }
    return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": the header has no end_header", path, l.number);
}

bool fs_mesh_ply_has_materials(const fs_mesh_bytes *file) {
    const char *text;
    size_t length;
    for (fs_mesh_line l = {0}; fs_mesh_next_line(file, &l) && !is_only(&l, "end_header");)
        if (fs_mesh_after_word(&l, "element", &text, &length) && begins(text, length, "material ") &&
            !begins(text, length, "material 0"))
            return true;
    return false;
}
