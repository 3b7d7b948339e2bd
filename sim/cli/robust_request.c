/* --robust, --uncertain, --draws. */
#include "sim/cli/robust_request.h"
#include "sim/robust/robust.h"

#include <string.h>

enum { USUAL_DRAWS = 64, MOST_DRAWS = 4096 };

void fs_cli_robust_rows(fs_robust_request *r, fs_option *rows) {
    const fs_option all[FS_ROBUST_ROWS] = {
        FS_FLAG("robust", 0, "vary what is uncertain jointly, and say how sure the best points are",
                &r->asked),
        FS_OPTION("uncertain", 0, "FILE.yaml",
                  "ranges of uncertain parameters (configs/validation/uncertain*.yaml)", &r->uncertain),
        FS_OPTION("draws", 0, "N", "joint draws of them (64; all corners where they are at most 16)",
                  &r->draws_text),
    };
    memcpy(rows, all, sizeof all);
}

fs_status fs_cli_robust_check(fs_robust_request *r, fs_error *err) {
    r->draws = USUAL_DRAWS;
    if (!r->asked && (r->uncertain != NULL || r->draws_text != NULL))
        return fs_fail(err, FS_INPUT, "--%s: expected --robust beside it",
                       r->uncertain != NULL ? "uncertain" : "draws");
    return fs_option_int("draws", r->draws_text, 2, MOST_DRAWS, &r->draws, err);
}

fs_status fs_cli_robust_asked(const fs_robust_request *r, const fs_sweep_request *how, const char *path,
                              fs_store *store, const char *sweep, fs_error *err) {
    if (!r->asked)
        return FS_OK;
    fs_arena *arena = fs_arena_create();
    const fs_robust_ask ask = {.uncertain = r->uncertain, .draws = (size_t)r->draws};
    const fs_sweep_options options = fs_cli_sweep_options_of(how, path, arena);
    const fs_status status = fs_robust_run(&ask, &options, store, sweep, err);
    fs_arena_free(arena);
    return status;
}
