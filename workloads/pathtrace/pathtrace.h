/* Neural path tracing in SRAM: a whole scene on every rendering tile, batches of rays from streaming memory,
 * a network for the light (docs/facts/neural_path_tracing.md). */
#pragma once

#include "sim/workload/workload.h"
#include "workloads/pathtrace/figures.h"

extern const struct fs_page_plan fs_pathtrace_page;
extern const fs_workload fs_workload_pathtrace;
