/* The way of a ray for people: a line for each hop. */
#include "workloads/foam/follow/follow.h"

#include "sim/base/numbers.h"
#include "sim/cli/options.h"

#include <string.h>

fs_status fs_follow_pixel(const char *text, uint32_t *x, uint32_t *y, fs_error *err) {
    char left[32], right[32], rest;
    int64_t at[2];
    if (sscanf(text, "%31[^,],%31[^,]%c", left, right, &rest) != 2)
        return fs_fail(err, FS_INPUT, "--pixel: expected X,Y, such as 320,100, found \"%s\"", text);
    if (fs_option_int("pixel", left, 0, 65535, &at[0], err) ||
        fs_option_int("pixel", right, 0, 65535, &at[1], err))
        return FS_INPUT;
    *x = (uint32_t)at[0];
    *y = (uint32_t)at[1];
    return FS_OK;
}

static json_int_t whole(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

/* A count with its thousands. */
static const char *count(const json_t *object, const char *key) {
    return fs_number_grouped((double)whole(object, key));
}

static const char *text(const json_t *object, const char *key) {
    const char *value = json_string_value(json_object_get(object, key));
    return value == NULL ? "" : value;
}

/* "tracer 12 (shard 12)", "router 30 (level 2)" */
static void name_tile(const json_t *tile, char *out, size_t size) {
    const char *role = text(tile, "role");
    if (json_object_get(tile, "shard") != NULL)
        snprintf(out, size, "%s %lld (shard %lld)", role, (long long)whole(tile, "tile"),
                 (long long)whole(tile, "shard"));
    else if (strcmp(role, "router") == 0)
        snprintf(out, size, "%s %lld (level %lld)", role, (long long)whole(tile, "tile"),
                 (long long)whole(tile, "level"));
    else
        snprintf(out, size, "%s %lld", role, (long long)whole(tile, "tile"));
}

static void tell_hop(const json_t *hop, FILE *out) {
    char tile[64], to[64] = "";
    name_tile(hop, tile, sizeof tile);
    if (json_object_get(hop, "to") != NULL)
        name_tile(json_object_get(hop, "to"), to, sizeof to);
    const char *did = text(hop, "did");
    fprintf(out, "%6lld  %-26s ", (long long)whole(hop, "iteration"), tile);
    if (whole(hop, "cells") > 0)
        fprintf(out, "marches %s cells, %s faces%s", count(hop, "cells"), count(hop, "faces"),
                json_is_true(json_object_get(hop, "ended")) ? " to the ray's end" : "");
    else
        fprintf(out, "%s",
                strcmp(did, "made") == 0     ? "makes it"
                : strcmp(did, "waited") == 0 ? "keeps it"
                : strcmp(did, "lost") == 0   ? "loses it: output and ring are full"
                : strcmp(did, "routed") == 0 ? "passes it on"
                                             : "");
    if (strcmp(did, "written") == 0)
        fprintf(out, "%swrites the pixel", whole(hop, "cells") > 0 ? ", " : "");
    if (to[0] != '\0')
        fprintf(out, "; %s B to %s", count(hop, "bytes"), to);
    fprintf(out, "; %s cycles of %s", count(hop, "tile_cycles"), count(hop, "cycles"));
    if (whole(hop, "waiting_cycles") > 0)
        fprintf(out, ", waits %s for tile %lld", count(hop, "waiting_cycles"),
                (long long)whole(hop, "pace_tile"));
    if (text(hop, "why")[0] != '\0')
        fprintf(out, "; %s", text(hop, "why"));
    fputc('\n', out);
}

/* Where its cycles went, the largest part in words of its own. */
static void tell_sum(const json_t *story, FILE *out) {
    static const char *const parts[][2] = {{"tracers", "in tracers that had it"},
                                           {"routers", "in routers that had it"},
                                           {"generator", "in the generator"},
                                           {"exchange", "in exchange"},
                                           {"barriers_and_host", "in barriers and host visits"}};
    const json_t *sum = json_object_get(story, "sum");
    const double all = (double)whole(story, "cycles");
    if (!(all > 0))
        return;
    fprintf(out, "\nOf its cycles it spent %s waiting for slower tiles (%s for tile %lld)",
            fs_number_percent((double)whole(sum, "waiting") / all),
            fs_number_percent((double)whole(sum, "waiting_for_tile") / all),
            (long long)whole(sum, "waiting_tile"));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (whole(sum, parts[i][0]) > 0)
            fprintf(out, ", %s %s", fs_number_percent((double)whole(sum, parts[i][0]) / all), parts[i][1]);
    fprintf(out, ".\n");
}

void fs_follow_tell(const json_t *story, FILE *out) {
    const json_t *hop, *value = json_object_get(story, "value"), *pixel = json_object_get(story, "pixel");
    size_t i;
    fprintf(
        out,
        "The ray of pixel %lld,%lld: %s iterations, %s visits of tracers and %s of routers before its end, "
        "%s cells, %s B moved, %s cycles.\n\n",
        (long long)json_integer_value(json_array_get(pixel, 0)),
        (long long)json_integer_value(json_array_get(pixel, 1)), count(story, "iterations"),
        count(story, "tracer_visits"), count(story, "router_visits"), count(story, "cells"),
        count(story, "bytes"), count(story, "cycles"));
    fprintf(out, "%6s  %-26s what happens; cycles of the tile, and of the whole iteration\n", "iter.",
            "tile");
    json_array_foreach(json_object_get(story, "hops"), i, hop) tell_hop(hop, out);
    tell_sum(story, out);
    if (!json_is_object(value)) {
        fprintf(out, "\nThe pixel was never written.\n");
        return;
    }
    const json_t *rgb = json_object_get(value, "rgb8");
    fprintf(out, "\nThe pixel is %lld, %lld, %lld of 255, depth %.6g.\n",
            (long long)json_integer_value(json_array_get(rgb, 0)),
            (long long)json_integer_value(json_array_get(rgb, 1)),
            (long long)json_integer_value(json_array_get(rgb, 2)),
            json_real_value(json_object_get(value, "depth")));
}
