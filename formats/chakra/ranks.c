/* The files of all ranks, and the groups that these form. */
#include "formats/chakra/private.h"
#include "formats/items.h"
#include "sim/base/arith.h"
#include "sim/yaml/paths.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_GROUPS = 65535 };

/* ---- groups ---- */

static fs_chakra_group *add_group(fs_chakra *c, const char *name) {
    c->group = fs_arena_grow(c->arena, c->group, c->groups, sizeof *c->group);
    c->group[c->groups] = (fs_chakra_group){.name = fs_arena_strdup(c->arena, name)};
    return &c->group[c->groups++];
}

/* All ranks are one, as is any group where no file says who is in it. */
uint32_t fs_chakra_group_of(fs_chakra *c, const char *name) {
    const uint32_t g = (uint32_t)FS_PLACE(c->group, c->groups, name, name);
    if (g < c->groups)
        return g;
    if ((c->listed && name[0] != '\0') || c->groups == MOST_GROUPS)
        return FS_CHAKRA_NONE;
    if (c->all == NULL) {
        c->all = FS_NEW(c->arena, uint32_t, c->ranks);
        for (uint32_t r = 0; r < c->ranks; r++)
            c->all[r] = r;
    }
    fs_chakra_group *group = add_group(c, name);
    group->ranks = c->ranks;
    group->rank = c->all;
    return c->groups - 1;
}

static bool read_rank(fs_items *j, void *self) {
    fs_chakra *c = self;
    fs_chakra_group *group = &c->group[c->groups - 1];
    uint64_t rank;
    if (!fs_items_whole(j, 0, c->ranks - 1, &rank))
        return false;
    for (uint32_t i = 0; i < group->ranks; i++)
        if (group->rank[i] == rank)
            return fs_items_wrong(j, "%s: expected each rank once, found %" PRIu64 " again", group->name,
                                  rank);
    group->rank = fs_arena_grow(c->arena, group->rank, group->ranks, sizeof *group->rank);
    group->rank[group->ranks++] = (uint32_t)rank;
    return true;
}

/* The list of ranks behind a name. */
static bool read_group(fs_items *j, void *self) {
    fs_chakra *c = self;
    if (c->groups == MOST_GROUPS)
        return fs_items_wrong(j, "expected at most %d groups", MOST_GROUPS);
    const fs_chakra_group *group = add_group(c, fs_items_text(j));
    return fs_items_array(j, "a list of ranks", read_rank, c) &&
           (group->ranks > 0 || fs_items_wrong(j, "%s: expected ranks, found none", group->name));
}

/* The file of the groups; NULL: there is none. */
static const char *groups_file(const fs_chakra *c) {
    const char *path = fs_arena_printf(c->arena, "%s.json", c->prefix);
    return fs_path_is_file(path) ? path : NULL;
}

static bool read_groups(fs_chakra *c) {
    const char *path = groups_file(c);
    if (path == NULL)
        return true;
    fs_bytes *bytes = fs_bytes_open(path, c->err);
    if (bytes == NULL)
        return false;
    fs_items *j = fs_items_of(bytes, false);
    fs_items_object(j, "groups, {\"0\": [0, 1]}", NULL, 0, c, read_group);
    c->listed = true;
    fs_items_finish(j, c->err);
    fs_bytes_close(bytes, c->err);
    return c->err->status == FS_OK;
}

/* ---- files ---- */

/* The prefix of PREFIX.RANK.et; NULL: the name has no rank. */
static const char *prefix_of(fs_arena *arena, const char *path) {
    const char *end = path + strlen(path), *dot;
    if (end - path < 4 || strcmp(end - 3, ".et") != 0)
        return NULL;
    for (dot = end - 4; dot > path && *dot >= '0' && *dot <= '9'; dot--)
        ;
    return *dot == '.' && dot + 1 < end - 3 ? fs_arena_printf(arena, "%.*s", (int)(dot - path), path) : NULL;
}

/* Of all ranks, from 0 on without a gap. */
static bool find_files(fs_chakra *c, const char *path) {
    c->prefix = prefix_of(c->arena, path);
    if (c->prefix == NULL) {
        c->prefix = path;
        c->file = FS_NEW(c->arena, const char *, 1);
        c->file[0] = path;
        c->ranks = 1;
        return true;
    }
    for (;;) {
        const char *file = fs_arena_printf(c->arena, "%s.%" PRIu32 ".et", c->prefix, c->ranks);
        if (!fs_path_is_file(file))
            break;
        if (c->ranks == FS_CHAKRA_MOST_RANKS)
            return fs_fail(c->err, FS_INPUT, "%s: expected at most %d ranks", file, FS_CHAKRA_MOST_RANKS) ==
                   FS_OK;
        c->file = fs_arena_grow(c->arena, c->file, c->ranks, sizeof *c->file);
        c->file[c->ranks++] = file;
    }
    if (c->ranks == 0)
        return fs_fail(c->err, FS_INPUT, "%s: expected the file of rank 0, %s.0.et, beside it; found none",
                       path, c->prefix) == FS_OK;
    return true;
}

bool fs_chakra_find(fs_chakra *c, const char *path) {
    return find_files(c, path) && (c->prefix == path || read_groups(c));
}

void fs_chakra_beside(const char *path, fs_format_seen seen, void *self) {
    fs_error ignored = {.status = FS_OK}; /* who reads them says what is wrong */
    fs_chakra c = {.arena = fs_arena_create(), .err = &ignored};
    if (find_files(&c, path) && c.prefix != path) {
        for (uint32_t r = 0; r < c.ranks; r++)
            if (strcmp(c.file[r], path) != 0)
                seen(self, c.file[r]);
        const char *groups = groups_file(&c);
        if (groups != NULL)
            seen(self, groups);
    }
    fs_arena_free(c.arena);
}
