/* Recordings of an experiment: made, opened and matched by its key; their sections are said once, for writing and for reading
 * (sim/results/recording.h is the container, docs/recordings.md what they are for).
 *
 *     static void sections(fs_recorded *f, void *self) {
 *         work *w = self;
 *         fs_recorded_numbers(f, "numbers", numbers, FS_COUNT(numbers), w);      // rows: name, member, range
 *         FS_RECORDED_LIST(f, "rays", &w->ray, w->rays);                         // written, or read into memory of its own
 *         FS_RECORDED_HOLD(f, "rays", w->ray, w->rays,                           // and each of them in its range
 *                          FS_RECORDED("triangle", ray, triangle, 0, w->triangles - 1));
 *         if (fs_recorded_reads(f) && w->hits > w->rays)
 *             fs_recorded_wrong(f, "%u hits of %u rays", w->hits, w->rays);
 *     }
 *     fs_recorded_write(path, FS_RECORDING_ITINERARY, config, sections, &w, err);
 *     fs_recorded_read(recording, arena, sections, &w, err);
 *
 * Checksums are right of what somebody else made, too: each number that becomes an index, a size or a bound has a rule.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/config/config.h"
#include "sim/results/recording.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* ---- of which configuration ---- */

/* The file that was read last for its digest, since scenes are large and one configuration after the other
 * names the same. Zeroed to begin with; one to a thread. */
typedef struct fs_file_memo {
    char path[4096]; /* "": none */
    struct stat info;
    char hex[FS_DIGEST_HEX];
} fs_file_memo;

/* The digest_of of keys (sim/config/key.h) that remembers; self: a memo. */
const char *fs_recorded_digest(void *memo, const fs_param *row, const char *path);

/* FS_INPUT that names the first parameter that differs when it is not of this configuration. */
fs_status fs_recorded_match(const fs_recording *recording, const fs_config *config, fs_file_memo *memo,
                            fs_error *err);

/* FS_INPUT when it is of another layer. */
fs_status fs_recorded_expect(const fs_recording *recording, fs_recording_layer layer, fs_error *err);

/* ---- sections ---- */

/* A recording that is written or read. After an error, which stays the first one, nothing more is done: lists
 * that were not read keep what they were, so that only what stands behind fs_recorded_reads may look into them. */
typedef struct fs_recorded {
    fs_recording_writer *writer;   /* NULL: it is read */
    const fs_recording *recording; /* NULL: it is written */
    fs_arena *arena; /* of lists that are read; NULL: the heap, the caller's to free in either outcome */
    fs_error *err;
} fs_recorded;

/* The section of the whole experiment as YAML, which recordings of activity have: for who has the recording alone. */
#define FS_RECORDED_EXPERIMENT "experiment"

/* What says the sections of a recording, in their order. */
typedef void (*fs_recorded_sections)(fs_recorded *file, void *self);

/* Writes a recording of a configuration, whole or not at all. Its key: of the geometry for itineraries, of the
 * traffic for activity. FS_IO. */
fs_status fs_recorded_write(const char *path, fs_recording_layer layer, const fs_config *config,
                            fs_recorded_sections sections, void *self, fs_error *err);
/* Reads one. FS_IO: it is damaged. */
fs_status fs_recorded_read(const fs_recording *recording, fs_arena *arena, fs_recorded_sections sections,
                           void *self, fs_error *err);

/* Whether it is read, and nothing was wrong so far: then what was read may be checked. */
bool fs_recorded_reads(const fs_recorded *file);
/* Reading: it is damaged, since... (printf rules). */
void fs_recorded_wrong(fs_recorded *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A section that is `bytes` bytes from `data` on. A section of name NULL is left out, here and below. */
void fs_recorded_bytes(fs_recorded *file, const char *section, void *data, size_t bytes);

/* A section of exactly `count` items of `size` bytes: from *list, or into memory for them. A section can claim any size: it is
 * held against `count` before memory is asked for. */
void fs_recorded_list(fs_recorded *file, const char *section, void **list, uint64_t count, size_t size);
#define FS_RECORDED_LIST(file, section, list, count)                                                         \
    fs_recorded_list(file, section, (void **)(uintptr_t)(list), count, sizeof **(list))

/* The number of items of `size` bytes in a section, when it is read: not above `most`, else it is damaged. Writing keeps *count. */
void fs_recorded_count(fs_recorded *file, const char *section, size_t size, uint64_t most, uint64_t *count);

/* Where each of `count` things begins in a list of `total`, (*first)[0 ... count], kept as how many items each has: u32. */
void fs_recorded_starts(fs_recorded *file, const char *section, uint64_t **first, uint64_t count,
                        uint64_t total);

/* ---- rules ---- */

typedef enum fs_recorded_order {
    FS_ORDER_ANY,
    FS_ORDER_RISES,  /* each at least the one before it */
    FS_ORDER_CLIMBS, /* each above the one before it */
    FS_ORDER_STARTS, /* where things begin in a list: from 0, rising, to `most` at its end */
} fs_recorded_order;

typedef struct fs_recorded_number {
    const char *name;     /* what is counted: "shards" */
    size_t offset, size;  /* of the member: bool, uint8_t to uint64_t */
    uint64_t least, most; /* that it may be; of numbers, `most` 0: as much as the member holds */
    fs_recorded_order order;
} fs_recorded_number;
#define FS_RECORDED(n, S, m, lo, hi)                                                                         \
    { .name = n, .offset = offsetof(S, m), .size = sizeof(((S *)0)->m), .least = lo, .most = hi }
/* A member that says where each of some things begins in a list of `total`. */
#define FS_RECORDED_STARTS(n, S, m, total)                                                                   \
    {                                                                                                        \
        .name = n, .offset = offsetof(S, m), .size = sizeof(((S *)0)->m), .most = total,                     \
        .order = FS_ORDER_STARTS                                                                             \
    }
/* The items themselves, not members of them. */
#define FS_RECORDED_ITEM(n, T, lo, hi, o)                                                                    \
    { .name = n, .size = sizeof(T), .least = lo, .most = hi, .order = o }

/* A section of 64 bits a row, in their order: members of `values`, the struct of the rows, each in its range. */
void fs_recorded_numbers(fs_recorded *file, const char *section, const fs_recorded_number *rows, size_t count,
                         void *values);

/* Reading: holds `count` items of `size` bytes to the row's range and order. */
void fs_recorded_hold(fs_recorded *file, const char *section, const void *items, uint64_t count, size_t size,
                      const fs_recorded_number *row);
#define FS_RECORDED_HOLD(file, section, list, count, ...)                                                    \
    fs_recorded_hold(file, section, list, count, sizeof *(list), &(fs_recorded_number)__VA_ARGS__)
