/* What findings call tiles and levels. */
#include "workloads/foam/foam_run.h"

#include <inttypes.h>
#include <stdio.h>

const char *fs_foam_tile_text(const fs_foam_books *b, uint32_t tile, char text[FS_FOAM_NAME_TEXT]) {
    const fs_overlay *o = b->overlay;
    const uint32_t shard = o->shard_of_tile[tile];
    switch ((fs_role)o->role[tile]) {
    case FS_ROLE_TRACER: {
        const bool camera = shard != UINT32_MAX && shard == o->shard_of_tile[b->camera_tile];
        const bool several = shard != UINT32_MAX && o->owner_start[shard + 1] - o->owner_start[shard] > 1;
        snprintf(text, FS_FOAM_NAME_TEXT, "tile %" PRIu32 ", %s tracer of shard %" PRIu32 "%s", tile,
                 several ? "a" : "the", shard, camera ? " (the camera's)" : "");
        break;
    }
    case FS_ROLE_ROUTER:
        snprintf(text, FS_FOAM_NAME_TEXT, "tile %" PRIu32 ", a router of level %u", tile, o->level[tile]);
        break;
    case FS_ROLE_GENERATOR:
        snprintf(text, FS_FOAM_NAME_TEXT, "tile %" PRIu32 ", the generator", tile);
        break;
    default:
        snprintf(text, FS_FOAM_NAME_TEXT, "tile %" PRIu32, tile);
    }
    return text;
}

const char *fs_foam_level_text(const fs_overlay *o, uint32_t level, char text[FS_FOAM_NAME_TEXT]) {
    if (level == 0)
        return "the tracers";
    if (level > o->levels)
        return "the generator";
    snprintf(text, FS_FOAM_NAME_TEXT, o->levels == 1 ? "the routers" : "the routers of level %" PRIu32,
             level);
    return text;
}
