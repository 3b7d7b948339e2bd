/* Collada, OBJ and PLY looked at line by line. */
#include "sim/host/file.h"
#include "workloads/scene/mesh/mesh_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

fs_status fs_mesh_slurp(const char *path, size_t most, fs_mesh_bytes *out, fs_error *err) {
    *out = (fs_mesh_bytes){0};
    FILE *file = fs_file_regular(path);
    if (file == NULL)
        return fs_fail(err, FS_INPUT, "%s: %s", path, fs_file_reason());
    size_t room = 1 << 16;
    out->data = fs_malloc(room + 1);
    for (size_t got = 1; got > 0 && out->size <= most;) {
        if (out->size == room)
            out->data = fs_realloc(out->data, (room *= 2) + 1);
        got = fread(out->data + out->size, 1, room - out->size, file);
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
        if (strcmp(dot, endings[f]) == 0) {
            *out = (fs_mesh_format)f;
            return FS_OK;
        }
    return fs_fail(err, FS_INPUT, "%s: not a mesh file by its name; expected .glb, .dae, .obj or .ply", path);
}

char *fs_mesh_beside(const char *path, const char *name, size_t length) {
    if (length == 0 || memchr(name, '/', length) != NULL || memchr(name, '\\', length) != NULL ||
        memchr(name, '\0', length) != NULL || name[0] == '.')
        return NULL;
    const char *slash = strrchr(path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char *out = fs_malloc(folder + length + 1);
    memcpy(out, path, folder);
    memcpy(out + folder, name, length);
    out[folder + length] = '\0';
    return out;
}

/* ---- lines ---- */

typedef struct line {
    const char *text;
    size_t length;
    uint32_t number; /* from 1 */
} line;

/* The next line; false behind the last. Begin with a zero line. */
static bool next_line(const fs_mesh_bytes *file, line *l) {
    const char *end = file->data + file->size;
    const char *at = l->text == NULL ? file->data : l->text + l->length + 1;
    if (at >= end)
        return false;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *l = (line){.text = at, .length = (size_t)((stop == NULL ? end : stop) - at), .number = l->number + 1};
    return true;
}

/* What follows a first word on a line, without blanks around it; false: it begins otherwise. */
static bool after_word(const line *l, const char *word, const char **text, size_t *length) {
    const size_t n = strlen(word);
    size_t i = 0, end = l->length;
    while (i < end && (l->text[i] == ' ' || l->text[i] == '\t'))
        i++;
    if (end - i <= n || memcmp(l->text + i, word, n) != 0 ||
        (l->text[i + n] != ' ' && l->text[i + n] != '\t'))
        return false;
    i += n;
    while (i < end && (l->text[i] == ' ' || l->text[i] == '\t'))
        i++;
    while (end > i && (l->text[end - 1] == ' ' || l->text[end - 1] == '\t' || l->text[end - 1] == '\r'))
        end--;
    *text = l->text + i;
    *length = end - i;
    return true;
}

/* Words with the lines where they stand, in the order of the file. */
typedef struct word_list {
    struct word {
        const char *text;
        size_t length;
        uint32_t line;
    } * word;
    size_t count;
} word_list;

static void keep(word_list *words, const char *text, size_t length, uint32_t at) {
    words->word = fs_grow(words->word, words->count, sizeof *words->word);
    words->word[words->count++] = (struct word){text, length, at};
}

static int by_text(const void *one, const void *two) {
    const struct word *a = one, *b = two;
    const int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* The first of `wanted` that is not among `given`, which is sorted here; NULL: none. */
static const struct word *first_missing(const word_list *wanted, word_list *given) {
    if (given->count > 0)
        qsort(given->word, given->count, sizeof *given->word, by_text);
    for (size_t i = 0; i < wanted->count; i++)
        if (given->count == 0 ||
            bsearch(&wanted->word[i], given->word, given->count, sizeof *given->word, by_text) == NULL)
            return &wanted->word[i];
    return NULL;
}

static fs_status missing_material(const char *path, const struct word *word, const char *where,
                                  fs_error *err) {
    return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": no material \"%.*s\" %s", path, word->line,
                   (int)(word->length < 80 ? word->length : 80), word->text, where);
}

/* ---- OBJ ---- */

/* Adds the materials of a library; its bytes are kept in *file as long as the names are looked at. */
static fs_status read_library(const char *path, const line *at, const char *name, size_t length,
                              fs_mesh_bytes *file, word_list *given, fs_error *err) {
    char *beside = fs_mesh_beside(path, name, length);
    if (beside == NULL)
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32 ": mtllib \"%.*s\"; a material library lies in the folder of its mesh",
                       path, at->number, (int)(length < 80 ? length : 80), name);
    fs_error why = {.status = FS_OK};
    if (fs_mesh_slurp(beside, FS_MESH_SIDE_MOST, file, &why))
        fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": mtllib: %s", path, at->number, why.text);
    free(beside);
    const char *text;
    size_t size;
    for (line l = {0}; err->status == FS_OK && next_line(file, &l);)
        if (after_word(&l, "newmtl", &text, &size))
            keep(given, text, size, l.number);
    return err->status;
}

