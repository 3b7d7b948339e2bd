/* Words for messages: lists in a sentence, and what was probably meant. */
#pragma once

#include "sim/base/alloc.h"

#include <stdbool.h>

/* The word of `words` (NULL-terminated) nearest to `found`; NULL if none is near enough to suggest. */
const char *fs_nearest_word(const char *found, const char *const *words);

/* Whether `word` is one of `words` (NULL-terminated; NULL: none). */
bool fs_listed_word(const char *word, const char *const *words);

/* Words to a list in a sentence: "a, b or c". Arena-owned. */
const char *fs_listed_words(fs_arena *arena, const char *const *words, const char *last);
/* "; did you mean \"x\"?" or "". Arena-owned. */
const char *fs_meant_text(fs_arena *arena, const char *found, const char *const *words);
/* The same as an argument: it lasts until the end of the block. */
enum { FS_MEANT_TEXT = 128 };
const char *fs_meant_in(const char *found, const char *const *words, char out[FS_MEANT_TEXT]);
#define FS_MEANT(found, words) fs_meant_in(found, words, (char[FS_MEANT_TEXT]){0})
