/* Points of a validation: resolved, run as one sweep in a store, read back. */
#include "sim/host/file.h"
#include "sim/host/voice.h"
#include "sim/yaml/tree.h"
#include "validation/judge/private.h"

#include <string.h>

static const uint64_t most_recordings = UINT64_C(16) << 30; /* bytes to keep beside the store */

fs_case_points *fs_case_points_create(const fs_validation *v) {
    fs_case_points *list = FS_NEW(v->arena, fs_case_points, 1);
    *list = (fs_case_points){.v = v, .resolver = fs_sweep_resolver_create(v->arena, v->registry)};
    return list;
}

/* ---- what was asked before ---- */

/* What a point is asked to be, whatever it is called: the same question is resolved once. */
static uint64_t question(const fs_validation *v, const fs_standin *standin, const fs_config_over *overs,
                         size_t count, const char **text) {
    const char *all = fs_arena_strdup(v->arena, standin->name);
    for (size_t i = 0; i < count; i++)
        all = fs_arena_printf(v->arena, "%s\n%s=%s", all, overs[i].key,
                              fs_sweep_value_text(v->arena, overs[i].value));
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (const char *c = all; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    *text = all;
    return hash;
}

/* The place of a question in the table: where it stands, or a free one. */
static fs_asked *place_of(const fs_case_points *list, const fs_node *base, uint64_t hash, const char *text) {
    for (size_t i = hash & (list->asked_room - 1);; i = (i + 1) & (list->asked_room - 1)) {
        fs_asked *at = &list->asked[i];
        if (at->text == NULL || (at->base == base && at->hash == hash && strcmp(at->text, text) == 0))
            return at;
    }
}

/* Room for one more, half of the table free. */
static void grow(fs_case_points *list) {
    if (2 * (list->asked_count + 1) <= list->asked_room)
        return;
    const fs_asked *old = list->asked;
    const size_t room = list->asked_room;
    list->asked_room = room == 0 ? 1024 : 2 * room;
    list->asked = FS_NEW(list->v->arena, fs_asked, list->asked_room);
    for (size_t i = 0; i < room; i++)
        if (old[i].text != NULL)
            *place_of(list, old[i].base, old[i].hash, old[i].text) = old[i];
}

/* ---- points ---- */

static fs_store_point *new_point(fs_case_points *list) {
    list->points = fs_arena_grow(list->v->arena, list->points, list->count, sizeof *list->points);
    return &list->points[list->count];
}

fs_status fs_case_points_add(fs_case_points *list, const fs_standin *standin, const fs_variant *variant,
                             const fs_config_over *extra, size_t extra_count, const char *label,
                             size_t *index, fs_error *err) {
    const fs_validation *v = list->v;
    fs_config_over *overs = FS_NEW(v->arena, fs_config_over, variant->over_count + extra_count + 2);
    fs_config_over *at = overs;
    for (size_t i = 0; i < variant->over_count; i++)
        *at++ = variant->overs[i];
    for (size_t i = 0; i < extra_count; i++)
        *at++ = extra[i];
    if (list->basic)
        *at++ = (fs_config_over){"run.statistics", fs_tree_scalar(v->arena, (fs_mark){0}, "basic")};
    const size_t count = (size_t)(at - overs);
    const char *text;
    const uint64_t hash = question(v, standin, overs, count, &text);
    grow(list);
    fs_asked *asked = place_of(list, standin->base, hash, text);
    if (asked->text != NULL) {
        *index = asked->point;
        return FS_OK;
    }
    fs_store_point *p = new_point(list);
    const bool was =
        fs_say_quiet(true); /* keys that another kind does not have are for a person with one experiment */
    fs_status status = fs_sweep_resolve(list->resolver, standin->base, overs, count,
                                        fs_arena_printf(v->arena, "%s: %s", standin->name, label), p, err);
    fs_say_quiet(was);
    if (status)
        return status;
    for (*index = 0; *index < list->count; ++*index)
        if (strcmp(list->points[*index].key, p->key) == 0)
            break;
    *asked = (fs_asked){.base = standin->base, .hash = hash, .text = text, .point = *index};
    list->asked_count++;
    if (*index < list->count)
        return FS_OK;
    fs_store_setting *setting = FS_NEW(v->arena, fs_store_setting, 1);
    *setting = (fs_store_setting){.value = p->label, .number = (double)*index};
    p->settings = setting;
    list->count++;
    return FS_OK;
}

fs_status fs_case_points_run(fs_case_points *list, const char *name, const fs_validation_options *o,
                             fs_error *err) {
    static const char *const axes[] = {"points"};
    const fs_paper_figure *first = fs_paper_priced(list->v->paper);
    const fs_store_objective objective = {.figure = first->figure, .larger = first->more};
    fs_arena *arena = list->v->arena;
    name = fs_arena_printf(arena, "%s-%s", name, list->v->paper->name);
    const fs_store_sweep sweep = {.name = name,
                                  .text = "",
                                  .axes = axes,
                                  .axis_count = 1,
                                  .objectives = &objective,
                                  .objective_count = 1,
                                  .points = list->points,
                                  .point_count = list->count};
    const fs_sweep_options options = {.registry = list->v->registry,
                                      .jobs = o->jobs,
                                      .threads = o->threads,
                                      .memory = o->memory,
                                      .cache_limit = most_recordings,
                                      .folder = fs_arena_printf(arena, "%s.cache", o->store),
                                      .scenes = o->scenes,
                                      .progress = o->progress,
                                      .label = "sweep"};
    fs_sweep_tally tally;
    fs_store_sweep done;
    size_t open;
    fs_store *store = NULL;
    if (fs_dir_make(o->folder, err) || fs_store_open(o->store, FS_STORE_WRITE, &store, err))
        return err->status;
    fs_status status = fs_sweep_into_store(store, &sweep, &options, o->retry, &open, &tally, err);
    if (status == FS_RUN)
        fs_say("%zu of %zu open points were finished; the same command goes on", tally.done + tally.failed,
               open);
    if (status == FS_OK)
        status = fs_store_read(store, arena, name, &done, err);
    fs_store_close(store);
    if (status)
        return status;
    FS_ASSERT(done.point_count == list->count, "%zu points of %zu", done.point_count, list->count);
    for (size_t i = 0; i < list->count; i++)
        list->points[i] = done.points[i];
    if (o->progress)
        fs_say("%zu points: %zu known, %zu run, %zu replayed, %zu priced, %zu failed", list->count,
               list->count - open, tally.by_layer[0], tally.by_layer[1], tally.by_layer[2], tally.failed);
    return FS_OK;
}
