/* A fresh folder of TMPDIR (/tmp), ours alone, under a lock that dies with the process. Whoever makes one removes those that killed
 * processes left.
 *
 *     fs_scratch scratch;
 *     if (fs_scratch_make(arena, &scratch, err))
 *         return err->status;
 *     ... write to scratch.path ...
 *     fs_scratch_remove(&scratch);
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

typedef struct fs_scratch {
    const char *path; /* absolute, through no link; of the arena. NULL: none was made */
    int fd;           /* holds the lock */
} fs_scratch;

fs_status fs_scratch_make(fs_arena *arena, fs_scratch *out, fs_error *err); /* FS_IO */
/* With all that is in it. One that was not made, or zero, is fine. */
void fs_scratch_remove(fs_scratch *scratch);
