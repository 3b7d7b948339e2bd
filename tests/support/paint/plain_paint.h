/* Paths as workloads/smallpaint/walk/paths.h defines them, one after the other in f32: the same bits and counts as
 * fs_paint. */
#pragma once

#include "workloads/smallpaint/walk/paths.h"

void plain_paint(const fs_paint_rules *rules, const fs_paint_job *job);
