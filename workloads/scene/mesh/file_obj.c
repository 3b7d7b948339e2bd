/* OBJ and its material libraries, looked at statement by statement and written anew in the plainest form: one statement a line, from
 * its first letter on, without comments, marks, continued lines and blanks that mean nothing. The library passes over lines that begin
 * with a blank, takes a comment behind a face for a corner, and one that ends in a backslash for the next line as well. */
#include "workloads/scene/mesh/files_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- statements ---- */

/* Statements as they are read from a text; `text` holds the present one, whose line is the first of those it stands on. */
typedef struct statements {
    const char *path;
    const fs_mesh_bytes *file;
    fs_mesh_line line;
    fs_mesh_bytes text; /* heap */
    uint32_t at;
} statements;

static fs_status wrong(const statements *s, fs_error *err, const char *expected) {
    const int length = (int)(s->text.size < 60 ? s->text.size : 60);
    return fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": \"%.*s\"; expected %s", s->path, s->at, length,
                   s->text.data, expected);
}

/* The line up to its comment, which a blank or the line's begin stands before. */
static size_t without_comment(const fs_mesh_line *l) {
    for (size_t i = 0; i < l->length; i++)
        if (l->text[i] == '#' && (i == 0 || l->text[i - 1] == ' ' || l->text[i - 1] == '\t'))
            return i;
    return l->length;
}

/* The next statement, whose words one blank separates; false behind the last. Begin with `path` and `file` alone. */
static bool next_statement(statements *s) {
    bool more = false;
    s->text.size = 0;
    while (fs_mesh_next_line(s->file, &s->line)) {
        fs_mesh_line l = s->line;
        if (l.number == 1 && l.length >= 3 && memcmp(l.text, "\xef\xbb\xbf", 3) == 0) {
            l.text += 3;
            l.length -= 3;
        }
        if (!more)
            s->at = l.number;
        const size_t whole = l.length;
        l.length = without_comment(&l);
        more = l.length == whole && whole > 0 && l.text[whole - 1] == '\\';
        l.length -= more;
        const char *word;
        size_t at = 0, length;
        while ((length = fs_mesh_next_word(&l, &at, &word)) > 0) {
            if (s->text.size > 0)
                fs_mesh_append(&s->text, " ", 1);
            fs_mesh_append(&s->text, word, length);
        }
        if (!more && s->text.size > 0)
            return true;
    }
    return s->text.size > 0;
}

/* What follows `word` and a blank in the statement; NULL: it begins otherwise. */
static const char *after(const statements *s, const char *word) {
    const size_t n = strlen(word);
    return s->text.size > n && memcmp(s->text.data, word, n) == 0 && s->text.data[n] == ' '
               ? s->text.data + n + 1
               : NULL;
}

static bool begins_with_one_of(const statements *s, const char *const *words) {
    const size_t length = strcspn(s->text.data, " ");
    for (; *words != NULL; words++)
        if (strlen(*words) == length && memcmp(s->text.data, *words, length) == 0)
            return true;
    return false;
}

/* ---- numbers ---- */

/* Real numbers of decimal digits up to the end; how many, or -1: another word is among them. */
static int count_reals(const char *text) {
    int count = 0;
    while (*text != '\0') {
        const size_t length = strcspn(text, " ");
        char *end;
        if (strspn(text, "+-.0123456789eE") < length || (strtod(text, &end), end != text + length))
            return -1;
        count++;
        text += length + (text[length] == ' ');
    }
    return count;
}

enum { PLACES, COORDINATES, NORMALS, LISTS }; /* v, vt, vn */

typedef struct obj {
    statements s;
    uint64_t count[LISTS]; /* of each list so far */
    struct {
        uint64_t index;
        uint32_t line;
    } most[LISTS]; /* the largest number that a face names */
    bool libraries;
    fs_mesh_words wanted; /* materials; texts are of the file that is written */
    fs_mesh_bytes out;
} obj;

