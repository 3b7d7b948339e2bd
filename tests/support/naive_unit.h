/* A second walk of a traversal unit for the tests, by workloads/hierarchy/walk/walk.h alone: one box and one
 * triangle at a time, the queue an array that is searched from its front. */
#pragma once

#include "workloads/hierarchy/walk/walk.h"

enum { NAIVE_UNIT_QUEUE = 4096 };

/* Writes at most `most` requests; how many there are. */
uint32_t naive_unit(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, const fs_unit_walk_rules *rules,
                    fs_unit_walk_request *request, uint32_t most, fs_unit_walk_end *end);
