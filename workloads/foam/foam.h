/* The foam workload as the rest of foamsim knows it: descriptors for the registry. */
#ifndef FOAMSIM_WORKLOADS_FOAM_FOAM_H
#define FOAMSIM_WORKLOADS_FOAM_FOAM_H

#include "sim/cli/cli.h"
#include "sim/config/config.h"
#include "sim/workload/host_options.h"
#include "sim/workload/workload.h"
#include "workloads/foam/books/books.h"

#include <jansson.h>

extern const fs_command fs_command_scene;  /* `foamsim scene ...` */
extern const fs_command fs_command_ray;    /* `foamsim ray RUN --pixel X,Y`: hop by hop */
extern const fs_workload fs_workload_foam; /* workload.kind: foam */
extern const fs_param_table fs_foam_table; /* its parameters */
extern const fs_param_table
    fs_foam_run_table; /* "run", with the rows of pictures: all that any workload reads */
extern const fs_stat_table fs_foam_host_stats; /* host.json */
extern const struct fs_page_plan fs_foam_page; /* page.json */

/* Runs the experiment again with the ray of pixel (x, y) followed and writes nothing: its story
 * (workloads/foam/follow/follow.h). Owner of *story: caller, json_decref. FS_INPUT: a pixel beyond the
 * picture, decoupled execution, a recording without rays. */
fs_status fs_foam_follow(const fs_config *config, const fs_host_options *host, uint32_t x, uint32_t y,
                         json_t **story, fs_error *err);

#endif
