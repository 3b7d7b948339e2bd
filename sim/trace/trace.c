/* Traces in the JSON of trace viewers: spans and counters, times in tenths of a nanosecond. */
#include "sim/trace/trace.h"

#include "sim/base/alloc.h"
#include "sim/host/file.h"
#include "sim/stats/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICKS = 10000 }; /* of a microsecond: tenths of a nanosecond */

struct fs_trace {
    fs_aside aside;
    double ticks_per_cycle;
    uint64_t events;
};

fs_trace *fs_trace_open(const char *path, double clock, fs_error *err) {
    fs_trace *trace = fs_calloc(1, sizeof *trace);
    trace->ticks_per_cycle = 1e6 * TICKS / clock;
    if (fs_aside_open(&trace->aside, path, err)) {
        free(trace);
        return NULL;
    }
    fprintf(trace->aside.file,
            "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"clock_hz\": %s}, \"traceEvents\": [",
            FS_REAL_WORD(clock));
    return trace;
}

/* ---- events ---- */

static void begin(fs_trace *trace, const char *kind, uint32_t process) {
    fprintf(trace->aside.file, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu32, trace->events++ > 0 ? "," : "", kind,
            process);
}

/* Names are words of foamsim's own: no quotes, no backslashes, no control characters. */
static const char *plain(const char *name) {
    for (const char *c = name; *c != '\0'; c++)
        FS_ASSERT(*c != '"' && *c != '\\' && (unsigned char)*c >= ' ', "a name in a trace with \"%c\"", *c);
    return name;
}

static uint64_t ticks(const fs_trace *trace, uint64_t cycles) {
    return (uint64_t)((double)cycles * trace->ticks_per_cycle);
}

static void time_member(const fs_trace *trace, const char *key, uint64_t at) {
    fprintf(trace->aside.file, ",\"%s\":%" PRIu64 ".%04" PRIu64, key, at / TICKS, at % TICKS);
}

static void order(fs_trace *trace, const char *what, fs_track track, uint32_t place) {
    begin(trace, "M", track.process);
    if (track.track > 0)
        fprintf(trace->aside.file, ",\"tid\":%" PRIu32, track.track);
    fprintf(trace->aside.file, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}", what,
            place);
}

void fs_trace_process(fs_trace *trace, uint32_t process, const char *name) {
    begin(trace, "M", process);
    fprintf(trace->aside.file, ",\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}}", plain(name));
    order(trace, "process", (fs_track){process, 0}, process);
}

void fs_trace_track(fs_trace *trace, fs_track track, const char *name) {
    begin(trace, "M", track.process);
    fprintf(trace->aside.file, ",\"tid\":%" PRIu32 ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
            track.track, plain(name));
    order(trace, "thread", track, track.track);
}

void fs_trace_span(fs_trace *trace, fs_track track, const char *name, uint64_t start, uint64_t cycles,
                   const char *count_name, uint64_t count) {
    const uint64_t from = ticks(trace, start), to = ticks(trace, start + cycles);
    begin(trace, "X", track.process);
    fprintf(trace->aside.file, ",\"tid\":%" PRIu32, track.track);
    time_member(trace, "ts", from);
    time_member(trace, "dur", to - from);
    fprintf(trace->aside.file, ",\"name\":\"%s\",\"args\":{\"cycles\":%" PRIu64, plain(name), cycles);
    if (count_name != NULL)
        fprintf(trace->aside.file, ",\"%s\":%" PRIu64, plain(count_name), count);
    fputs("}}", trace->aside.file);
}

void fs_trace_counter(fs_trace *trace, uint32_t process, const char *name, const char *unit, uint64_t at,
                      uint64_t value) {
    begin(trace, "C", process);
    time_member(trace, "ts", ticks(trace, at));
    fprintf(trace->aside.file, ",\"name\":\"%s\",\"args\":{\"%s\":%" PRIu64 "}}", plain(name), plain(unit),
            value);
}

/* ---- the end ---- */

fs_status fs_trace_close(fs_trace *trace, fs_error *err) {
    fputs("\n]}\n", trace->aside.file);
    fs_status status = fs_aside_commit(&trace->aside, FS_DURABLE, err);
    free(trace);
    return status;
}

void fs_trace_discard(fs_trace *trace) {
    if (trace == NULL)
        return;
    fs_aside_discard(&trace->aside);
    free(trace);
}
