/* Private to workloads/hierarchy/walk: what threads walk with, and the ways of one ray (core.h). */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_WALK_WAYS_H
#define FOAMSIM_WORKLOADS_HIERARCHY_WALK_WAYS_H

#include "workloads/hierarchy/walk/queue.h"
#include "workloads/hierarchy/walk/walk.h"

enum { FS_UNIT_WALK_QUEUE_PAD = 4 }; /* entries behind a queue that vectors may read */

/* What a thread walks with. */
typedef struct fs_unit_walk_desk {
    fs_unit_queue queue;
    uint32_t *stack;               /* [depth x width] */
    fs_unit_walk_request *request; /* [request_room] heap: of the rays walked so far, one after the other */
    size_t requests, request_room;
    struct fs_unit_walk_watch *watch; /* of all threads */
} fs_unit_walk_desk;

/* Whether the walk ends here: somebody asked the process to, or it takes more than its rules bear. Asked each
 * FS_UNIT_WALK_LOOK requests of a thread. */
enum { FS_UNIT_WALK_LOOK = 1024 };
bool fs_unit_walk_over(const fs_unit_walk_desk *desk);

/* Ways of one ray. */
typedef struct fs_unit_walk_ways {
    void (*walk)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, const fs_unit_walk_rules *rules,
                 fs_unit_walk_desk *desk, fs_unit_walk_end *end);
    void (*depth_first)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t *stack,
                        fs_unit_walk_hit *hit, fs_unit_walk_visits *visits);
    void (*brute)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_hit *hit);
} fs_unit_walk_ways;
extern const fs_unit_walk_ways fs_unit_walk_plain,
    fs_unit_walk_avx2; /* the latter: on hosts with AVX2 alone */

#endif
