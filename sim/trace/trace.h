/* A timeline for a trace viewer: the JSON of chrome://tracing, which ui.perfetto.dev opens too.
 *
 *     {"displayTimeUnit": "ns", "otherData": {"clock_hz": ...}, "traceEvents": [EVENT, ...]}
 *
 * with an event on each line:
 *
 *     {"ph":"M","pid":1,"name":"process_name","args":{"name":"device"}}             names, also of a track
 *     {"ph":"X","pid":1,"tid":0,"ts":12.0301,"dur":0.7519,"name":"sync","args":{"cycles":1000}}    a span
 *     {"ph":"C","pid":1,"ts":12.0301,"name":"backlog","args":{"rays":17}}                          a counter
 *
 * Times come in cycles and are written in microseconds (the format's unit) to a tenth of a nanosecond, cut
 * off, so that spans which meet in cycles meet in the file. On one track spans must nest or follow one
 * another; what a span took exactly stands in its `cycles`. The text depends on nothing but the calls. */
#pragma once

#include "sim/base/error.h"

#include <stdint.h>

typedef struct fs_trace fs_trace;

/* A place on the time line: spans of one track are drawn in one row, tracks of one process below each other. */
typedef struct fs_track {
    uint32_t process, track; /* both from 1; track 0 of a process holds its counters */
} fs_track;

/* Opens PATH.partial for writing. clock: cycles a second. NULL with FS_IO. Owner: the caller, who ends it
 * with fs_trace_close or fs_trace_discard; both free it. */
fs_trace *fs_trace_open(const char *path, double clock, fs_error *err);

/* Names, in the order in which they should stand. */
void fs_trace_process(fs_trace *trace, uint32_t process, const char *name);
void fs_trace_track(fs_trace *trace, fs_track track, const char *name);

/* A span of `cycles` from `start`. count_name (may be NULL) and count: one more number about it ("rays"). */
void fs_trace_span(fs_trace *trace, fs_track track, const char *name, uint64_t start, uint64_t cycles,
                   const char *count_name, uint64_t count);
/* A counter has this value from `at` on. unit: what it counts ("rays"). */
void fs_trace_counter(fs_trace *trace, uint32_t process, const char *name, const char *unit, uint64_t at,
                      uint64_t value);

/* Ends the file and renames it to PATH. FS_IO when anything did not reach the disk; then PATH.partial is
 * removed. */
fs_status fs_trace_close(fs_trace *trace, fs_error *err);
void fs_trace_discard(fs_trace *trace); /* removes PATH.partial; NULL is allowed */

/* ---- which tiles ---- */

/* What --trace-tiles chooses from. */
typedef struct fs_trace_tiles {
    uint32_t tiles;
    uint32_t most;            /* that may be chosen */
    const char *const *roles; /* words for roles, NULL-terminated; NULL: tiles have none */
    const uint8_t *role_of;   /* [roles] the value in `role` that a word means */
    const uint8_t *role;      /* [tiles]; NULL: tiles have none */
    int spare;                /* the role on which nothing runs; -1: none */
} fs_trace_tiles;

/* "7", "0-63", "0-255/16" (both ends count), "router", "tracer/32", with commas between them: each tile once,
 * in that order, into out [most]. Spare tiles in a range are passed over. FS_INPUT. */
fs_status fs_trace_pick(const char *text, const fs_trace_tiles *of, uint32_t *out, uint32_t *count,
                        fs_error *err);