fs_status fs_mesh_check_obj(const char *path, const fs_mesh_bytes *file, fs_error *err) {
    enum { LIBRARIES = 16 };
    fs_mesh_bytes library[LIBRARIES] = {{0}};
    size_t libraries = 0, length;
    const char *text;
    word_list wanted = {0}, given = {0};
    for (line l = {0}; err->status == FS_OK && next_line(file, &l);)
        if (after_word(&l, "usemtl", &text, &length)) {
            keep(&wanted, text, length, l.number);
        } else if (after_word(&l, "mtllib", &text, &length)) {
            if (libraries == LIBRARIES)
                fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": more than %d material libraries", path, l.number,
                        LIBRARIES);
            else
                read_library(path, &l, text, length, &library[libraries++], &given, err);
        }
    const struct word *missing = err->status == FS_OK ? first_missing(&wanted, &given) : NULL;
    if (missing != NULL)
        missing_material(path, missing, "in the material libraries of the file", err);
    while (libraries > 0)
        free(library[--libraries].data);
    free(wanted.word);
    free(given.word);
    return err->status;
}

/* ---- PLY ---- */

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
static bool is_only(const line *l, const char *word) {
    size_t n = strlen(word);
    if (!begins(l->text, l->length, word))
        return false;
    while (n < l->length && strchr(" \t\r", l->text[n]) != NULL && l->text[n] != '\0')
        n++;
    return n == l->length;
}

static fs_status check_ply_line(const char *path, const fs_mesh_bytes *file, const line *l, fs_error *err) {
    static const char *const words[] = {"format", "comment", "obj_info", "element", "property"};
    const char *text;
    size_t length;
    bool known = is_only(l, "comment") || is_only(l, "obj_info");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        known |= after_word(l, words[i], &text, &length);
    if (!known) /* assimp looks for an end of its own, for ever at some */
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": \"%.*s\"; no line of a PLY header begins so", path,
                       l->number, (int)(l->length < 60 ? l->length : 60), l->text);
    if (after_word(l, "element", &text, &length) && !second_number(text, length, file->size))
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32
                       ": element \"%.*s\"; expected a name and a number that fits a file of %zu bytes",
                       path, l->number, (int)(length < 60 ? length : 60), text, file->size);
    if (after_word(l, "property", &text, &length) && begins(text, length, "list ") &&
        !begins(text, length, "list uchar ") && !begins(text, length, "list uint8 "))
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32 ": property \"%.*s\"; a list is counted by uchar or uint8", path,
                       l->number, (int)(length < 60 ? length : 60), text);
    return FS_OK;
}

fs_status fs_mesh_check_ply(const char *path, const fs_mesh_bytes *file, fs_error *err) {
    line l = {0};
    if (!next_line(file, &l) || !is_only(&l, "ply"))
        return fs_fail(err, FS_INPUT, "%s:1: not a PLY file; expected \"ply\"", path);
    while (next_line(file, &l)) {
        if (is_only(&l, "end_header"))
            return FS_OK;
        if (check_ply_line(path, file, &l, err))
            return err->status;
    }
    return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": the header has no end_header", path, l.number);
}

bool fs_mesh_ply_has_materials(const fs_mesh_bytes *file) {
    const char *text;
    size_t length;
    for (line l = {0}; next_line(file, &l) && !is_only(&l, "end_header");)
        if (after_word(&l, "element", &text, &length) && begins(text, length, "material ") &&
            !begins(text, length, "material 0"))
            return true;
    return false;
}

/* ---- Collada ---- */

/* Value of an attribute in a tag of `length` characters; false: it has none. */
static bool attribute(const char *tag, size_t length, const char *name, const char **value, size_t *size) {
    const size_t n = strlen(name);
    for (size_t i = 1; i + n + 2 < length; i++) {
        const char quote = tag[i + n + 1];
        if ((tag[i - 1] != ' ' && tag[i - 1] != '\t' && tag[i - 1] != '\n' && tag[i - 1] != '\r') ||
            memcmp(tag + i, name, n) != 0 || tag[i + n] != '=' || (quote != '"' && quote != '\''))
            continue;
        *value = tag + i + n + 2;
        const char *stop = memchr(*value, quote, length - (i + n + 2));
        if (stop == NULL)
            return false;
        *size = (size_t)(stop - *value);
        return true;
    }
    return false;
}

