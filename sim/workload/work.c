#include "sim/workload/work.h"

#include "sim/config/config.h"

#include <string.h>

#define P          fs_work_params
#define FS_ROWS_OF P

static const fs_param rows[] = {
    FS_PARAM_STRING("name", P, name, NULL, "of the work, by which comparisons call it", NOTHING),
    FS_INT(width, NONE, "480", 1, 16384, "pixels across", NOTHING),
    FS_INT(height, NONE, "432", 1, 16384, "pixels down", NOTHING),
    FS_INT(segments, NONE, "1", 1, 1000, "of a path at most; 1: rays from the camera alone", NOTHING),
    FS_INT(samples, NONE, "1", 1, 65536, "paths of a pixel", NOTHING),
    FS_REAL(jitter, NONE, "0", 0, 100,
            "standard deviation of a camera ray, pixels; 0: through the middle of its pixel", NOTHING),
    FS_INT(roulette_above, NONE, "3", 0, 1000, "hits of a greater number, from 0, draw for the path's end",
           NOTHING, .from = {"neural_path_tracing.md 2, IRL", 'R'}),
    FS_INT(seed, NONE, "1", 0, 9007199254740991.0, "of random numbers", NOTHING),
};

static void check(const void *params, fs_check *check) {
    const P *p = params;
    if (p->name != NULL && (p->name[0] == '\0' || strpbrk(p->name, ",\"\n") != NULL))
        fs_check_wrong(check, "work.name", "expected a name without commas, quotes and line ends");
}

const fs_param_table fs_work_table =
    FS_PARAM_TABLE("work", "what is to be done, whichever machine does it (key scene: a scene)", rows,
                   sizeof(P), .check = check);
