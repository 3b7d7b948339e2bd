/* Recordings of an experiment: made, opened and matched by its key, with numbers as rows of a table
 * (sim/results/recording.h is the container, docs/recordings.md what they are for). What else a recording
 * holds is the workload's matter.
 *
 *     fs_recording_writer *w = fs_recorded_create(path, FS_RECORDING_ACTIVITY, config, err);
 *     if (w == NULL)
 *         return err->status;
 *     return fs_recorded_end(w, add_sections(w, work, err), err);
 */
#ifndef FOAMSIM_SIM_WORKLOAD_RECORDED_H
#define FOAMSIM_SIM_WORKLOAD_RECORDED_H

#include "sim/base/alloc.h"
#include "sim/config/config.h"
#include "sim/results/recording.h"

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

/* Begins a recording of a configuration. Its key: of the geometry for itineraries, of the traffic for
 * activity. NULL: FS_IO. */
fs_recording_writer *fs_recorded_create(const char *path, fs_recording_layer layer, const fs_config *config,
                                        fs_error *err);
/* Ends it: commits when `added` is FS_OK, else leaves nothing behind and returns `added`. */
fs_status fs_recorded_end(fs_recording_writer *writer, fs_status added, fs_error *err);

/* FS_INPUT that names the first parameter that differs when it is not of this configuration. */
fs_status fs_recorded_match(const fs_recording *recording, const fs_config *config, fs_file_memo *memo,
                            fs_error *err);

/* FS_INPUT when it is of another layer. */
fs_status fs_recorded_expect(const fs_recording *recording, fs_recording_layer layer, fs_error *err);

/* ---- sections as they lie in memory ---- */

typedef struct fs_recorded_section {
    const char *name; /* NULL: left out */
    void *data;       /* [bytes] to be added, or filled */
    size_t bytes;
} fs_recorded_section;
fs_status fs_recorded_add(fs_recording_writer *writer, const fs_recorded_section *rows, size_t count,
                          fs_error *err);
fs_status fs_recorded_read(const fs_recording *recording, const fs_recorded_section *rows, size_t count,
                           fs_error *err);

/* Memory for a section of exactly `count` items, and the items: from the arena, or from the heap when it is NULL,
 * then the caller's to free in either outcome. The section's size is held against it first: it can claim any. */
fs_status fs_recorded_take(const fs_recording *recording, const char *section, size_t count, size_t size,
                           fs_arena *arena, void **out, fs_error *err);
#define FS_RECORDED_TAKE(r, section, count, arena, list, err)                                                \
    fs_recorded_take(r, section, count, sizeof **(list), arena, (void **)(list), err)

/* ---- numbers: a section of 64 bits each, in the order of the rows ---- */

typedef struct fs_recorded_number {
    const char *name;     /* what is counted: "shards" */
    size_t offset, size;  /* of the member: bool, uint32_t or uint64_t */
    uint64_t least, most; /* that it may be; most 0: as much as the member holds */
} fs_recorded_number;
#define FS_RECORDED(n, S, m, lo, hi)                                                                         \
    { .name = n, .offset = offsetof(S, m), .size = sizeof(((S *)0)->m), .least = lo, .most = hi }

/* Numbers of `values`, the struct of the rows. Reading: FS_IO when one is not as its row allows. */
fs_status fs_recorded_add_numbers(fs_recording_writer *writer, const char *section,
                                  const fs_recorded_number *rows, size_t count, const void *values,
                                  fs_error *err);
fs_status fs_recorded_read_numbers(const fs_recording *recording, const char *section,
                                   const fs_recorded_number *rows, size_t count, void *values, fs_error *err);

#endif
