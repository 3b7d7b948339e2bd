/* One Gaussian, step by step: which tiles hold it, where it and its copies go. */
#include "workloads/gaussians/gaussians.h"
#include "workloads/gaussians/run.h"

#include "sim/base/numbers.h"
#include "sim/config/config.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

static const char *const sides[] = {[FS_GAUSSIANS_RIGHT] = "right",
                                    [FS_GAUSSIANS_LEFT] = "left",
                                    [FS_GAUSSIANS_UP] = "up",
                                    [FS_GAUSSIANS_DOWN] = "down"};

/* What a step left: tiles whose store holds it, lanes in which it is; `home`: the tile of its centre among them. */
static json_t *look(const fs_gaussians_lanes *l, uint32_t id, uint64_t step) {
    json_t *held = json_array(), *sent = json_array();
    uint64_t drawn = 0;
    for (uint32_t t = 0; t < l->grid.tiles; t++) {
        for (uint32_t i = 0; i < l->used[t]; i++)
            if (l->store[(size_t)t * l->slots + i] == id)
                json_array_append_new(held, json_integer(t));
        for (uint32_t i = 0; i < l->work[t].listed; i++)
            drawn += l->list[(size_t)t * l->slots + i] == id;
        for (int side = 0; side < FS_GAUSSIANS_SIDES; side++)
            for (uint32_t i = 0; i < fs_gaussians_in_lane(l, t, side); i++)
                if (l->lane[l->now][((size_t)t * 4 + (size_t)side) * l->lane_slots + i] == id)
                    json_array_append_new(sent,
                                          json_pack("{s:i, s:s, s:i}", "from", (int)t, "side", sides[side],
                                                    "to", (int)fs_gaussians_neighbour(&l->grid, t, side)));
    }
    return json_pack("{s:I, s:o, s:o, s:I}", "step", (json_int_t)step, "held", held, "sent", sent, "drawn",
                     (json_int_t)drawn);
}

static bool same(const json_t *a, const json_t *b) {
    return json_equal(json_object_get(a, "held"), json_object_get(b, "held")) &&
           json_equal(json_object_get(a, "sent"), json_object_get(b, "sent"));
}

/* Steps from the first distribution in the first frame's view, until what becomes of it has stayed the same for as long as the picture is
 * wide and high. */
static json_t *steps_of(fs_gaussians_lanes *l, const fs_gaussians_seen *seen, uint32_t id, uint64_t most) {
    json_t *steps = json_array();
    uint32_t alike = 0;
    for (uint64_t step = 0; step < most && alike < l->grid.columns + l->grid.rows; step++) {
        fs_gaussians_step(l, seen);
        json_t *now = look(l, id, step);
        const json_t *last = json_array_get(steps, json_array_size(steps) - 1);
        alike = last != NULL && same(last, now) ? alike + 1 : 0;
        if (alike == 0)
            json_array_append(steps, now);
        json_decref(now);
    }
    return steps;
}

static fs_status follow(fs_gaussians_run *r, const char *which, json_t **story, fs_error *err) {
    char *end;
    const unsigned long id = strtoul(which, &end, 10);
    if (id < 1 || id > r->scene.count || *end != '\0' || which[0] < '0' || which[0] > '9')
        return fs_fail(err, FS_INPUT, "--gaussian: expected 1 to %" PRIu32 ", found \"%s\"", r->scene.count,
                       which);
    const fs_gaussians_grid grid = fs_gaussians_grid_of(r->params);
    fs_gaussians_view view;
    fs_gaussians_lanes lanes;
    if (fs_gaussians_view_of(r->params, &r->scene, 0, &view, err))
        return err->status;
    fs_gaussians_seen *seen = FS_NEW(r->of.run.arena, fs_gaussians_seen, r->scene.count);
    fs_gaussians_see(&r->scene, &view, &grid, seen);
    fs_gaussians_lanes_create(&lanes, r->params, r->scene.count);
    const fs_gaussians_seen *s = &seen[id - 1];
    *story = json_pack("{s:I, s:f, s:f, s:f, s:f, s:I, s:b, s:o}", "gaussian", (json_int_t)id, "x",
                       (double)s->x, "y", (double)s->y, "depth", (double)s->z, "radius", (double)s->radius,
                       "aim", (json_int_t)s->aim, "drawn", s->drawn, "steps",
                       steps_of(&lanes, seen, (uint32_t)id, (uint64_t)r->params->settle_steps));
    fs_gaussians_lanes_free(&lanes);
    return FS_OK;
}

fs_status fs_gaussians_story(const fs_config *config, const fs_host_options *host, const char *which,
                             json_t **story, fs_error *err) {
    const fs_gaussians_params *p = fs_config_section(config, "workload");
    if (p->method != FS_GAUSSIANS_MESH)
        return fs_fail(err, FS_INPUT,
                       "%s: a Gaussian is followed over lanes between neighbours: expected mesh",
                       fs_config_where(config, "workload", "method"));
    if (host->replay != NULL)
        return fs_fail(err, FS_INPUT, "--replay: an activity recording has no Gaussians; expected none");
    fs_run *run = fs_run_begin(&fs_workload_gaussians, config, host, err);
    if (run == NULL)
        return err->status;
    follow((fs_gaussians_run *)run, which, story, err);
    fs_run_close(&fs_workload_gaussians, run);
    return err->status;
}

/* ---- for people ---- */

static const char *number(const json_t *of, const char *key) {
    return fs_number_short(json_number_value(json_object_get(of, key)), 5);
}

void fs_gaussians_tell(const json_t *story, FILE *out) {
    size_t i, k;
    json_t *step, *item;
    fprintf(out, "Gaussian %s: centre %s, %s, depth %s, radius %s pixels; it aims at tile %s%s\n",
            number(story, "gaussian"), number(story, "x"), number(story, "y"), number(story, "depth"),
            number(story, "radius"), number(story, "aim"),
            json_is_true(json_object_get(story, "drawn")) ? "" : ", and is not drawn");
    json_array_foreach(json_object_get(story, "steps"), i, step) {
        const json_t *held = json_object_get(step, "held"), *sent = json_object_get(step, "sent");
        fprintf(out, "step %s: drawn by %s tiles; held by", number(step, "step"), number(step, "drawn"));
        json_array_foreach(held, k, item) fprintf(out, " %" JSON_INTEGER_FORMAT, json_integer_value(item));
        fprintf(out, "%s; sent", json_array_size(held) == 0 ? " no tile" : "");
        json_array_foreach(sent, k, item)
            fprintf(out, "%s %s %" JSON_INTEGER_FORMAT " > %" JSON_INTEGER_FORMAT, k > 0 ? "," : "",
                    json_string_value(json_object_get(item, "side")),
                    json_integer_value(json_object_get(item, "from")),
                    json_integer_value(json_object_get(item, "to")));
        fputs(json_array_size(sent) == 0 ? " nowhere\n" : "\n", out);
    }
}
