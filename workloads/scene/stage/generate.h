/* Synthetic scenes: kinds, what they take, and the one function that makes their sites. */
#pragma once

#include "sim/base/error.h"
#include "workloads/scene/sites/sites.h"

#include <stdint.h>

/* How the sites of a yard, grove or street are scattered (trained.c); the other kinds know no such
 * knobs. Shares are percent of all sites; what is left goes to the ground. */
typedef struct fs_trained_params {
    double opacity;    /* extinction of all that is opaque, relative */
    double scatter;    /* thickness of the layer of sites on a surface of middling detail, scene units */
    double tail;       /* sites thin out as (1 + distance / thickness)^-(1 + tail) */
    double air;        /* share in free space */
    double vegetation; /* share in canopies */
    double background; /* share in the far background */
    double things;     /* share on things, all that is solid but ground and background */
    double deep;       /* spacing and depth of sites under the ground, where no ray comes; scene units */
} fs_trained_params;
extern const fs_trained_params fs_trained_defaults;

typedef struct fs_generate_params {
    int64_t kind;  /* index into fs_generate_kinds */
    int64_t cells; /* sites in all, 1,000 ... 5,000,000; exactly so many are made */
    int64_t seed;
    fs_trained_params trained;
} fs_generate_params;
extern const char *const fs_generate_kinds[]; /* "garden", "room", "uniform", "shell", ..., NULL */
extern const char *const fs_generate_summaries[];
fs_status fs_scene_generate(const fs_generate_params *params, fs_sites *out, fs_error *err);
