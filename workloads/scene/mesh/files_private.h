/* Mesh files: what is looked at before a library sees a byte, and what a library does not read rightly; of this folder alone.
 *
 * A file is checked by its format first (fs_mesh_check_...), which may put it into a plainer form: bytes are the program's
 * own. What cannot be read as its format says is FS_INPUT with file and line, byte or JSON path. */
#pragma once

#include "workloads/scene/mesh/mesh_private.h"

enum {
    FS_MESH_FILE_MOST = 256 << 20, /* bytes of a mesh file */
    FS_MESH_SIDE_MOST = 1 << 20,   /* of a material library beside it */
};

typedef enum fs_mesh_format { FS_MESH_GLB, FS_MESH_DAE, FS_MESH_OBJ, FS_MESH_PLY } fs_mesh_format;

/* A file in memory, one zero byte after it; heap, `room` bytes of it. */
typedef struct fs_mesh_bytes {
    char *data;
    size_t size, room;
} fs_mesh_bytes;

/* What the library is given: the file, and of an OBJ its material libraries one behind the other. */
typedef struct fs_mesh_source {
    const char *path;
    fs_mesh_format format;
    fs_mesh_bytes bytes, side;
    fs_param_seen seen; /* is called with each library that is wanted, and `self`; NULL: nobody asks */
    void *self;
} fs_mesh_source;

/* Reads a regular file of at most `most` bytes; an empty one is FS_INPUT. */
fs_status fs_mesh_slurp(const char *path, size_t most, fs_mesh_bytes *out, fs_error *err);
/* Adds `size` bytes at the end. */
void fs_mesh_append(fs_mesh_bytes *to, const char *data, size_t size);

/* Format by the ending of the name, in any case of its letters. FS_INPUT names those that are read. */
fs_status fs_mesh_format_of(const char *path, fs_mesh_format *out, fs_error *err);

/* Path of a file named by another one, in the same folder ("./" in front and "\" for "/" are allowed); NULL for a name that
 * leads elsewhere. Heap. */
char *fs_mesh_beside(const char *path, const char *name, size_t length);

/* ---- lines and words of a text ---- */

typedef struct fs_mesh_line {
    const char *text;
    size_t length;
    uint32_t number; /* from 1 */
} fs_mesh_line;

/* The next line, which ends at LF, CR LF or CR; false behind the last. Begin with a zero line. */
bool fs_mesh_next_line(const fs_mesh_bytes *file, fs_mesh_line *l);
/* The next word from *at on, between blanks; 0: no more. */
size_t fs_mesh_next_word(const fs_mesh_line *l, size_t *at, const char **word);
/* What follows a first word on a line, without blanks around it; false: it begins otherwise. */
bool fs_mesh_after_word(const fs_mesh_line *l, const char *word, const char **text, size_t *length);

typedef struct fs_mesh_word {
    const char *text;
    size_t length;
    uint32_t line;
} fs_mesh_word;

/* Words with the lines where they stand, in the order of the file. */
typedef struct fs_mesh_words {
    fs_mesh_word *word;
    size_t count;
} fs_mesh_words;

void fs_mesh_keep_word(fs_mesh_words *words, const char *text, size_t length, uint32_t line);
/* The first of `wanted` that is not among `given`, which is sorted here; NULL: none. */
const fs_mesh_word *fs_mesh_first_missing(const fs_mesh_words *wanted, fs_mesh_words *given);
/* FS_INPUT: no material of that name `where`. */
fs_status fs_mesh_no_material(const char *path, const fs_mesh_word *word, const char *where, fs_error *err);

/* ---- formats ---- */

/* Sizes that a file names are within it, nothing refers outside, every surface has a material that exists, and what the library
 * would take for something else is refused. */
fs_status fs_mesh_check_glb(const char *path, const fs_mesh_bytes *file, fs_error *err);
fs_status fs_mesh_check_dae(const char *path, const fs_mesh_bytes *file, fs_error *err);
/* A first byte of data that the library would pass over as a line's end gets an element in front of it. */
fs_status fs_mesh_check_ply(const char *path, fs_mesh_bytes *file, fs_error *err);
bool fs_mesh_ply_has_materials(const fs_mesh_bytes *file);
/* Writes file and libraries anew, one statement a line, without comments, marks and blanks that mean nothing; libraries lie
 * in the folder of the file. */
fs_status fs_mesh_check_obj(fs_mesh_source *source, fs_error *err);
/* The one of its format. */
fs_status fs_mesh_check(fs_mesh_source *source, fs_error *err);

/* Fills in where a camera stands that looks along -z of a frame of these axes and origin [x, y, z, origin], +y up; its fov
 * is set. FS_INPUT: no direction, no angle that can be seen, a frame that mirrors. */
fs_status fs_mesh_place_camera(const char *path, double column[4][3], fs_mesh_camera *out, fs_error *err);

/* The first camera of the scene that a GLB shows: of its node's place, a product of the nodes above; *found false where no node
 * has one. FS_INPUT: one that is no perspective or is mirrored. */
fs_status fs_mesh_glb_camera(const char *path, const fs_mesh_bytes *file, fs_mesh_camera *out, bool *found,
                             fs_error *err);
/* What a GLB says of the material beyond its colour: light it gives, mirrors and glass. */
void fs_mesh_glb_materials(const fs_mesh_bytes *file, fs_material *material, size_t count);

/* The first camera of the scene that a Collada file shows. */
typedef struct fs_mesh_dae_camera {
    char node[256]; /* name of its node as the library has it; "": that of the only camera */
    float fov;      /* radians */
    bool across, found;
} fs_mesh_dae_camera;
fs_status fs_mesh_find_dae_camera(const char *path, const fs_mesh_bytes *file, fs_mesh_dae_camera *out,
                                  fs_error *err);

/* ---- the library ---- */

/* Does `try(self)` once in a process of its own, which may fail in any way: the library asserts, and what it
 * asserts a file may break. Time and memory (of a file of `bytes` bytes) have limits there. FS_INPUT when
 * that process did not come to its end, FS_RUN when interrupted. */
typedef void (*fs_mesh_try)(void *self);
typedef struct fs_mesh_patience {
    double computing, waiting; /* seconds of the processor, of the clock: a busy host computes late */
} fs_mesh_patience;
extern const fs_mesh_patience fs_mesh_patience_usual;
fs_status fs_mesh_rehearse(const char *path, size_t bytes, const fs_mesh_patience *patience, fs_mesh_try try,
                           void *self, fs_error *err);
