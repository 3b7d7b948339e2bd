/* A store with a small sweep in it, and what tests of stores do with it. Errors of the library go to
 * store_error. */
#pragma once

#include "sim/store/store.h"

#define STORE_KEY(digit) digit "23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0"

extern fs_error store_error;

void store_must(fs_status status); /* fails the test, with the error's words, unless FS_OK */
fs_store *store_open(const char *path, fs_store_mode mode);
/* The store is not opened, with that status and these words in the error. */
void store_must_refuse(const char *path, fs_store_mode mode, fs_status status, const char *words);
/* Enters the sweep "three": three points over two axes, two objectives, two constraints. */
void store_put_three(fs_store *store);
void store_shell(const char *command);              /* fails the test unless it ends with 0 */
void store_sql(const char *path, const char *text); /* by SQLite itself, past the library */
