/* Private to reports/run_*.c: what the parts of the run folder's reader share. */
#pragma once

#include "reports/read/run_folder.h"
#include "sim/base/alloc.h"
#include "sim/host/scratch.h"

#include <jansson.h>

struct fs_folder {
    fs_arena *arena; /* all texts and lists; tables are on the heap, so that they can be forgotten */
    const char *path, *label, *name;
    const fs_stat_table *const *known; /* figures of this program; NULL: none */
    const char *archive;               /* the file that the run was unpacked from; NULL: it was not */
    fs_scratch scratch;                /* and where */
    json_t *manifest;
    fs_figure *figures;
    size_t figure_count;
    fs_setting *settings; /* NULL: not read yet */
    size_t setting_count;
    const struct fs_page_plan *page; /* NULL: not read yet, or none */
    fs_read_finding *findings;       /* NULL: not read yet */
    size_t finding_count;
    fs_csv **tables; /* [table_count] */
    size_t table_count;
    fs_folder **views; /* [view_count], NULL: not opened yet */
    size_t view_count;
};

/* DIR/file, of the folder's arena. */
const char *fs_folder_file(const fs_folder *folder, const char *file);
/* A whole file and a final NUL, of the heap. NULL with FS_INPUT when it can't be read or is larger than
 * 4 GiB. */
char *fs_folder_bytes(const char *path, size_t *size, fs_error *err);
/* A JSON file; NULL with FS_INPUT: place and reason. */
json_t *fs_folder_json(const fs_folder *folder, const char *file, fs_error *err);

/* summary.json and stats.csv into the folder's figures. */
fs_status fs_folder_read_figures(fs_folder *folder, fs_error *err);

/* Reads a table; `units`: the manifest's list or NULL, borrowed. */
fs_csv *fs_csv_read(const char *path, const char *file, const json_t *units, fs_error *err);
const char *fs_csv_file(const fs_csv *table);
void fs_csv_free(fs_csv *table);
