/* Paths on hosts of any kind. */
#include "workloads/smallpaint/walk/core.h"

LANES void fs_paint_plain(const fs_paint_rules *rules, const fs_paint_job *job) {
    paint(rules, job);
}
