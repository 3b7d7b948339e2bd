/* What the files of the library for C share. */
#pragma once

#include "api/foamsim.h"
#include "reports/read/run_folder.h"
#include "sim/base/error.h"
#include "sim/config/config.h"

#include <locale.h>
#include <stdatomic.h>

/* Kept as long as its user and the recordings that look at it want it. */
struct foamsim_experiment {
    fs_arena *arena;
    const char *name;
    const char *const *sets; /* [count + 1], NULL at the end */
    size_t count;
    const fs_config *config; /* NULL: of plug-ins, and only the program knows it */
    const char *resolved;    /* NULL: nobody asked for it yet */
    atomic_uint uses;
};

/* First in every call that reads or writes a number: the thread has the locale "C" until the call returns, and the one that it had
 * behind it. */
#define FS_API_ENTER                                                                                         \
    __attribute__((cleanup(fs_api_leave), unused)) const locale_t fs_api_before = fs_api_enter()
locale_t fs_api_enter(void);
void fs_api_leave(const locale_t *before);

/* One error as the other; returns its status. */
foamsim_status fs_api_tell(const fs_error *from, foamsim_error *to);
void fs_api_calm(foamsim_error *error); /* no error */

/* The text that `foamsim config show` prints for an experiment, of its arena; NULL: error says what is wrong. */
const char *fs_api_shown(const foamsim_experiment *experiment, foamsim_error *error);

/* What would have been written as summary.json, with the units of the workload's table, to be read as a run. */
foamsim_folder *fs_api_priced(const json_t *summary, const fs_stat_table *table);
