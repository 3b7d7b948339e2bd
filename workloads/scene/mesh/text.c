/* Mesh files as bytes, lines and words. */
#include "sim/host/file.h"
#include "workloads/scene/mesh/files_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- files ---- */

fs_status fs_mesh_slurp(const char *path, size_t most, fs_mesh_bytes *out, fs_error *err) {
    *out = (fs_mesh_bytes){0};
    FILE *file = fs_file_regular(path);
    if (file == NULL)
        return fs_fail(err, FS_INPUT, "%s: %s", path, fs_file_reason());
    out->room = 1 << 16;
    out->data = fs_malloc(out->room);
    for (size_t got = 1; got > 0 && out->size <= most;) {
        if (out->size + 1 == out->room)
            out->data = fs_realloc(out->data, out->room *= 2);
        got = fread(out->data + out->size, 1, out->room - 1 - out->size, file);
        out->size += got;
    }
    if (ferror(file))
        fs_fail(err, FS_IO, "%s: cannot be read", path);
    else if (out->size == 0)
        fs_fail(err, FS_INPUT, "%s: the file is empty", path);
    else if (out->size > most)
        fs_fail(err, FS_INPUT, "%s: more than %zu MiB; that is the most of a mesh file", path, most >> 20);
    fclose(file);
    if (err->status != FS_OK) {
        free(out->data);
        *out = (fs_mesh_bytes){0};
    } else {
        out->data[out->size] = '\0';
    }
    return err->status;
}

fs_status fs_mesh_format_of(const char *path, fs_mesh_format *out, fs_error *err) {
    static const char *const endings[] = {".glb", ".dae", ".obj", ".ply"};
    const char *dot = strrchr(path, '.');
    for (int f = 0; dot != NULL && f < 4; f++)
        if (strcasecmp(dot, endings[f]) == 0) {
            *out = (fs_mesh_format)f;
            return FS_OK;
        }
    return fs_fail(err, FS_INPUT, "%s: not a mesh file by its name; expected .glb, .dae, .obj or .ply", path);
}

void fs_mesh_append(fs_mesh_bytes *to, const char *data, size_t size) {
    if (to->size + size + 1 > to->room) {
        to->room = 2 * to->room + size + 64;
        to->data = fs_realloc(to->data, to->room);
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
    to->data[to->size] = '\0';
}

char *fs_mesh_beside(const char *path, const char *name, size_t length) {
    const char *const slash = strrchr(path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    while (length > 2 && name[0] == '.' && (name[1] == '/' || name[1] == '\\')) {
        name += 2;
        length -= 2;
    }
    if (length == 0 || memchr(name, '/', length) != NULL || memchr(name, '\\', length) != NULL ||
        memchr(name, '\0', length) != NULL || name[0] == '.')
        return NULL;
    char *out = fs_malloc(folder + length + 1);
    memcpy(out, path, folder);
    memcpy(out + folder, name, length);
    out[folder + length] = '\0';
    return out;
}

/* ---- lines ---- */

bool fs_mesh_next_line(const fs_mesh_bytes *file, fs_mesh_line *l) {
    const char *end = file->data + file->size, *at = l->text == NULL ? file->data : l->text + l->length;
    if (l->text != NULL && at < end)
        at += *at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 1;
    if (at >= end)
        return false;
    const char *stop = at;
    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    *l = (fs_mesh_line){.text = at, .length = (size_t)(stop - at), .number = l->number + 1};
    return true;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

size_t fs_mesh_next_word(const fs_mesh_line *l, size_t *at, const char **word) {
    while (*at < l->length && is_blank(l->text[*at]))
        ++*at;
    const size_t begin = *at;
    while (*at < l->length && !is_blank(l->text[*at]))
        ++*at;
    *word = l->text + begin;
    return *at - begin;
}

bool fs_mesh_after_word(const fs_mesh_line *l, const char *word, const char **text, size_t *length) {
    const char *first;
    size_t at = 0, n = fs_mesh_next_word(l, &at, &first), end = l->length;
    if (n != strlen(word) || memcmp(first, word, n) != 0 || at == end)
        return false;
    while (at < end && is_blank(l->text[at]))
        at++;
    while (end > at && is_blank(l->text[end - 1]))
        end--;
    *text = l->text + at;
    *length = end - at;
    return true;
}

/* ---- words ---- */

void fs_mesh_keep_word(fs_mesh_words *words, const char *text, size_t length, uint32_t at) {
    words->word = fs_grow(words->word, words->count, sizeof *words->word);
    words->word[words->count++] = (fs_mesh_word){text, length, at};
}

static int by_text(const void *one, const void *two) {
    const fs_mesh_word *a = one, *b = two;
    const int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

const fs_mesh_word *fs_mesh_first_missing(const fs_mesh_words *wanted, fs_mesh_words *given) {
    if (given->count > 0)
        qsort(given->word, given->count, sizeof *given->word, by_text);
    for (size_t i = 0; i < wanted->count; i++)
        if (given->count == 0 ||
            bsearch(&wanted->word[i], given->word, given->count, sizeof *given->word, by_text) == NULL)
            return &wanted->word[i];
    return NULL;
}

fs_status fs_mesh_no_material(const char *path, const fs_mesh_word *word, const char *where, fs_error *err) {
    return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": no material \"%.*s\" %s", path, word->line,
                   (int)(word->length < 80 ? word->length : 80), word->text, where);
}
