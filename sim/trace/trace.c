#include "sim/trace/trace.h"

#include "sim/base/alloc.h"
#include "sim/stats/stats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TICKS = 10000 }; /* of a microsecond: tenths of a nanosecond */

struct fs_trace {
    char *path, *partial;
    FILE *file;
    double ticks_per_cycle;
    uint64_t events;
};

static void trace_free(fs_trace *trace) {
    free(trace->path);
    free(trace->partial);
    free(trace);
}

fs_trace *fs_trace_open(const char *path, double clock, fs_error *err) {
    fs_trace *trace = fs_calloc(1, sizeof *trace);
    size_t bytes = strlen(path) + sizeof ".partial";
    trace->path = fs_strdup(path);
    trace->partial = fs_malloc(bytes);
    snprintf(trace->partial, bytes, "%s.partial", path);
    trace->ticks_per_cycle = 1e6 * TICKS / clock;
    trace->file = fopen(trace->partial, "wb");
    if (trace->file == NULL) {
        fs_fail(err, FS_IO, "%s: cannot write: %s", trace->partial, strerror(errno));
        trace_free(trace);
        return NULL;
    }
    char text[FS_REAL_TEXT];
    fprintf(trace->file,
            "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"clock_hz\": %s}, \"traceEvents\": [",
            fs_real_text(clock, text));
    return trace;
}

/* ---- events ---- */

static void begin(fs_trace *trace, const char *kind, uint32_t process) {
    fprintf(trace->file, "%s\n{\"ph\":\"%s\",\"pid\":%" PRIu32, trace->events++ > 0 ? "," : "", kind,
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
    fprintf(trace->file, ",\"%s\":%" PRIu64 ".%04" PRIu64, key, at / TICKS, at % TICKS);
}

static void order(fs_trace *trace, const char *what, fs_track track, uint32_t place) {
    begin(trace, "M", track.process);
    if (track.track > 0)
        fprintf(trace->file, ",\"tid\":%" PRIu32, track.track);
    fprintf(trace->file, ",\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}", what, place);
}

void fs_trace_process(fs_trace *trace, uint32_t process, const char *name) {
    begin(trace, "M", process);
    fprintf(trace->file, ",\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}}", plain(name));
    order(trace, "process", (fs_track){process, 0}, process);
}

void fs_trace_track(fs_trace *trace, fs_track track, const char *name) {
    begin(trace, "M", track.process);
    fprintf(trace->file, ",\"tid\":%" PRIu32 ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
            track.track, plain(name));
    order(trace, "thread", track, track.track);
}

void fs_trace_span(fs_trace *trace, fs_track track, const char *name, uint64_t start, uint64_t cycles,
                   const char *count_name, uint64_t count) {
    const uint64_t from = ticks(trace, start), to = ticks(trace, start + cycles);
    begin(trace, "X", track.process);
    fprintf(trace->file, ",\"tid\":%" PRIu32, track.track);
    time_member(trace, "ts", from);
    time_member(trace, "dur", to - from);
    fprintf(trace->file, ",\"name\":\"%s\",\"args\":{\"cycles\":%" PRIu64, plain(name), cycles);
    if (count_name != NULL)
        fprintf(trace->file, ",\"%s\":%" PRIu64, plain(count_name), count);
    fputs("}}", trace->file);
}

void fs_trace_counter(fs_trace *trace, uint32_t process, const char *name, const char *unit, uint64_t at,
                      uint64_t value) {
    begin(trace, "C", process);
    time_member(trace, "ts", ticks(trace, at));
    fprintf(trace->file, ",\"name\":\"%s\",\"args\":{\"%s\":%" PRIu64 "}}", plain(name), plain(unit), value);
}

/* ---- the end ---- */

fs_status fs_trace_close(fs_trace *trace, fs_error *err) {
    fputs("\n]}\n", trace->file);
    bool failed = ferror(trace->file) != 0;
    failed |= fflush(trace->file) != 0 || fsync(fileno(trace->file)) != 0;
    int reason = errno;
    failed |= fclose(trace->file) != 0;
    if (failed)
        fs_fail(err, FS_IO, "%s: cannot write: %s", trace->partial, strerror(reason));
    else if (rename(trace->partial, trace->path) != 0)
        failed = fs_fail(err, FS_IO, "%s: cannot rename to %s: %s", trace->partial, trace->path,
                         strerror(errno)) != FS_OK;
    if (failed)
        unlink(trace->partial);
    trace_free(trace);
    return failed ? FS_IO : FS_OK;
}

void fs_trace_discard(fs_trace *trace) {
    if (trace == NULL)
        return;
    fclose(trace->file);
    unlink(trace->partial);
    trace_free(trace);
}
