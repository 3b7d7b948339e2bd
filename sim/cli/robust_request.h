/* --robust and what goes with it, for commands that take them. */
#ifndef FOAMSIM_SIM_CLI_ROBUST_REQUEST_H
#define FOAMSIM_SIM_CLI_ROBUST_REQUEST_H

#include "sim/cli/sweep_request.h"

enum { FS_ROBUST_ROWS = 3 };

typedef struct fs_robust_request {
    bool asked;
    const char *uncertain, *draws_text;
    int64_t draws;
} fs_robust_request;

/* Fills the rows [FS_ROBUST_ROWS] of a command that takes them. */
void fs_cli_robust_rows(fs_robust_request *request, fs_option *rows);
/* FS_INPUT for a wrong number, or its options without --robust. */
fs_status fs_cli_robust_check(fs_robust_request *request, fs_error *err);
/* Judges a sweep of the store at `path`, where that was asked for. */
fs_status fs_cli_robust_asked(const fs_robust_request *request, const fs_sweep_request *how, const char *path,
                              fs_store *store, const char *sweep, fs_error *err);

#endif
