/* Pinned points: kept with what they come to, saved into a store. */
#include "explore/private.h"

#include "sim/base/alloc.h"
#include "sim/base/host.h"
#include "sim/config/value.h"
#include "sim/host/file.h"
#include "sim/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fs_status fs_explore_pin_add(fs_explore *x, const char *name, const fs_explore_sets *sets, fs_error *err) {
    fs_explored known;
    bool knows;
    if (x->pins == FS_EXPLORE_PINS)
        return fs_fail(err, FS_INPUT, "explore: %d points are as many as are pinned; take one away",
                       FS_EXPLORE_PINS);
    if (fs_explore_price(x, sets, true, &known, &knows, err))
        return err->status;
    fs_explore_pin *p = fs_calloc(1, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", name);
    for (size_t i = 0; i < sets->count; i++)
        p->sets.set[p->sets.count++] = fs_strdup(sets->set[i]);
    p->answer = fs_explore_answer(x, &known, NULL);
    json_object_del(p->answer, "tiles");
    p->summary = json_incref(known.summary);
    p->layer = known.layer;
    fs_explored_free(&known);
    x->pin[x->pins++] = p;
    return fs_explore_export(x, err);
}

void fs_explore_pin_remove(fs_explore *x, size_t number) {
    if (number >= x->pins)
        return;
    fs_explore_pin *p = x->pin[number];
    for (size_t i = 0; i < p->sets.count; i++)
        free((char *)(uintptr_t)p->sets.set[i]); /* a copy of its own */
    json_decref(p->answer);
    json_decref(p->summary);
    free(p);
    memmove(&x->pin[number], &x->pin[number + 1], (--x->pins - number) * sizeof *x->pin);
}

json_t *fs_explore_pins(const fs_explore *x) {
    json_t *out = json_array();
    for (size_t i = 0; i < x->pins; i++) {
        json_array_append_new(out,
                              json_pack("{s:s, s:o, s:O}", "name", x->pin[i]->name, "sets",
                                        fs_explore_set_texts(&x->pin[i]->sets), "answer", x->pin[i]->answer));
    }
    return out;
}

/* ---- into a store ---- */

/* The experiment as it is, beside the sweep file that has it as its base. */
static const char *write_base(fs_explore *x, fs_error *err) {
    fs_memory memory;
    const char *path = fs_arena_printf(x->arena, "%s/base.yaml", x->scratch.path);
    fs_config_write_resolved(x->config, fs_memory_open(&memory), NULL, NULL);
    return fs_file_stream(path, &memory, FS_LIGHT, err) ? NULL : path;
}

/* A key and a value of a setting; values are YAML already. */
static void put_set(const char *set, FILE *out) {
    const size_t key = strcspn(set, "=");
    fprintf(out, "      %.*s: %s\n", (int)key, set, set[key] == '\0' ? "\"\"" : set + key + 1);
}

/* The pins as a sweep file: what sweeps do with points is done with them. */
static const char *write_sweep(fs_explore *x, const char *base, fs_error *err) {
    fs_memory memory;
    const char *path = fs_arena_printf(x->arena, "%s/pins.yaml", x->scratch.path);
    FILE *out = fs_memory_open(&memory);
    fputs("name: ", out);
    fs_config_text_write(fs_arena_printf(x->arena, "explored %s", fs_config_name(x->config)), out);
    fputs("\nbase: ", out);
    fs_config_text_write(base, out);
    fputs("\naxes:\n- points:\n", out);
    for (size_t i = 0; i < x->pins; i++) {
        fputs("  - name: ", out);
        fs_config_text_write(x->pin[i]->name, out);
        fputs(x->pin[i]->sets.count > 0 ? "\n    set:\n" : "\n", out);
        for (size_t k = 0; k < x->pin[i]->sets.count; k++)
            put_set(x->pin[i]->sets.set[k], out);
    }
    return fs_file_stream(path, &memory, FS_LIGHT, err) ? NULL : path;
}

static fs_status finish(fs_store *store, const fs_explore_pin *pin, const fs_store_point *point,
                        fs_error *err) {
    json_t *result = json_pack("{s:s, s:s, s:s, s:s, s:O, s:o}", "key", point->key, "status", "done", "error",
                               "", "layer", fs_layer_words[pin->layer], "summary", pin->summary, "host",
                               fs_sweep_host(0, (double)fs_host_peak_rss_bytes()));
    const fs_status status = fs_store_finish(store, result, err);
    json_decref(result);
    return status;
}

/* One transaction: what has returned is on the disk. */
static fs_status enter(fs_explore *x, fs_store *store, const fs_store_sweep *sweep, fs_error *err) {
    fs_store_units(store, x->registry->figures);
    fs_status status = fs_store_begin(store, err);
    if (status == FS_OK)
        status = fs_store_put_sweep(store, sweep, err);
    for (size_t i = 0; i < sweep->point_count && status == FS_OK; i++)
        for (size_t k = 0; k < x->pins && status == FS_OK; k++)
            if (strcmp(x->pin[k]->name, sweep->points[i].settings[0].value) == 0)
                status = finish(store, x->pin[k], &sweep->points[i], err);
    if (status == FS_OK)
        return fs_store_commit(store, err);
    fs_store_undo(store);
    return status;
}

fs_status fs_explore_save(fs_explore *x, fs_error *err) {
    fs_sweep_file file;
    fs_store_sweep sweep;
    fs_store *store = NULL;
    if (x->pins == 0)
        return fs_fail(err, FS_INPUT, "explore: no point is pinned yet");
    fs_arena *arena = fs_arena_create();
    const char *base = write_base(x, err), *path = base == NULL ? NULL : write_sweep(x, base, err);
    if (path != NULL && fs_sweep_read(arena, x->registry, path, &file, NULL, err) == FS_OK &&
        fs_sweep_points(arena, &file, &sweep, err) == FS_OK &&
        fs_store_open(x->store, FS_STORE_WRITE, &store, err) == FS_OK)
        enter(x, store, &sweep, err);
    fs_store_close(store);
    fs_arena_free(arena);
    return err->status;
}
