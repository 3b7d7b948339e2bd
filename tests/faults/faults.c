/* Put before a program (LD_PRELOAD), this library lets one allocation of each of its processes fail, as a
 * host without memory does. FAULT_AT: the number of the one that fails, counted from 1; none or 0: none does.
 * FAULT_LOG: a file to which each process adds a line: "failed" when one did, at its end how many there were.
 *
 * Calls inside the C library itself are not seen: they have their own tests there. Nor are those of gnuplot,
 * which a report starts: what it draws without memory is its own. */
#define _GNU_SOURCE /* RTLD_NEXT, program_invocation_short_name */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *malloc_function(size_t bytes);
typedef void *calloc_function(size_t count, size_t size);
typedef void *realloc_function(void *old, size_t bytes);

static malloc_function *real_malloc;
static calloc_function *real_calloc;
static realloc_function *real_realloc;
static atomic_ullong calls;
static unsigned long long fail_at;
static const char *log_path;

/* dlsym allocates itself: from here, until the real ones are known. */
static char early[65536];
static size_t early_used;

static void *early_alloc(size_t bytes) {
    const size_t begin = early_used;
    early_used += (bytes + 15) / 16 * 16;
    if (early_used > sizeof early)
        abort();
    return early + begin;
}

/* A function behind the pointer that dlsym gives, which C has no cast for. */
static void find(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

static void add_line(const char *line) {
    int file = log_path == NULL ? -1 : open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    if (write(file, line, strlen(line)) < 0)
        _exit(99);
    close(file);
}

/* True when the real ones are known; libraries allocate before anything of this one has begun. */
static int ready(void) {
    static int finding;
    if (real_realloc != NULL)
        return 1;
    if (finding)
        return 0;
    finding = 1;
    const char *at = getenv("FAULT_AT");
    log_path = getenv("FAULT_LOG");
    fail_at = at == NULL ? 0 : strtoull(at, NULL, 10);
    if (strncmp(program_invocation_short_name, "foamsim", strlen("foamsim")) != 0) {
        fail_at = 0;
        log_path = NULL;
    }
    find(&real_malloc, "malloc");
    find(&real_calloc, "calloc");
    find(&real_realloc, "realloc");
    return 1;
}

__attribute__((destructor)) static void end(void) {
    char line[64];
    snprintf(line, sizeof line, "%llu calls\n", atomic_load(&calls));
    add_line(line);
}

static int fails(void) {
    if (atomic_fetch_add(&calls, 1) + 1 != fail_at)
        return 0;
    add_line("failed\n");
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) {
    if (!ready())
        return early_alloc(bytes);
    return fails() ? NULL : real_malloc(bytes);
}

void *calloc(size_t count, size_t size) {
    if (!ready())
        return early_alloc(count * size);
    return fails() ? NULL : real_calloc(count, size);
}

void *realloc(void *old, size_t bytes) {
    const char *at = old;
    if (at >= early && at < early + sizeof early) {
        void *fresh = malloc(bytes);
        const size_t there = (size_t)(early + sizeof early - at);
        if (fresh != NULL)
            memcpy(fresh, old, bytes < there ? bytes : there);
        return fresh;
    }
    if (!ready())
        return early_alloc(bytes);
    return fails() ? NULL : real_realloc(old, bytes);
}

void free(void *block) {
    static void (*real_free)(void *);
    const char *at = block;
    if (at >= early && at < early + sizeof early)
        return;
    if (real_free == NULL)
        find(&real_free, "free");
    real_free(block);
}
