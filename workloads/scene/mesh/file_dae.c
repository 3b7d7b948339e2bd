/* Collada looked at tag by tag. */
#include "sim/base/detmath.h"
#include "workloads/scene/mesh/files_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* A tag, from behind its "<" and `length` up to its ">"; comments are passed over. */
typedef struct tag {
    const char *text;
    size_t length;
    uint32_t line;
    bool cut; /* behind the last: at a zero byte, or at a tag without end */
} tag;

/* The next tag; false behind the last. Begin with a zero tag. */
static bool next_tag(const fs_mesh_bytes *file, tag *t) {
    const char *at = t->text == NULL ? file->data : t->text + t->length, *const end = file->data + file->size;
    uint32_t line = t->text == NULL ? 1 : t->line;
    for (const char *c = t->text; c != NULL && c < at; c++)
        line += *c == '\n';
    bool comment = false;
    for (; at < end; at++) {
        line += *at == '\n';
        comment =
            comment ? at - file->data < 3 || memcmp(at - 2, "-->", 3) != 0 : strncmp(at, "<!--", 4) == 0;
        if (*at != '\0' && (*at != '<' || comment))
            continue;
        const char *stop = *at == '\0' ? NULL : memchr(at, '>', (size_t)(end - at));
        *t = stop == NULL ? (tag){.text = at, .line = line, .cut = true}
                          : (tag){.text = at + 1, .length = (size_t)(stop - at - 1), .line = line};
        return stop != NULL;
    }
    return false;
}

static bool is_tag(const tag *t, const char *name) {
    const size_t n = strlen(name);
    return t->length >= n && memcmp(t->text, name, n) == 0 && strchr(" \t\r\n>/", t->text[n]) != NULL;
}

static bool ends_itself(const tag *t) {
    return t->length > 0 && t->text[t->length - 1] == '/';
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
    fs_mesh_words wanted, given; /* materials of surfaces; symbols that are bound */
    uint32_t bare;               /* line of the first surface without a material; 0: none */
    uint32_t materials;          /* elements */
} dae;

/* How deep the document is, and how often its geometries are copied. */
static fs_status check_growth(dae *d, const tag *t, fs_error *err) {
    if (t->text[0] == '/')
        d->depth--;
    else if (t->text[0] != '!' && t->text[0] != '?' && !ends_itself(t))
        d->depth++;
    if (d->depth > MOST_DEPTH)
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": elements more than %d deep", d->path, t->line,
                       MOST_DEPTH);
    if (is_tag(t, "instance_node"))
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": an instance of a node; such are not read", d->path,
                       t->line);
    d->instances += is_tag(t, "instance_geometry");
    if (d->instances * d->file->size > MOST_COPIED)
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32 ": %" PRIu64 " instances of geometries in a file of %zu bytes; their "
                       "product may be 4 GiB",
                       d->path, t->line, d->instances, d->file->size);
    return FS_OK;
}

static fs_status check_tag(dae *d, const tag *t, fs_error *err) {
    const char *value;
    size_t size;
    if (strncmp(t->text, "!DOCTYPE", 8) == 0 || strncmp(t->text, "!ENTITY", 7) == 0)
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32 ": a document type with entities; a Collada file needs none, and none "
                       "are read",
                       d->path, t->line);
    if (check_growth(d, t, err))
        return err->status;
    if (attribute(t->text, t->length, "count", &value, &size) && strtoull(value, NULL, 10) > d->file->size)
        return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": count=\"%.*s\" is more than a file of %zu bytes holds",
                       d->path, t->line, (int)(size < 40 ? size : 40), value, d->file->size);
    d->materials += is_tag(t, "material");
    if (is_tag(t, "instance_material") && attribute(t->text, t->length, "symbol", &value, &size))
        fs_mesh_keep_word(&d->given, value, size, t->line);
    if (!is_tag(t, "triangles") && !is_tag(t, "polylist") && !is_tag(t, "polygons") &&
        !is_tag(t, "trifans") && !is_tag(t, "tristrips"))
        return FS_OK;
    if (attribute(t->text, t->length, "material", &value, &size))
        fs_mesh_keep_word(&d->wanted, value, size, t->line);
    else if (d->bare == 0)
        d->bare = t->line;
    return FS_OK;
}

