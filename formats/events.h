/* Private to formats: events of processors as they stand in a recorded trace, whatever its dialect, become calls. Here is
 * what the events mean: what is kept from one to another, what is waited for, how much time lies between. */
#pragma once

#include "formats/format.h"

enum { FS_EVENT_NAME = 48, FS_EVENT_LEGS = 256 };
#define FS_EVENT_NOWHERE INT64_MIN

/* What a send to other chips says beside its bytes. */
typedef struct fs_event_send {
    uint32_t legs;
    fs_recorded_leg leg[FS_EVENT_LEGS];
} fs_event_send;
/* One leg more. false: a send has no more of them. */
bool fs_events_add_leg(fs_event_send *send, fs_recorded_leg leg);

typedef enum fs_event_zone { FS_ZONE_NONE, FS_ZONE_BEGIN, FS_ZONE_END } fs_event_zone;

typedef struct fs_marked {
    uint64_t line, column;
    char proc[FS_EVENT_NAME], type[FS_EVENT_NAME]; /* type "": a zone */
    fs_event_zone zone;
    int64_t sx, sy, dx, dy, x0, y0, x1, y1; /* FS_EVENT_NOWHERE: not said, or less than 0 */
    int64_t plane;                          /* -1: not said */
    int64_t bytes;                          /* -1: not said */
    int64_t chip, host;                     /* -1: not said; host: another number of the chip */
    bool swapped;                           /* of a rectangle: the second plane's corners stand swapped */
    bool timed;
    uint64_t stamp;
    fs_event_send *send; /* NULL: none */
} fs_marked;

typedef struct fs_events fs_events;

/* notes may be NULL. All else is kept. */
fs_events *fs_events_create(const char *file, const fs_format_asked *asked, const fs_calls_taker *taker,
                            fs_notes *notes);
void fs_events_free(fs_events *events);
/* The next event. FS_INPUT with its place, its number and its processor. */
bool fs_events_take(fs_events *events, const fs_marked *event, fs_error *err);
fs_recorded_span fs_events_span(const fs_events *events);

/* ---- for the formats of recorded traces ---- */

extern const fs_format fs_format_noc_trace, fs_format_trace_table;
/* The file that says how chips are joined: as asked for, or beside the trace NAME.topology.json,
 * else topology.json. */
const char *fs_format_topology(fs_arena *arena, const char *path, const fs_format_asked *asked);
/* fs_format.beside of one: that file, where none is asked for. */
void fs_format_topology_beside(const char *path, fs_format_seen seen, void *self);
/* fs_format.tell of one: the machine by the columns that it names. */
fs_status fs_format_tell_calls(const fs_format *format, fs_arena *arena, const char *path,
                               const fs_format_asked *asked, fs_format_told *out, fs_notes *notes,
                               fs_error *err);
