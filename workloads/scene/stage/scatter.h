/* Sites that fall one after the other from one stream of random numbers, on all threads.
 *
 * How many numbers an attempt draws depends on what stands in its way, so where the n-th begins is known only
 * when all before it are made. But numbers are drawn by their place in the stream, and what an attempt does
 * depends on the place where it begins and on nothing else. A thread begins somewhere in the stream as if an
 * attempt began there. It may be wrong at first; from the first place on where one of its attempts and one of
 * the true ones begin together they are the same attempts for ever. That takes a few. So threads take
 * stretches of the stream, and joining them in their order makes only those few anew: the same sites as
 * without threads, bit by bit.
 */
#ifndef FOAMSIM_WORKLOADS_SCENE_STAGE_SCATTER_H
#define FOAMSIM_WORKLOADS_SCENE_STAGE_SCATTER_H

#include "sim/host/progress.h"
#include "workloads/scene/sites/sites.h"

/* Draws at least one number and pushes one site or none; depends on rng and on what self points to, which
 * stays as it is. Any thread. */
typedef void (*fs_attempt)(const void *self, fs_rng *rng, fs_sites *out);

/* Attempts from `rng` on until `out` has `cells` sites. progress: of sites, begun; NULL: none. */
void fs_scatter(fs_attempt attempt, const void *self, fs_rng rng, uint32_t cells, fs_sites *out,
                fs_progress *progress);

#endif
