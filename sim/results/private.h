/* Shared by the files of sim/results only. */
#ifndef FOAMSIM_SIM_RESULTS_PRIVATE_H
#define FOAMSIM_SIM_RESULTS_PRIVATE_H

#include "sim/base/error.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* Opens `path` for writing; FS_IO with path and reason, then NULL. */
FILE *fs_file_open(const char *path, fs_error *err);
/* Flushes, syncs to the disk and closes, and tells when any write of the stream's life failed. */
fs_status fs_file_finish(FILE *file, const char *path, fs_error *err);
/* The same in two steps, for a caller with many files: flushes and closes, the host beginning to write; and
 * waits until it is on the disk. */
fs_status fs_file_close(FILE *file, const char *path, fs_error *err);
fs_status fs_file_sync(const char *path, fs_error *err);

/* Removes what is inside the open directory `fd`, links themselves and not what they point to. 0 or errno. */
int fs_tree_clear(int fd);
/* Removes a file or a folder with all that is in it; something that is not there is no error. 0 or errno. */
int fs_tree_remove(const char *path);
/* Makes the folders above the last name of `path`. */
fs_status fs_tree_make_parents(const char *path, fs_error *err);
/* Syncs the folder that holds `path`, so that a rename in it is durable; not every file system can. */
void fs_tree_sync_parent(const char *path);

typedef struct fs_picture {
    uint32_t width, height;
    const uint8_t *rgb;   /* [height][width][3], or NULL */
    const uint16_t *grey; /* [height][width], when rgb is NULL */
} fs_picture;
fs_status fs_png_write(FILE *file, const char *path, const fs_picture *picture, fs_error *err);

#endif
