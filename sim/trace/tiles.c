/* Which tiles a timeline shows: numbers, ranges and roles. */
#include "sim/trace/trace.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct picker {
    const char *text;
    const fs_trace_tiles *of;
    uint32_t *out, *count;
    fs_error *err;
} picker;

static fs_status wrong(const picker *p, const char *item, size_t length) {
    const char *const *names = p->of->roles;
    char roles[256] = "";
    for (size_t i = 0; names != NULL && names[i] != NULL; i++)
        snprintf(roles + strlen(roles), sizeof roles - strlen(roles), "%s%s", i == 0 ? ", or a role: " : ", ",
                 names[i]);
    return fs_fail(p->err, FS_INPUT,
                   "--trace-tiles: expected tiles below %" PRIu32
                   " as 7, 0-63 or 0-255/16%s, with commas between them; found \"%.*s\"",
                   p->of->tiles, roles, (int)length, item);
}

static fs_status add(const picker *p, uint32_t tile) {
    for (uint32_t i = 0; i < *p->count; i++)
        if (p->out[i] == tile)
            return FS_OK;
    if (*p->count == p->of->most)
        return fs_fail(p->err, FS_INPUT,
                       "--trace-tiles: %s names more than %" PRIu32
                       " tiles; a step thins a range or a role: 0-1023/32, tracer/32",
                       p->text, p->of->most);
    p->out[(*p->count)++] = tile;
    return FS_OK;
}

static const char *read_number(const char *at, uint64_t *number) {
    char *end = NULL;
    if (!isdigit((unsigned char)*at))
        return NULL;
    *number = strtoull(at, &end, 10);
    return end;
}

/* "/16" or nothing, up to `end`; false for anything else. */
static bool read_step(const char *at, const char *end, uint64_t *step) {
    *step = 1;
    if (at == end)
        return true;
    const char *behind = *at == '/' ? read_number(at + 1, step) : NULL;
    return behind == end && *step > 0;
}

/* Every step-th tile of a role, the first included; spare ones (role 0) are none. */
static fs_status pick_role(const picker *p, const char *item, size_t length) {
    const size_t name = strcspn(item, "/,");
    size_t role = 0, seen = 0;
    uint64_t step = 0;
    while (p->of->roles != NULL && p->of->roles[role] != NULL &&
           (strlen(p->of->roles[role]) != name || strncmp(p->of->roles[role], item, name) != 0))
        role++;
    if (p->of->roles == NULL || p->of->roles[role] == NULL || !read_step(item + name, item + length, &step))
        return wrong(p, item, length);
    for (uint32_t t = 0; t < p->of->tiles; t++)
        if (p->of->role[t] == p->of->role_of[role] && seen++ % step == 0 && add(p, t))
            return FS_INPUT;
    return seen > 0 ? FS_OK : fs_fail(p->err, FS_INPUT, "--trace-tiles: no tile is a %.*s", (int)name, item);
}

static fs_status pick_range(const picker *p, const char *item, size_t length) {
    uint64_t from = 0, to = 0, step = 1;
    const char *at = read_number(item, &from), *end = item + length;
    to = from;
    if (at != NULL && *at == '-' && at < end)
        at = read_number(at + 1, &to);
    if (at == NULL || !read_step(at, end, &step) || to < from || to >= p->of->tiles)
        return wrong(p, item, length);
    for (uint64_t t = from; t <= to; t += step) {
        if (p->of->role != NULL && p->of->spare >= 0 && p->of->role[t] == p->of->spare) {
            if (from == to)
                return fs_fail(p->err, FS_INPUT,
                               "--trace-tiles: tile %" PRIu64 " is spare, nothing runs on it", t);
            continue;
        }
        if (add(p, (uint32_t)t))
            return FS_INPUT;
    }
    return FS_OK;
}

fs_status fs_trace_pick(const char *text, const fs_trace_tiles *of, uint32_t *out, uint32_t *count,
                        fs_error *err) {
    const picker p = {.text = text, .of = of, .out = out, .count = count, .err = err};
    *count = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",");
        const fs_status status =
            isalpha((unsigned char)*at) ? pick_role(&p, at, length) : pick_range(&p, at, length);
        if (status)
            return status;
        at += length;
        if (*at == '\0')
            return FS_OK;
    }
}
