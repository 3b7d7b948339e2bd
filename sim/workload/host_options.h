/* What a host gives to a run: threads, folders, files beside the results. Host matters are never
 * configuration: they change no result and stand in no key. */
#pragma once

#include "sim/host/places.h"

#include <stdbool.h>

typedef struct fs_host_options {
    int threads;             /* OpenMP threads; default all cores */
    const char *cache_dir;   /* $XDG_CACHE_HOME/foamsim or ~/.cache/foamsim; --cache DIR; NULL: --no-cache */
    const char *trace;       /* file of the timeline (sim/trace), --trace; NULL: none */
    const char *trace_tiles; /* --trace-tiles: the workload's list of tiles, NULL: its own choice */
    const char *record;      /* --record FILE: write an itinerary recording beside the run; NULL: none */
    const char *record_activity; /* --record-activity FILE: the same of an activity recording */
    const char *replay;          /* --replay FILE: go on from a recording of this configuration */
    bool check_only; /* stop after elaboration: the workload's `results` is NULL and nothing is written */
} fs_host_options;
