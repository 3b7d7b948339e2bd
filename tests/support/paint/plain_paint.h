/* Paths as workloads/smallpaint/walk/paths.h defines them, one after the other in f32: the same bits and counts as
 * fs_paint. */
#ifndef FOAMSIM_TESTS_SUPPORT_PAINT_PLAIN_PAINT_H
#define FOAMSIM_TESTS_SUPPORT_PAINT_PLAIN_PAINT_H

#include "workloads/smallpaint/walk/paths.h"

void plain_paint(const fs_paint_rules *rules, const fs_paint_job *job);

#endif
