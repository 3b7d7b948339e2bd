/* The file of a program: groups, memory, host, and the whole. */
#include "workloads/program/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void *fs_superstep_add(fs_arena *arena, fs_superstep_list *list, size_t size) {
    list->item = fs_arena_grow(arena, list->item, list->count, size);
    return (char *)list->item + list->count++ * size;
}

bool fs_superstep_mapping(const fs_superstep_reader *r, const fs_node *node) {
    return node->kind == FS_NODE_MAPPING ||
           fs_yaml_wrong(r->yaml, node, "expected a mapping, found %s", fs_yaml_found(r->yaml, node));
}

bool fs_superstep_items(const fs_superstep_reader *r, const fs_node *node, const char *what, size_t least) {
    return (node->kind == FS_NODE_LIST && node->count >= least) ||
           fs_yaml_wrong(r->yaml, node, "expected a list of %s, found %s", what,
                         fs_yaml_found(r->yaml, node));
}

/* ---- tiles ---- */

static bool distinct(const fs_superstep_reader *r, const fs_node *node, const fs_superstep_group *g) {
    uint8_t *seen = fs_calloc(r->tiles, 1);
    uint32_t twice = UINT32_MAX;
    for (uint32_t i = 0; i < g->count && twice == UINT32_MAX; i++) {
        twice = seen[g->tile[i]] != 0 ? g->tile[i] : UINT32_MAX;
        seen[g->tile[i]] = 1;
    }
    free(seen);
    if (twice == UINT32_MAX)
        return true;
    return fs_yaml_wrong(r->yaml, node, "tile %" PRIu32 " stands twice", twice);
}

bool fs_superstep_tiles(fs_superstep_reader *r, const fs_node *node, fs_superstep_group *out) {
    const fs_superstep_group *groups = r->groups.item;
    for (uint32_t g = 0; node->kind == FS_NODE_SCALAR && g < r->groups.count; g++)
        if (strcmp(groups[g].name, node->text) == 0) {
            *out = groups[g];
            return true;
        }
    *out = (fs_superstep_group){.name = ""};
    if (node->kind == FS_NODE_SCALAR && (node->text[0] < '0' || node->text[0] > '9')) {
        const char *known = "";
        for (uint32_t g = 0; g < r->groups.count; g++)
            known = fs_arena_printf(r->arena, "%s%s%s", known, g > 0 ? ", " : "", groups[g].name);
        return fs_yaml_wrong(r->yaml, node, "expected a group (%s) or numbers of tiles, found %s", known,
                             fs_yaml_found(r->yaml, node));
    }
    return fs_yaml_ranges(r->yaml, node, r->tiles - 1, &out->tile, &out->count) && distinct(r, node, out);
}

bool fs_superstep_read_tiles(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    (void)yaml;
    return fs_superstep_tiles(self, node, member);
}

static void read_groups(fs_superstep_reader *r, const fs_node *node) {
    fs_superstep_group *all = fs_superstep_add(r->arena, &r->groups, sizeof *all);
    *all =
        (fs_superstep_group){.name = "all", .tile = FS_NEW(r->arena, uint32_t, r->tiles), .count = r->tiles};
    for (uint32_t t = 0; t < r->tiles; t++)
        all->tile[t] = t;
    if (node == NULL || !fs_superstep_mapping(r, node))
        return;
    for (size_t i = 0; i < node->count; i++) {
        const char *name = node->entries[i].key;
        fs_superstep_group g;
        if (strcmp(name, "all") == 0 || (name[0] >= '0' && name[0] <= '9')) {
            fs_yaml_wrong(r->yaml, node->entries[i].value,
                          "expected a name that is not `all`, every tile of the machine, and no number");
            continue;
        }
        if (!fs_superstep_tiles(r, node->entries[i].value, &g))
            continue;
        g.name = name;
        *(fs_superstep_group *)fs_superstep_add(r->arena, &r->groups, sizeof g) = g;
    }
}

/* ---- memory, host, the whole ---- */

static void read_memory(fs_superstep_reader *r, const fs_node *list) {
    static const char *const keys[] = {"on", "name", "bytes", NULL};
    if (list->kind != FS_NODE_LIST) {
        fs_yaml_wrong(r->yaml, list, "expected a list, found %s", fs_yaml_found(r->yaml, list));
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        const fs_node *item = list->items[i];
        if (!fs_yaml_mapping(r->yaml, item, keys))
            continue;
        const fs_node *on = fs_yaml_get(r->yaml, item, "on", true),
                      *name = fs_yaml_get(r->yaml, item, "name", true),
                      *bytes = fs_yaml_get(r->yaml, item, "bytes", true);
        fs_superstep_group g;
        fs_superstep_memory m = {0};
        int64_t size;
        if (on == NULL || name == NULL || bytes == NULL || !fs_superstep_tiles(r, on, &g) ||
            !fs_yaml_text(r->yaml, name, &m.name) ||
            !fs_yaml_int(r->yaml, bytes, FS_UNIT_BYTES, 0, 1000000000000, &size))
            continue;
        if (strpbrk(m.name, ",\"\n") != NULL) {
            fs_yaml_wrong(r->yaml, name, "expected a name without commas, quotes and line ends");
            continue;
        }
        m.tile = g.tile;
        m.tiles = g.count;
        m.bytes = (uint64_t)size;
        *(fs_superstep_memory *)fs_superstep_add(r->arena, &r->memory, sizeof m) = m;
    }
}

