/* Frames that can never complete, told early.
 *
 * What the machine does in an iteration follows from its state alone: what lies in which slot of which lane
 * and of the ring, and where the generator is in its sweep. Prices, host visits and the names of rays have no
 * part in it. So a state that was there before comes again for ever, with all that happened in between: what
 * pixels were not written by then never will be. A state can only come again at the same place of the sweep,
 * so one state a sweep is looked at (a generator that has finished is at one place for good). By Brent's
 * method one earlier state is kept, as 128 bits of a digest, and exchanged for the present one after 1, 2, 4,
 * 8 ... looks.
 *
 * While no lane is too small for its rays and none is lost, no ray is in another's way: where each is then
 * does not depend on the order of those that share a lane. So between two looks without a spill and without a
 * loss states are compared by what each lane holds, in any order.
 */
#ifndef FOAMSIM_WORKLOADS_FOAM_KERNELS_RECURRENCE_H
#define FOAMSIM_WORKLOADS_FOAM_KERNELS_RECURRENCE_H

#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct fs_foam_simulation;

typedef struct fs_recurrence {
    uint64_t kept[2];      /* digest of the state that is waited for, */
    uint64_t any_order[2]; /* and of what its lanes hold, in any order */
    uint64_t outline;      /* of that state: cheap, and another one for most others */
    uint64_t in_flight;    /* rays in that state */
    uint64_t trouble;      /* spills and losses when it was kept */
    uint64_t looks, until; /* since it was kept; when it is exchanged */
    bool any;              /* one is kept */
    uint64_t *written;     /* [setup.give_up] pixels of counted frames at the ends of the last sweeps */
    uint64_t sweeps;       /* that ended */
    uint64_t brought;      /* new pixels of the last setup.give_up of them */
    bool given_up;         /* for these are too few */
} fs_recurrence;

/* After the exchange of every iteration: whether the state is one that was there before, so that what has not
 * happened by now never will. False where something else than the state decides: another camera that is
 * still to come, a lane chosen by the iteration's number, frames before the last that is counted in flight, a
 * framebuffer that is read when it is full; and where the next visit of the host will end the run by itself.
 */
bool fs_recurrence_look(fs_recurrence *r, const struct fs_foam_simulation *sim);

/* The same by experience instead of proof: were every sweep to come as good as the last setup.give_up on
 * average, the frame would not be done by setup.max_iterations; also where these brought nothing at all.
 * Sweeps that are nearly alike lose the same rays each time, and no state comes again. A frame that is given
 * up would be done after all only if its sweeps brought more pixels later than before. */
bool fs_recurrence_gives_up(fs_recurrence *r, const struct fs_foam_simulation *sim);

/* FS_RUN: why a run ends without being done (`over`: at max_iterations), and how far it came. */
fs_status fs_recurrence_tell(const struct fs_foam_simulation *sim, bool over, fs_error *err);

#endif
