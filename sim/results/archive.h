/* A run folder as one file, to be handed over: NAME.tar.zst, a POSIX archive in one zstd frame with its checksum, which `tar --zstd
 * -xf` unpacks as well. Of one folder it is the same bits whoever packs it: names in order, no times, no owners. Pictures are left
 * out, as `foamsim report` draws them again.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/host/scratch.h"

#include <stdbool.h>

/* Writes the files of `folder` and of the folders in it to `path`, which appears whole or not at all. FS_INPUT:
 * a name is too long for an archive; FS_IO. */
fs_status fs_archive_write(const char *folder, const char *path, fs_error *err);

/* Whether `path` is a file that begins as such an archive does. */
bool fs_archive_is(const char *path);

/* Unpacks an archive into a fresh folder of TMPDIR, which the caller removes (fs_scratch_remove) and which is gone where
 * this fails; *folder is the one run folder in it, of the arena. Takes files and folders below one name, no links and no devices, at
 * most 100,000 of them and 16 GiB, and no more than TMPDIR has room for; nothing is written before all of it was looked at.
 * FS_INPUT: it is none, is cut off or damaged, or holds something else; FS_IO. */
fs_status fs_archive_unpack(const char *path, fs_arena *arena, fs_scratch *scratch, const char **folder,
                            fs_error *err);