/* A corner "place/coordinates/normal", numbers from 1 or back from the last; NULL: it is wrong, else what follows it. */
static const char *take_corner(obj *o, const char *text) {
    for (int list = PLACES; list < LISTS; list++) {
        char *end;
        const bool given = *text == '-' || isdigit((unsigned char)*text);
        const long long n = given ? strtoll(text, &end, 10) : 0;
        if ((given && (n == 0 || n > UINT32_MAX || -n > (long long)o->count[list])) ||
            (!given && list != COORDINATES))
            return NULL;
        if (n > 0 && (uint64_t)n > o->most[list].index) {
            o->most[list].index = (uint64_t)n;
            o->most[list].line = o->s.at;
        }
        text = given ? end : text;
        if (*text != '/')
            break;
        text++;
    }
    return *text == ' ' || *text == '\0' ? text + (*text == ' ') : NULL;
}

static fs_status take_face(obj *o, const char *corners, fs_error *err) {
    int count = 0;
    while (corners != NULL && *corners != '\0') {
        corners = take_corner(o, corners);
        count++;
    }
    return corners == NULL || count < 3
               ? wrong(&o->s, err, "at least 3 corners, numbers of vertices as v, v/vt, v//vn or v/vt/vn")
               : FS_OK;
}

/* ---- material libraries ---- */

/* Adds a library in plain form behind those before it. */
static fs_status add_library(const char *path, fs_mesh_bytes *side, fs_error *err) {
    static const char *const colours[] = {"Ka", "Kd", "Ks", "Ke", "Tf", NULL};
    fs_mesh_bytes file;
    if (fs_mesh_slurp(path, FS_MESH_SIDE_MOST, &file, err))
        return err->status;
    statements s = {.path = path, .file = &file};
    while (err->status == FS_OK && next_statement(&s)) {
        if (begins_with_one_of(&s, colours) && count_reals(s.text.data + 3) < 1)
            wrong(&s, err, "numbers; spectra and CIE XYZ are not read");
        fs_mesh_append(side, s.text.data, s.text.size);
        fs_mesh_append(side, "\n", 1);
    }
    free(s.text.data);
    free(file.data);
    return err->status;
}

/* A library by that name beside the file; false: no file has it. A name that leads elsewhere is an error. */
static bool open_library(obj *o, const char *name, size_t length, fs_mesh_source *source, fs_error *err) {
    char *beside = fs_mesh_beside(o->s.path, name, length);
    fs_error why = {.status = FS_OK};
    if (beside != NULL && source->seen != NULL)
        source->seen(source->self, beside);
    if (beside == NULL)
        fs_fail(err, FS_INPUT,
                "%s:%" PRIu32 ": mtllib \"%.*s\"; a material library lies in the folder of its mesh",
                o->s.path, o->s.at, (int)(length < 80 ? length : 80), name);
    else if (add_library(beside, &source->side, &why))
        fs_fail(err, FS_INPUT, "%s:%" PRIu32 ": mtllib: %s", o->s.path, o->s.at, why.text);
    free(beside);
    return err->status == FS_OK;
}

/* One name, which may have blanks in it, or several between blanks. */
static fs_status take_libraries(obj *o, const char *names, fs_mesh_source *source, fs_error *err) {
    fs_error first = {.status = FS_OK};
    if (open_library(o, names, strlen(names), source, &first))
        return FS_OK;
    if (strchr(names, ' ') == NULL) {
        *err = first;
        return err->status;
    }
    while (*names != '\0' && err->status == FS_OK) {
        const size_t length = strcspn(names, " ");
        open_library(o, names, length, source, err);
        names += length + (names[length] == ' ');
    }
    return err->status;
}

/* ---- the file ---- */

/* A place, texture coordinates or a normal; what the library counts otherwise is written as it counts. */
static fs_status take_numbers(obj *o, int list, const char *numbers, fs_error *err) {
    const int reals = count_reals(numbers);
    o->count[list]++;
    if (list == COORDINATES && reals == 1) {
        fs_mesh_append(&o->s.text, " 0", 2);
        return FS_OK;
    }
    const bool fits = list == PLACES        ? reals == 3 || reals == 4 || reals == 6
                      : list == COORDINATES ? reals == 2 || reals == 3
                                            : reals == 3;
    return fits ? FS_OK
                : wrong(&o->s, err,
                        "numbers: v of 3, of 4 with a weight or of 6 with a colour, vt of 1 to 3, vn of 3");
}

