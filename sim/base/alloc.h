/* Memory: one arena for what lives as long as a run, and checked heap calls for the rest.
 *
 * The rule of the house: memory is taken at elaboration, before the first event; nothing is allocated in the
 * event loop. What a run needs lives in the run's arena and goes with it.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

typedef struct fs_arena fs_arena;

/* A new, empty arena. Owner: the caller, who ends it with fs_arena_free. Never NULL: when the host has no
 * memory left the process says so and exits with status 1. */
fs_arena *fs_arena_create(void);
void fs_arena_free(fs_arena *arena); /* NULL is allowed */

/* Zeroed memory of count * size bytes, aligned to 64 bytes, owned by the arena. Large blocks are untouched
 * pages until they are written, so reserving for the worst case is cheap. */
void *fs_arena_alloc(fs_arena *arena, size_t count, size_t size);
char *fs_arena_strdup(fs_arena *arena, const char *text);
char *fs_arena_printf(fs_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

char *fs_arena_vprintf(fs_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* A list of texts, "" to begin with, with one more behind it and `between` before that if it is not the first. */
char *fs_arena_append(fs_arena *arena, const char *list, const char *between, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Typed shorthand: FS_NEW(arena, uint32_t, n). */
#define FS_NEW(arena, type, count) ((type *)fs_arena_alloc((arena), (count), sizeof(type)))

/* Asks the host for huge pages behind a large block that is read in no order, before it is first written:
 * fewer misses of the address translation. A hint: nothing depends on it. */
void fs_prefer_huge_pages(void *block, size_t bytes);

/* malloc, realloc and calloc that never return NULL; free with free(). */
void *fs_malloc(size_t bytes);
void *fs_calloc(size_t count, size_t size);
void *fs_realloc(void *old, size_t bytes);
char *fs_strdup(const char *text);

/* An array that grows by one item of `size` bytes at a time, and in no other way: with room behind its `count`
 * items, where it was or elsewhere. NULL and 0 to begin with. Of the heap, of the arena. */
void *fs_grow(void *items, size_t count, size_t size);
void *fs_arena_grow(fs_arena *arena, void *items, size_t count, size_t size);

/* A stream into memory; its text (free()) and its length are there once it is closed. Neither call fails. */
typedef struct fs_memory {
    FILE *stream;
    char *text;
    size_t bytes;
} fs_memory;
FILE *fs_memory_open(fs_memory *memory);
char *fs_memory_close(fs_memory *memory); /* the text */

/* What fs_malloc does when the host has no memory left: for libraries that tell it by an error. */
_Noreturn void fs_no_memory(void);
