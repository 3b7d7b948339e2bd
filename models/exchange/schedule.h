/* Private to the exchange: the static plan, made once at elaboration. */
#pragma once

#include "models/exchange/exchange.h"
#include "sim/base/arith.h"

#include <stdbool.h>
#include <stdint.h>

/* A message as the planner sees it: in the same cycles at its sending ports and at all its receivers'. */
typedef struct fs_message {
    uint32_t src, lent;    /* tiles whose sending ports it takes; lent: src where it takes one */
    uint32_t first, count; /* receivers: to[first] ... */
    uint64_t cycles;       /* port time; 0: no message */
    uint32_t latency;      /* cycles to the farthest receiver */
} fs_message;

/* Messages: a bipartite multigraph of senders and receivers where all are single. */
typedef struct fs_schedule_job {
    uint32_t tiles, count;
    const fs_message *message; /* [count] */
    const uint32_t *to;        /* receiving tiles */
    bool single;               /* each message takes one sending port and one receiver */
} fs_schedule_job;

#define FS_NO_COLOUR UINT32_MAX

/* Proper edge colouring with as many colours as the busiest port has messages (Koenig's theorem): messages of
 * one colour share no sender and no receiver. All are single. colour: [count], FS_NO_COLOUR for messages of 0
 * cycles. Returns the number of colours. */
uint32_t fs_schedule_colour(const fs_schedule_job *job, uint32_t *colour);

/* Starts of all messages, [count] cycles from the beginning of the schedule. */
void fs_schedule_plan(const fs_schedule_job *job, uint64_t *start);

typedef struct fs_schedule_length {
    uint64_t sent, arrived; /* cycles to the last end of sending, to the last arrival */
} fs_schedule_length;
fs_schedule_length fs_schedule_length_of(const fs_schedule_job *job, const uint64_t *start);
static inline bool fs_schedule_shorter(fs_schedule_length a, fs_schedule_length b) {
    return a.sent < b.sent || (a.sent == b.sent && a.arrived < b.arrived);
}

/* Events by time, of equal times the lower number first. Memory is the caller's. */
typedef struct fs_heap_item {
    uint64_t time; /* cycles */
    uint32_t id;
} fs_heap_item;

typedef struct fs_event_heap {
    fs_heap_item *item; /* [room for the most items at a time] */
    uint32_t count;
} fs_event_heap;

static inline bool fs_heap_before(const fs_heap_item *a, const fs_heap_item *b) {
    return a->time != b->time ? a->time < b->time : a->id < b->id;
}
FS_HEAP(fs_heap, fs_heap_item, fs_heap_before)