static fs_status take_statement(obj *o, fs_mesh_source *source, fs_error *err) {
    static const char *const lists[] = {"v", "vt", "vn"}, *const named[] = {"usemtl", "mtllib", NULL},
                             *const kept[] = {"o", "g", "s", "l", "p", NULL},
                             *const idle[] = {"mg",     "bevel",  "c_interp",   "d_interp",  "lod",
                                              "maplib", "usemap", "shadow_obj", "trace_obj", NULL},
                             *const curved[] = {"vp",    "cstype", "deg",  "bmat", "step", "curv",
                                                "curv2", "surf",   "parm", "trim", "hole", "scrv",
                                                "sp",    "end",    "con",  NULL};
    const char *rest;
    for (int list = PLACES; list < LISTS; list++)
        if ((rest = after(&o->s, lists[list])) != NULL)
            return take_numbers(o, list, rest, err);
    if ((rest = after(&o->s, "f")) != NULL)
        return take_face(o, rest, err);
    if ((rest = after(&o->s, "usemtl")) != NULL) {
        fs_mesh_keep_word(&o->wanted, fs_strdup(rest), strlen(rest), o->s.at);
    } else if ((rest = after(&o->s, "mtllib")) != NULL) {
        take_libraries(o, rest, source, err);
        o->s.text.size = 0;
        if (!o->libraries) /* the library asks for one and is given all */
            fs_mesh_append(&o->s.text, "mtllib m.mtl", 12);
        o->libraries = true;
    } else if (begins_with_one_of(&o->s, idle)) {
        o->s.text.size = 0;
    } else if (begins_with_one_of(&o->s, named)) {
        wrong(&o->s, err, "a name behind it");
    } else if (begins_with_one_of(&o->s, curved)) {
        wrong(&o->s, err, "polygons; curves and free surfaces are not read");
    } else if (!begins_with_one_of(&o->s, kept)) {
        wrong(&o->s, err, "a statement of an OBJ file");
    }
    return err->status;
}

static fs_status check_faces(const obj *o, fs_error *err) {
    static const char *const names[] = {"vertex", "texture coordinate", "normal"};
    for (int list = PLACES; list < LISTS; list++)
        if (o->most[list].index > o->count[list])
            return fs_fail(err, FS_INPUT,
                           "%s:%" PRIu32 ": a face names %s %" PRIu64 "; the file has %" PRIu64 " of them",
                           o->s.path, o->most[list].line, names[list], o->most[list].index, o->count[list]);
    return FS_OK;
}

static fs_status check_names(const obj *o, const fs_mesh_bytes *side, fs_error *err) {
    fs_mesh_words given = {0};
    for (fs_mesh_line l = {0}; side->size > 0 && fs_mesh_next_line(side, &l);) {
        const char *name;
        size_t length;
        if (fs_mesh_after_word(&l, "newmtl", &name, &length))
            fs_mesh_keep_word(&given, name, length, l.number);
    }
    const fs_mesh_word *missing = fs_mesh_first_missing(&o->wanted, &given);
    if (missing != NULL)
        fs_mesh_no_material(o->s.path, missing, "in the material libraries of the file", err);
    free(given.word);
    return err->status;
}

fs_status fs_mesh_check_obj(fs_mesh_source *source, fs_error *err) {
    obj o = {.s = {.path = source->path, .file = &source->bytes}};
    while (err->status == FS_OK && next_statement(&o.s) && take_statement(&o, source, err) == FS_OK) {
        if (o.s.text.size == 0)
            continue;
        fs_mesh_append(&o.out, o.s.text.data, o.s.text.size);
        fs_mesh_append(&o.out, "\n", 1);
    }
    if (err->status == FS_OK && check_faces(&o, err) == FS_OK)
        check_names(&o, &source->side, err);
    for (size_t i = 0; i < o.wanted.count; i++)
        free((char *)o.wanted.word[i].text);
    free(o.wanted.word);
    free(o.s.text.data);
    free(source->bytes.data);
    source->bytes = o.out;
    return err->status;
}

void fs_mesh_names(const char *path, fs_param_seen seen, void *self) {
    fs_mesh_source source = {.path = path, .seen = seen, .self = self};
    fs_error ignored = {.status = FS_OK}; /* who loads it says what is wrong */
    if (fs_mesh_format_of(path, &source.format, &ignored) == FS_OK && source.format == FS_MESH_OBJ &&
        fs_mesh_slurp(path, FS_MESH_FILE_MOST, &source.bytes, &ignored) == FS_OK)
        fs_mesh_check_obj(&source, &ignored);
    free(source.bytes.data);
    free(source.side.data);
}
