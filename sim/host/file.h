/* Files and folders: what is written appears under its name whole, or not at all.
 *
 * A file that somebody may look for is written aside, as PATH.PROCESS-N.partial under a lock that dies with the
 * process, and renamed when it is complete: readers, other processes and other hosts see the old one or the new one, never a part.
 *
 *     fs_aside aside;
 *     if (fs_aside_open(&aside, path, err))
 *         return err->status;
 *     fputs(text, aside.file);
 *     return fs_aside_commit(&aside, FS_DURABLE, err);
 *
 * Errors are FS_IO with the path and the host's reason. Thread rule: none; different files may be written by
 * different threads.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* ---- written aside ---- */

typedef enum fs_lasting {
    FS_LIGHT,  /* pages, caches: after a failure of the host it may be missing, and is made again */
    FS_DURABLE /* results: on the disk, and its name too, when the call returns */
} fs_lasting;

typedef struct fs_aside {
    FILE *file;    /* to write to; a failed write shows at the commit */
    char *path;    /* its name at last */
    char *partial; /* its name meanwhile; NULL: a device, which is written to and not replaced */
} fs_aside;

/* Opens a new file beside `path`, whose folder must exist. No link is followed and no file of another is
 * written over. Ends with commit or discard. */
fs_status fs_aside_open(fs_aside *aside, const char *path, fs_error *err);

/* Gives the file its name; whatever failed since it was opened is reported here, and then nothing is left. */
fs_status fs_aside_commit(fs_aside *aside, fs_lasting lasting, fs_error *err);

/* Removes what killed processes left beside `path` when they wrote it aside: a file under nobody's lock. */
void fs_aside_clear(const char *path);

/* Removes what was written. Nothing is done for one that is not open (all zero). */
void fs_aside_discard(fs_aside *aside);

/* Writes `bytes` bytes to `path` that way; the folders above it are made. */
fs_status fs_file_write(const char *path, const void *data, size_t bytes, fs_lasting lasting, fs_error *err);
/* The same of a stream into memory, which is closed and freed; nothing is written where `err` holds an error. */
fs_status fs_file_stream(const char *path, fs_memory *memory, fs_lasting lasting, fs_error *err);
/* A stream into memory to where a user wants it, durable: a file in a folder that exists, or standard output for "-";
 * nothing where `err` holds an error. */
fs_status fs_file_put(const char *path, fs_memory *memory, fs_error *err);

/* ---- written in place: files of a folder that appears as a whole ---- */

/* Opens `path` for writing; NULL with an error. */
FILE *fs_file_open(const char *path, fs_error *err);
/* Flushes and closes, the host beginning to write, and tells when any write of the stream's life failed; */
fs_status fs_file_close(FILE *file, const char *path, fs_error *err);
/* and waits until it is on the disk. */
fs_status fs_file_sync(const char *path, fs_error *err);

/* ---- read ---- */

/* Opens a regular file for reading, without waiting for anybody: a pipe or a device is refused, for whoever
 * names one as an experiment or a scene would wait for its writer. NULL with errno, EINVAL for what is no
 * regular file (EISDIR: a folder). */
FILE *fs_file_regular(const char *path);
/* strerror(errno) of it: "not a regular file" for EINVAL. */
const char *fs_file_reason(void);
/* The text of a table that somebody names (sim/base/csv.h splits it), in the arena. NULL, with the path in front:
 * FS_INPUT what fs_file_regular refuses, bytes of 0, 1 GiB and more; FS_IO a file that cannot be read. */
char *fs_file_table(fs_arena *arena, const char *path, fs_error *err);

/* ---- without a name ---- */

/* A file that goes when it is closed; processes started meanwhile do not inherit it. NULL with an error.
 * Owner: the caller, who closes it. */
FILE *fs_file_nameless(fs_error *err);

/* What a process wrote to a file so far, from its beginning to at most `most_bytes`, as a text of the arena.
 * The process may be writing still. What cannot be read is missing. */
char *fs_file_text(fs_arena *arena, FILE *file, size_t most_bytes);
/* The same from the byte `from` on. */
char *fs_file_text_from(fs_arena *arena, FILE *file, size_t from, size_t most_bytes);

/* ---- folders ---- */

/* Makes a folder and those above it. One that exists is fine. */
fs_status fs_dir_make(const char *path, fs_error *err);
/* Makes the folders above the last name of `path`. */
fs_status fs_dir_make_above(const char *path, fs_error *err);
/* Syncs the folder that holds `path`, so that a rename in it is durable; not every file system can. */
void fs_dir_sync_above(const char *path);

/* Removes a file or a folder with all that is in it, links themselves and not what they point to; something
 * that is not there is no error. 0 or errno. */
int fs_dir_remove(const char *path);
/* The same of what is inside the open directory `fd` but for the name `but` (NULL: all). */
int fs_dir_clear(int fd, const char *but);
/* The names of what is in a folder but of what begins with a dot, in the order of their letters, whatever the locale
 * is: NULL-terminated, of the arena. NULL and errno when it cannot be read. */
const char *const *fs_dir_names(fs_arena *arena, const char *path);
/* Whether the open directory `fd` holds nothing. 0 or errno. */
int fs_dir_is_empty(int fd, bool *empty);
