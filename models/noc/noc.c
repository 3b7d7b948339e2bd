#include "models/noc/kinds.h"
#include "sim/config/config.h"

#include <string.h>

enum { MOST_DIGITS = 32 };
static const char size_key[] = "machine.exchange.noc.size";

#define NAME_OF(NAME, name) #name,
#define KIND_OF(NAME, name) &fs_noc_##name,
const char *const fs_noc_topologies[] = {FS_NOC_KINDS(NAME_OF) NULL};
static const fs_noc_kind *const kinds[] = {FS_NOC_KINDS(KIND_OF)};

const fs_noc_kind *fs_noc_kind_of(const fs_noc_options *o) {
    return kinds[o->topology];
}

const char *const fs_noc_ways[] = {
    [FS_NOC_BOTH_WAYS] = "both", [FS_NOC_UPWARDS] = "up", [FS_NOC_DOWNWARDS] = "down", NULL};

const char *const fs_noc_routers[] = {[FS_NOC_BUFFERED] = "buffered", [FS_NOC_FREE] = "free", NULL};
const char *const fs_noc_details[] = {[FS_NOC_FLITS] = "flits", [FS_NOC_SAMPLED] = "sampled", NULL};

/* An error without a key in front gets one; one with its place in a file has no need. */
static const fs_noc_graph *wrong(const char *key, const fs_error *why, fs_error *err) {
    if (strncmp(why->text, "machine.", 8) == 0)
        key = "";
    return FS_FAIL_NULL(err, why->status, "%s%s%s", key, key[0] == '\0' ? "" : ": ", why->text);
}

static fs_status check_sizes(const fs_noc_options *o, const fs_noc_kind *kind, fs_error *err) {
    const char *name = fs_noc_topologies[o->topology];
    const size_t count = o->size_given ? o->size.count : 0;
    if (kind->sizes == NULL)
        return FS_OK;
    if (count == 0)
        return fs_fail(err, FS_INPUT, "%s: expected %s, found none", size_key, kind->sizes);
    if (count < kind->least || count > kind->most)
        return fs_fail(err, FS_INPUT, "%s: %s: expected %s, found %zu sizes", size_key, name, kind->sizes,
                       count);
    return FS_OK;
}

const fs_noc_graph *fs_noc_make(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    const fs_noc_kind *kind = fs_noc_kind_of(o);
    fs_error why = {0};
    if (check_sizes(o, kind, err))
        return NULL;
    const fs_noc_graph *g = kind->make(arena, o, &why);
    if (g == NULL)
        return wrong(kind->sizes == NULL ? "" : size_key, &why, err);
    /* The rules of the kinds are free of rings with as many channels as they have classes (a test walks them);
     * with fewer the ring is looked for, to be named. */
    if (o->vcs < g->classes && fs_noc_check_deadlock(g, (uint32_t)o->vcs, &why))
        return wrong("machine.exchange.noc.vcs", &why, err);
    if (o->vcs < g->classes)
        return FS_FAIL_NULL(err, FS_INPUT, "machine.exchange.noc.vcs: expected at least %u, found %lld: %s",
                            g->classes, (long long)o->vcs, g->why);
    return g;
}

fs_noc_options fs_noc_plane(const fs_noc_options *o, uint32_t plane) {
    fs_noc_options turned = *o;
    if (plane % 2 == 1 && o->topology == FS_NOC_TORUS && o->way != FS_NOC_BOTH_WAYS) {
        turned.way = o->way == FS_NOC_UPWARDS ? FS_NOC_DOWNWARDS : FS_NOC_UPWARDS;
        turned.last_first = !o->last_first;
    }
    return turned;
}

void fs_noc_check_options(const fs_noc_options *o, fs_check *check) {
    fs_arena *arena = fs_arena_create();
    fs_error why = {0};
    if (fs_noc_make(arena, o, &why) == NULL) {
        const char *colon = strchr(why.text, ':');
        if (strncmp(why.text, "machine.", 8) == 0)
            fs_check_wrong(check, fs_arena_printf(arena, "%.*s", (int)(colon - why.text), why.text), "%s",
                           colon + 2);
        else
            fs_check_failed(check, "machine", &why);
    }
    fs_error_clear(&why);
    fs_arena_free(arena);
}

fs_noc_sizes fs_noc_digits(fs_arena *arena, const fs_noc_options *o, uint32_t ends) {
    const fs_noc_kind *kind = fs_noc_kind_of(o);
    uint32_t *digits = fs_arena_alloc(arena, MOST_DIGITS, sizeof *digits), count = 0;
    for (uint32_t d = 0; kind->digit != NULL && d < MOST_DIGITS && kind->digit(o, d) > 0; d++)
        digits[count++] = kind->digit(o, d);
    if (kind->digit == NULL)
        digits[count++] = ends;
    return (fs_noc_sizes){digits, count};
}
