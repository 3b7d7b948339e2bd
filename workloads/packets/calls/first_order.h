/* What a first-order model says of the transfers of a file, to be set beside what flits do: in steps of 128 cycles each
 * transfer that lives asks all links of its way, and the ports at its ends, for its full rate, whatever else holds it back;
 * where more is asked of a link than it carries all get the same part of what they ask. Its numbers are those of the public
 * tool for Wormhole (docs/facts/network_on_chip.md 4): rates and ports 28.1 B a cycle, links 30 of 32 B.
 *
 * Where many senders share a reader's port, each moves a fraction of what the model lets it ask of the links before: it
 * finds links full that are not, and staggering helpful that is not. */
#pragma once

#include "workloads/packets/calls/spots.h"

/* Cycles from the first begin to the last end; NAN: there are no transfers, or too many. width: bytes of a flit. */
double fs_estimate_first_order(const fs_spots *spots, uint32_t width);
