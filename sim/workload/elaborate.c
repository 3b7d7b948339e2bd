#include "sim/workload/elaborate.h"

#include "sim/base/host.h"
#include "sim/host/children.h"

enum { GROUPS = 4 };

static const char *const *words_of(const fs_elaboration *e, const fs_elaborate_options *o, fs_arena *arena) {
    fs_process_words w = {.arena = arena};
    fs_process_add(&w, "run", e->file, "--check", "--quiet", o->no_cache ? "--no-cache" : NULL, NULL);
    fs_process_option(&w, "--cache", o->no_cache ? NULL : o->cache);
    fs_process_sets(&w, e->sets, e->set_count);
    return w.word;
}

fs_status fs_elaborate(fs_elaboration *items, size_t count, const fs_elaborate_options *options,
                       fs_arena *arena, fs_error *err) {
    const double begun = fs_host_wall_seconds();
    const size_t step = (size_t)options->jobs * GROUPS;
    fs_child *child = FS_NEW(arena, fs_child, count + 1);
    for (size_t at = 0; at < count && fs_host_wall_seconds() - begun < options->all; at += step) {
        const size_t n = count - at < step ? count - at : step;
        for (size_t i = at; i < at + n; i++)
            child[i] = (fs_child){.label = items[i].file, .words = words_of(&items[i], options, arena)};
        fs_children children = {.child = child + at,
                                .count = n,
                                .jobs = options->jobs,
                                .keep_going = true,
                                .most_seconds = options->each};
        if (fs_children_run(&children, arena, err))
            return err->status;
        for (size_t i = at; i < at + n; i++) {
            items[i].looked_at = true;
            items[i].unfinished = child[i].out_of_time;
            items[i].error = child[i].status == FS_OK ? "" : child[i].words_said;
        }
    }
    return FS_OK;
}
