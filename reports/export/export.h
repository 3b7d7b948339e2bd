/* Results where other tools look for them: `foamsim export`. Each form makes its files in memory from opened runs. */
#pragma once

#include "reports/read/run_folder.h"
#include "sim/cli/cli.h"

/* A file that was made: of the arena. */
typedef struct fs_export_file {
    const char *name, *text;
} fs_export_file;

typedef struct fs_export_files {
    fs_arena *arena;
    fs_export_file *file; /* [count] */
    size_t count;
} fs_export_files;

/* Closes a stream into memory; its text becomes a file. */
void fs_export_add(fs_export_files *files, const char *name, fs_memory *memory);

/* The forms make their files of opened runs [count]. FS_INPUT: a run lacks what a form needs, or there are too many. */

/* Floorplan and power over time for HotSpot, of one run: NAME.flp, NAME.ptrace, NAME.config, of each chip. */
fs_status fs_export_hotspot(fs_folder *const *runs, size_t count, fs_export_files *out, fs_error *err);
/* Every figure and distribution of one run in gem5's form: stats.txt. */
fs_status fs_export_gem5(fs_folder *const *runs, size_t count, fs_export_files *out, fs_error *err);
/* Load and latency of runs over a network, a row for each, or for each load that the search for a knee tried, with the
 * columns of BookSim 2: booksim.csv. */
fs_status fs_export_booksim(fs_folder *const *runs, size_t count, fs_export_files *out, fs_error *err);

extern const fs_command fs_command_export;