static void read_host(fs_superstep_reader *r, const fs_node *node, fs_supersteps *out) {
    static const char *const keys[] = {"upload", "download", NULL};
    int64_t up = 0, down = 0;
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return;
    fs_yaml_int(r->yaml, fs_yaml_get(r->yaml, node, "upload", false), FS_UNIT_BYTES, 0, 1000000000000, &up);
    fs_yaml_int(r->yaml, fs_yaml_get(r->yaml, node, "download", false), FS_UNIT_BYTES, 0, 1000000000000,
                &down);
    out->upload = (uint64_t)up;
    out->download = (uint64_t)down;
}

static fs_status read_all(fs_superstep_reader *r, fs_supersteps *out, fs_error *err) {
    static const char *const keys[] = {"groups", "timelines", "kernels", "memory",
                                       "host",   "steps",     "trace",   NULL};
    const fs_node *root = r->yaml->root;
    if (root == NULL || !fs_yaml_mapping(r->yaml, root, keys))
        return FS_OK;
    const fs_node *groups = fs_yaml_get(r->yaml, root, "groups", false),
                  *kernels = fs_yaml_get(r->yaml, root, "kernels", false),
                  *memory = fs_yaml_get(r->yaml, root, "memory", false),
                  *host = fs_yaml_get(r->yaml, root, "host", false),
                  *trace = fs_yaml_get(r->yaml, root, "trace", false),
                  *steps = fs_yaml_get(r->yaml, root, "steps", trace == NULL);
    const fs_node *timelines = fs_yaml_get(r->yaml, root, "timelines", false);
    read_groups(r, groups);
    if (timelines != NULL)
        fs_superstep_read_timelines(r, timelines);
    if (kernels != NULL)
        fs_superstep_read_kernels(r, kernels);
    if (memory != NULL)
        read_memory(r, memory);
    if (host != NULL)
        read_host(r, host, out);
    if (steps != NULL && trace != NULL)
        fs_yaml_wrong(r->yaml, trace, "expected `steps` or `trace`, found both");
    else if (trace != NULL)
        return fs_superstep_read_trace(r, trace, err);
    else if (steps != NULL)
        fs_superstep_read_stages(r, steps);
    return FS_OK;
}

static void finish(fs_superstep_reader *r, fs_supersteps *out) {
    out->kernels = r->kernels.item;
    out->kernel_count = r->kernels.count;
    out->steps = r->definitions.item;
    out->step_count = r->definitions.count;
    out->step_of = r->step_of.item;
    out->iterations = r->iterations;
    out->passes = r->passes;
    out->memory = r->memory.item;
    out->memory_count = r->memory.count;
    const fs_program **programs = FS_NEW(r->arena, const fs_program *, out->kernel_count + 1);
    for (uint32_t k = 0; k < out->kernel_count; k++)
        programs[k] = &out->kernels[k];
    out->plan = (fs_device_plan){.tiles = r->tiles,
                                 .group_of = r->timeline_of,
                                 .groups = r->timelines.count + 1,
                                 .program = programs,
                                 .programs = out->kernel_count,
                                 .stages = r->stages.item,
                                 .stage_count = r->stages.count,
                                 .at_exchanges = true,
                                 .first = {.visit = true, .bytes_to_device = out->upload}};
}

fs_status fs_supersteps_read(const char *file, const fs_machine_params *machine, fs_arena *arena,
                             fs_supersteps *out, fs_error *err) {
    fs_superstep_reader r = {.yaml = fs_yaml_open(arena, file),
                             .arena = arena,
                             .file = file,
                             .tiles = fs_geometry_tiles(&machine->geometry),
                             .workers = (uint32_t)machine->tile.workers,
                             .machine = machine,
                             .iterations = 1,
                             .passes = 1};
    r.timeline_of = FS_NEW(arena, uint8_t, r.tiles);
    *out = (fs_supersteps){0};
    const bool broken = read_all(&r, out, err) != FS_OK;
    if (!broken && r.kernels.count > UINT8_MAX)
        fs_yaml_wrong(r.yaml, r.yaml->root,
                      "expected at most %d kernels, bare operations and those that run together "
                      "among them, found %" PRIu32,
                      UINT8_MAX, r.kernels.count);
    if (broken || fs_yaml_finish(r.yaml, err))
        return err->status;
    finish(&r, out);
    return FS_OK;
}
