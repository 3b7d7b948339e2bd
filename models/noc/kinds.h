/* The kinds of networks, a file of topology/ each; fs_noc_make asks the kind of its options. */
#pragma once

#include "models/noc/noc.h"

/* A kind of networks: what its file gives. */
typedef struct fs_noc_kind {
    /* Errors begin with a key, "machine.exchange.noc.express: ", or with the kind's name: then of the sizes. */
    fs_noc_graph *(*make)(fs_arena *arena, const fs_noc_options *options, fs_error *err);
    const char
        *sizes; /* what machine.exchange.noc.size has, "[arity, levels]"; NULL: the kind has no sizes */
    uint32_t least, most; /* how many */
    /* Digit d of an end point's number, the lowest first (fs_noc_digits); 0: there are no more. NULL: one digit for
     * all end points. */
    uint32_t (*digit)(const fs_noc_options *options, uint32_t d);
    bool grid; /* its routers lie in rows and columns, router i at place i */
} fs_noc_kind;
#define FS_NOC_DECLARE_KIND(NAME, name) extern const fs_noc_kind fs_noc_##name;
FS_NOC_KINDS(FS_NOC_DECLARE_KIND)

/* The kind of these options. */
const fs_noc_kind *fs_noc_kind_of(const fs_noc_options *options);
