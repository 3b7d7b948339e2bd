/* What a recorded trace says before it runs. */
#include "formats/events.h"

#include "sim/base/arith.h"
#include "sim/yaml/paths.h"

const char *fs_format_topology(fs_arena *arena, const char *path, const fs_format_asked *asked) {
    const char *folder = fs_path_dir(arena, path),
               *own = fs_path_join(arena, folder,
                                   fs_arena_printf(arena, "%s.topology.json", fs_path_stem(arena, path)));
    if (asked->topology != NULL && asked->topology[0] != '\0')
        return asked->topology;
    return fs_path_is_file(own) ? own : fs_path_join(arena, folder, "topology.json");
}

void fs_format_topology_beside(const char *path, fs_format_seen seen, void *self) {
    fs_arena *arena = fs_arena_create();
    const char *file = fs_format_topology(arena, path, &(fs_format_asked){.topology = ""});
    if (fs_path_is_file(file))
        seen(self, file);
    fs_arena_free(arena);
}

static bool look_at(void *self, const fs_called *call, fs_error *err) {
    uint32_t *columns = self;
    const fs_place places[] = {call->place, call->to, call->corner};
    (void)err;
    for (size_t i = 0; i < FS_COUNT(places); i++)
        *columns = (uint32_t)fs_most(*columns, places[i].x + (uint64_t)1);
    return true;
}

fs_status fs_format_tell_calls(const fs_format *format, fs_arena *arena, const char *path,
                               const fs_format_asked *asked, fs_format_told *out, fs_notes *notes,
                               fs_error *err) {
    enum { WORMHOLE = 10 }; /* columns of its network; a Blackhole's has 17 */
    uint32_t columns = 0;
    fs_recorded_span span;
    const fs_calls_taker taker = {.self = &columns, .take = look_at};
    if (format->calls(arena, path, asked, &taker, &span, notes, err))
        return err->status;
    *out = (fs_format_told){.yaml = "workload:\n  kind: fabric\n",
                            .machine = columns <= WORMHOLE ? "wormhole" : "blackhole",
                            .records = span.events,
                            .unit = "events"};
    return FS_OK;
}