fs_status fs_mesh_check_dae(const char *path, const fs_mesh_bytes *file, fs_error *err) {
    dae d = {.path = path, .file = file};
    tag t = {0};
    while (err->status == FS_OK && next_tag(file, &t))
        check_tag(&d, &t, err);
    if (err->status == FS_OK && t.cut)
        fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": %s", path, t.line,
                *t.text == '\0' ? "a zero byte; a Collada file is text"
                                : "a tag without end: the file is cut");
    const fs_mesh_word *missing = err->status == FS_OK ? fs_mesh_first_missing(&d.wanted, &d.given) : NULL;
    if (missing != NULL)
        fs_mesh_no_material(path, missing, "is bound (instance_material)", err);
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

/* ---- the camera ---- */

enum { MOST_NODES = MOST_DEPTH };

/* Text of an attribute of a tag, without a "#" in front; false: it has none, or a longer one. */
static bool copy_attribute(const tag *t, const char *name, char out[256]) {
    const char *value;
    size_t size;
    out[0] = '\0';
    if (!attribute(t->text, t->length, name, &value, &size))
        return false;
    const size_t mark = size > 0 && value[0] == '#';
    if (size - mark >= 256)
        return false;
    memcpy(out, value + mark, size - mark);
    out[size - mark] = '\0';
    return true;
}

/* The visual scene that the file shows: that of its last <scene>; "": any. */
static void find_shown(const fs_mesh_bytes *file, char out[256]) {
    out[0] = '\0';
    for (tag t = {0}; next_tag(file, &t);)
        if (is_tag(&t, "instance_visual_scene"))
            copy_attribute(&t, "url", out);
}

/* The first camera in it: its id, and of its node the id, else the sid. */
static bool find_instance(const fs_mesh_bytes *file, char camera[256], char node[256]) {
    char shown[256], in[256] = "", name[MOST_NODES][256];
    size_t depth = 0;
    find_shown(file, shown);
    for (tag t = {0}; next_tag(file, &t);) {
        if (is_tag(&t, "visual_scene")) {
            copy_attribute(&t, "id", in);
        } else if (is_tag(&t, "node") && !ends_itself(&t) && depth < MOST_NODES) {
            if (!copy_attribute(&t, "id", name[depth]))
                copy_attribute(&t, "sid", name[depth]);
            depth++;
        } else if (is_tag(&t, "/node") && depth > 0) {
            depth--;
        } else if (is_tag(&t, "instance_camera") && depth > 0 &&
                   (shown[0] == '\0' || strcmp(shown, in) == 0)) {
            strcpy(node, name[depth - 1]);
            return copy_attribute(&t, "url", camera);
        }
    }
    return false;
}

/* The number of an element, degrees, in radians. */
static float angle_of(const tag *t) {
    return (float)(strtod(t->text + t->length + 1, NULL) * FS_DEGREE);
}

fs_status fs_mesh_find_dae_camera(const char *path, const fs_mesh_bytes *file, fs_mesh_dae_camera *out,
                                  fs_error *err) {
    char wanted[256], id[256] = "";
    *out = (fs_mesh_dae_camera){.found = false};
    out->found = find_instance(file, wanted, out->node);
    uint32_t line = 0;
    for (tag t = {0}; out->found && next_tag(file, &t);) {
        if (is_tag(&t, "camera"))
            copy_attribute(&t, "id", id);
        if (strcmp(id, wanted) != 0)
            continue;
        if (is_tag(&t, "camera"))
            line = t.line;
        if (is_tag(&t, "/camera"))
            break;
        const bool across = is_tag(&t, "xfov");
        if (across || (is_tag(&t, "yfov") && out->fov == 0)) {
            out->fov = angle_of(&t);
            out->across = across;
        }
    }
    if (out->found && out->fov == 0)
        return fs_fail(err, FS_INPUT,
                       "%s:%" PRIu32
                       ": camera \"%s\" has no xfov or yfov; a perspective with one of them is read",
                       path, line, wanted);
    return FS_OK;
}