static bool is_tag(const char *tag, size_t length, const char *name) {
    const size_t n = strlen(name);
    return length > n && memcmp(tag, name, n) == 0 && strchr(" \t\r\n>/", tag[n]) != NULL;
}

/* Importers go down a document, and over instances of nodes, by recursion; each instance of a geometry is a
 * copy. */
enum { MOST_DEPTH = 256 };
#define MOST_COPIED (UINT64_C(1) << 32) /* bytes of the file, times its instances */

typedef struct dae {
    const char *path;
    const fs_mesh_bytes *file;
    uint64_t instances; /* of geometries */
    int64_t depth;
    word_list wanted, given; /* materials of surfaces; symbols that are bound */
    uint32_t bare;           /* line of the first surface without a material; 0: none */
    uint32_t materials;      /* elements */
} dae;

/* How deep the document is, and how often its geometries are copied. */
static fs_status check_growth(dae *d, const char *tag, size_t length, uint32_t at, fs_error *err) {
    if (tag[0] == '/')
        d->depth--;
    else if (tag[0] != '!' && tag[0] != '?' && (length == 0 || tag[length - 1] != '/'))
        d->depth++;
    if (d->depth > MOST_DEPTH)
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": elements more than %d deep", d->path, at, MOST_DEPTH);
    if (is_tag(tag, length, "instance_node"))
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": an instance of a node; such are not read", d->path,
                       at);
    d->instances += is_tag(tag, length, "instance_geometry");
    if (d->instances * d->file->size > MOST_COPIED)
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32 ": %" PRIu64 " instances of geometries in a file of %zu bytes; their "
                       "product may be 4 GiB",
                       d->path, at, d->instances, d->file->size);
    return FS_OK;
}

/* A tag, from behind its <; `length` up to its >. */
static fs_status check_tag(dae *d, const char *tag, size_t length, uint32_t at, fs_error *err) {
    const char *value;
    size_t size;
    if (tag[0] == '!' && length > 8 && (memcmp(tag, "!DOCTYPE", 8) == 0 || memcmp(tag, "!ENTITY", 7) == 0))
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32 ": a document type with entities; a Collada file needs none, and none "
                       "are read",
                       d->path, at);
    if (check_growth(d, tag, length, at, err))
        return err->status;
    if (attribute(tag, length, "count", &value, &size) && strtoull(value, NULL, 10) > d->file->size)
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": count=\"%.*s\" is more than a file of %zu bytes holds",
                       d->path, at, (int)(size < 40 ? size : 40), value, d->file->size);
    d->materials += is_tag(tag, length, "material");
    if (is_tag(tag, length, "instance_material") && attribute(tag, length, "symbol", &value, &size))
        keep(&d->given, value, size, at);
    if (!is_tag(tag, length, "triangles") && !is_tag(tag, length, "polylist") &&
        !is_tag(tag, length, "polygons") && !is_tag(tag, length, "trifans") &&
        !is_tag(tag, length, "tristrips"))
        return FS_OK;
    if (attribute(tag, length, "material", &value, &size))
        keep(&d->wanted, value, size, at);
    else if (d->bare == 0)
        d->bare = at;
    return FS_OK;
}

fs_status fs_mesh_check_dae(const char *path, const fs_mesh_bytes *file, fs_error *err) {
    dae d = {.path = path, .file = file};
    const char *at = file->data, *end = file->data + file->size;
    uint32_t number = 1;
    while (at < end && err->status == FS_OK) {
        if (*at == '\0') {
            fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": a zero byte; a Collada file is text", path, number);
        } else if (*at == '<') {
            const char *stop = memchr(at, '>', (size_t)(end - at));
            if (stop == NULL)
                fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": a tag without end: the file is cut", path, number);
            else
                check_tag(&d, at + 1, (size_t)(stop - at), number, err);
        }
        number += *at == '\n';
        at++;
    }
    const struct word *missing = err->status == FS_OK ? first_missing(&d.wanted, &d.given) : NULL;
    if (missing != NULL)
        missing_material(path, missing, "is bound (instance_material)", err);
    else if (err->status == FS_OK && d.bare != 0 &&
             d.materials > 0) /* the library would give it any of them */
        fs_fail(err, FS_INPUT,
                "%s:%" PRIu32 ": a surface without material in a file that has %" PRIu32
                "; expected material=\"...\"",
                path, d.bare, d.materials);
    free(d.wanted.word);
    free(d.given.word);
    return err->status;
}
