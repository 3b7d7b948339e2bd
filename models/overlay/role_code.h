/* Bytes of code that programs of an overlay's roles take in a tile's SRAM, and their rows for a workload that
 * runs over an overlay. */
#ifndef FOAMSIM_MODELS_OVERLAY_ROLE_CODE_H
#define FOAMSIM_MODELS_OVERLAY_ROLE_CODE_H

#include "models/overlay/overlay.h"
#include "sim/config/param.h"

typedef struct fs_role_code { /* bytes of code, constants and stacks */
    int64_t tracer, router, generator;
} fs_role_code;

/* Rows code.tracer, code.router, code.generator for a fs_role_code that is the member m of struct S. */
#define FS_ROLE_CODE_ROWS(S, m)                                                                              \
    FS_PARAM_INT(                                                                                            \
        "code.tracer", S, m.tracer, BYTES, "32 KiB", 0, 1e12,                                                \
        "code, constants and stacks of a tracer: what is left of about 450 kB beside 413 kB of data",        \
        TRAFFIC, .from = {"RF section 5.2; published.md 1, tracer SRAM", 'I'},                               \
        .was = "machine.memory.code_tracer"),                                                                \
        FS_PARAM_INT(                                                                                        \
            "code.router", S, m.router, BYTES, "40 KiB", 0, 1e12,                                            \
            "code, constants and stacks of a router: fits beside 576 kB of buffers in a nearly full tile",   \
            TRAFFIC, .from = {"RF section 5.2 and section 5.5", 'I'}, .was = "machine.memory.code_router"),  \
        FS_PARAM_INT("code.generator", S, m.generator, BYTES, "32 KiB", 0, 1e12,                             \
                     "code, constants and stacks of the generator: as a tracer's", TRAFFIC,                  \
                     .from = {"no source", 'A'}, .was = "machine.memory.code_generator")

/* Of a tile of that role; spare tiles have none. */
static inline uint64_t fs_role_code_bytes(const fs_role_code *code, fs_role role) {
    const int64_t bytes[FS_ROLE_COUNT] = {[FS_ROLE_TRACER] = code->tracer,
                                          [FS_ROLE_ROUTER] = code->router,
                                          [FS_ROLE_GENERATOR] = code->generator};
    return (uint64_t)bytes[role];
}

#endif
