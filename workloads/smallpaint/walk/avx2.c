/* Paths on hosts with AVX2. */
#define FS_LANES_AVX2
#include "workloads/smallpaint/walk/core.h"

LANES void fs_paint_avx2(const fs_paint_rules *rules, const fs_paint_job *job) {
    paint(rules, job);
}
