/* Paths as users write them and as messages show them. Paths in a file start from that file's folder. */
#pragma once

#include "sim/base/alloc.h"

#include <stdbool.h>

/* The folder of a path, "" for the current one. */
const char *fs_path_dir(fs_arena *arena, const char *path);
/* `path` seen from `dir` ("" is the current folder); an absolute path stays. */
const char *fs_path_join(fs_arena *arena, const char *dir, const char *path);
/* The same, absolute; the file need not exist. */
const char *fs_path_absolute(fs_arena *arena, const char *dir, const char *path);
/* The canonical name of an existing file, or NULL. */
const char *fs_path_real(fs_arena *arena, const char *path);
/* The shortest honest way to show a path: a/b/../c as a/c, what lies below the current folder relative to it;
 * the path itself where that would be another file. */
const char *fs_path_shown(fs_arena *arena, const char *path);
/* The file's name without folder and ending. */
const char *fs_path_stem(fs_arena *arena, const char *path);
bool fs_path_is_file(const char *path); /* exists and is no folder */
/* The text of the first line that begins with '#', without it; "" if there is none. */
const char *fs_first_comment(fs_arena *arena, const char *path);
/* The first sentence of the comment that begins there, lines joined: up to a full stop before a blank or its
 * end. */
const char *fs_first_sentence(fs_arena *arena, const char *path);
bool fs_path_ends(const char *path, const char *ending);
/* The path without that ending, if it has it and more. */
const char *fs_path_without(fs_arena *arena, const char *path, const char *ending);
