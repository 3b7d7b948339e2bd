/* What the foam workload keeps in recordings (docs/recordings.md; sim/results/recording.h is the container).
 *
 * Both layers hold the facts: what a run wants of its scene beside the rays. An itinerary recording adds
 * every ray's legs and end under every camera, and the reference render.
 */
#pragma once

#include "sim/workload/recorded.h"
#include "workloads/foam/kernels/simulation.h"
#include "workloads/foam/march/itinerary.h"
#include "workloads/foam/march/reference.h"
#include "workloads/foam/partition/partition.h"

/* What harmonics come to, under the first camera. */
typedef struct fs_foam_colour_facts {
    double psnr;  /* dB, of the reference without them against that with them, before quantising */
    uint64_t lit; /* visits of cells that load coefficients, of one frame */
} fs_foam_colour_facts;

/* What of a scene and its cut is wanted once the rays are marched. */
typedef struct fs_foam_facts {
    uint64_t cells, faces; /* of the scene */
    uint32_t shards, cameras;
    uint32_t entry[FS_CAMERAS]; /* [cameras] shard in which a camera stands; recordings hold FS_POSES */
    char digest[FS_DIGEST_HEX]; /* of the scene */
    uint32_t degree;            /* of its harmonics; 0: `colour` is nothing */
    fs_foam_colour_facts colour;
} fs_foam_facts;

/* What the configuration says of what a recording holds: a recording of its key whose numbers are others is a
 * damaged one, whatever its checksums say. */
typedef struct fs_foam_expected {
    uint32_t shards, cameras;
    uint32_t width, height; /* of the pictures */
    uint32_t degree;        /* of the harmonics */
} fs_foam_expected;

/* Facts, and of the partition shards, size and neighbours of the shards: reading gives one of these alone. FS_IO
 * when a number does not fit the others or what is expected. */
void fs_foam_facts_sections(fs_recorded *file, const fs_foam_expected *expected, fs_foam_facts *facts,
                            fs_partition *partition);

/* The legs of all rays, laid anew in the order of their pixels, so that equal runs write equal files; their
 * ends must not be rounded by the last hand-over (fs_journey.round_at_end), since that depends on the
 * framebuffer. */
void fs_foam_itinerary_write(fs_recorded *file, const fs_itinerary *itinerary, const fs_itinerary_view *view,
                             uint32_t views, const fs_reference *reference);

/* Itineraries as read: the heap blocks behind them. */
typedef struct fs_recorded_rays {
    fs_itinerary itinerary; /* its journey, arena and the cameras of the views are the caller's to set */
    fs_itinerary_view view[FS_CAMERAS];
    void *legs;
} fs_recorded_rays;
/* entry: [cameras] the shards in which the rays begin. payload: ends are rounded by it as the last hand-over
 * does; NULL: they are left as they are. reference: without its cells. FS_IO when a ray's legs lead out of
 * the recording or to no other shard. */
void fs_foam_itinerary_read(fs_recorded *file, const fs_foam_expected *expected, const uint32_t *entry,
                            const fs_payload *payload, fs_recorded_rays *out, fs_reference *reference);
void fs_foam_recorded_rays_free(fs_recorded_rays *rays);

/* What the last hand-over does to every end. */
void fs_foam_round_ends(const fs_payload *payload, fs_itinerary_view *view, size_t pixels);
