/* The arena: chunks that blocks are cut from; heap calls that never return NULL. */
#define _GNU_SOURCE /* madvise */
#include "sim/base/alloc.h"

#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, CHUNK_BYTES = 1 << 20 };

/* A chunk's memory follows its header; `raw` is what calloc returned. */
typedef struct chunk {
    struct chunk *next;
    unsigned char *raw;
    size_t used;
    size_t size;
} chunk;

struct fs_arena {
    chunk
        *first; /* the chunk that small blocks are cut from; large blocks get chunks of their own behind it */
};

static _Noreturn void out_of_memory(size_t bytes) {
    fprintf(stderr, "foamsim: the host has no %zu bytes of memory left\n", bytes);
    exit(1);
}

_Noreturn void fs_no_memory(void) {
    fprintf(stderr, "foamsim: the host has no memory left\n");
    exit(1);
}

FILE *fs_memory_open(fs_memory *memory) {
    *memory = (fs_memory){.stream = NULL};
    memory->stream = open_memstream(&memory->text, &memory->bytes);
    if (memory->stream == NULL)
        fs_no_memory();
    return memory->stream;
}

char *fs_memory_close(fs_memory *memory) {
    const bool failed = ferror(memory->stream) != 0;
    if (fclose(memory->stream) != 0 || failed ||
        memory->text == NULL) /* the C library does not tell of an empty one */
        fs_no_memory();
    return memory->text;
}

void *fs_malloc(size_t bytes) {
    void *p = malloc(bytes ? bytes : 1);
    if (p == NULL)
        out_of_memory(bytes);
    return p;
}

void *fs_calloc(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size)
        out_of_memory(SIZE_MAX);
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (p == NULL)
        out_of_memory(count * size);
    return p;
}

void *fs_realloc(void *old, size_t bytes) {
    void *p = realloc(old, bytes ? bytes : 1);
    if (p == NULL)
        out_of_memory(bytes);
    return p;
}

char *fs_strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(fs_malloc(bytes), text, bytes);
}

void fs_prefer_huge_pages(void *block, size_t bytes) {
#if defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)1 << 21;
    uintptr_t begin = ((uintptr_t)block + page - 1) / page * page,
              end = ((uintptr_t)block + bytes) / page * page;
    if (end > begin)
        madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* a refusal changes nothing */
#else
    (void)block;
    (void)bytes;
#endif
}

fs_arena *fs_arena_create(void) {
    return fs_calloc(1, sizeof(fs_arena));
}

void fs_arena_free(fs_arena *arena) {
    if (arena == NULL)
        return;
    for (chunk *c = arena->first, *next; c != NULL; c = next) {
        next = c->next;
        free(c->raw);
        free(c);
    }
    free(arena);
}

static chunk *chunk_create(size_t bytes) {
    chunk *c = fs_calloc(1, sizeof *c);
    c->raw = fs_calloc(bytes + ALIGNMENT, 1);
    c->used = ALIGNMENT - (uintptr_t)c->raw % ALIGNMENT;
    c->size = bytes + ALIGNMENT;
    return c;
}

void *fs_arena_alloc(fs_arena *arena, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX - 2 * (size_t)ALIGNMENT) / size)
        out_of_memory(SIZE_MAX);
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes == 0)
        bytes = ALIGNMENT;
    chunk *c = arena->first;
    if (c == NULL || c->size - c->used < bytes) {
        chunk *fresh = chunk_create(bytes > CHUNK_BYTES / 4 ? bytes : CHUNK_BYTES);
        if (bytes > CHUNK_BYTES / 4 && c != NULL) { /* keep cutting small blocks from the first chunk */
            fresh->next = c->next;
            c->next = fresh;
        } else {
            fresh->next = c;
            arena->first = fresh;
        }
        c = fresh;
    }
    void *p = c->raw + c->used;
    c->used += bytes;
    return p;
}

char *fs_arena_strdup(fs_arena *arena, const char *text) {
    size_t bytes = strlen(text) + 1;
    return memcpy(fs_arena_alloc(arena, bytes, 1), text, bytes);
}

char *fs_arena_vprintf(fs_arena *arena, const char *format, va_list args) {
    FS_ASSERT(format != NULL, "a text without a format");
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = fs_arena_alloc(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

char *fs_arena_printf(fs_arena *arena, const char *format, ...) {
    char *text;
    FS_VARIADIC(args, format, text = fs_arena_vprintf(arena, format, args));
    return text;
}

char *fs_arena_append(fs_arena *arena, const char *list, const char *between, const char *format, ...) {
    const char *text;
    FS_VARIADIC(args, format, text = fs_arena_vprintf(arena, format, args));
    return fs_arena_printf(arena, "%s%s%s", list, list[0] == '\0' ? "" : between, text);
}

/* Room for 8, then for twice as many each time; 0: there is room. */
static size_t next_room(size_t count) {
    return count == 0 ? 8 : count >= 8 && (count & (count - 1)) == 0 ? 2 * count : 0;
}

void *fs_grow(void *items, size_t count, size_t size) {
    const size_t room = next_room(count);
    return room == 0 ? items : fs_realloc(items, room * size);
}

void *fs_arena_grow(fs_arena *arena, void *items, size_t count, size_t size) {
    const size_t room = next_room(count);
    if (room == 0)
        return items;
    void *bigger = fs_arena_alloc(arena, room, size);
    return count == 0 ? bigger : memcpy(bigger, items, count * size);
}
