/* What an experiment comes to under some settings: a price, or what a finished run of them left. */
#include "explore/private.h"

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/config/key.h"
#include "sim/host/voice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fs_explored_free(fs_explored *known) {
    json_decref(known->summary);
    json_decref(known->ladder);
    json_decref(known->tiles);
    *known = (fs_explored){.summary = NULL};
}

const fs_config *fs_explore_load(const fs_explore *x, fs_arena *arena, const fs_explore_sets *sets,
                                 fs_error *err) {
    const char *all[2 * FS_EXPLORE_SETS];
    size_t n = 0;
    for (size_t i = 0; i < x->own.count; i++)
        all[n++] = x->own.set[i];
    for (size_t i = 0; i < sets->count; i++)
        all[n++] = sets->set[i];
    const bool was = fs_say_quiet(true);
    const fs_config *config = fs_experiment_load(x->registry, arena, x->experiment, all, n, err);
    fs_say_quiet(was);
    return config;
}

/* ---- from a recording ---- */

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *rung(const char *name, const char *kind, double cycles, double seconds, double gain,
                    double joules, const char *detail, const char *sets) {
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:s}", "name", name, "kind", kind, "cycles",
                     number(cycles), "seconds", number(seconds), "gain_percent", number(gain), "joules",
                     number(joules), "detail", detail == NULL ? "" : detail, "sets",
                     sets == NULL ? "" : sets);
}

static void take_rungs(void *self, const fs_rung *rungs, size_t count) {
    fs_explored *out = self;
    out->ladder = json_array();
    for (const fs_rung *r = rungs; r < rungs + count; r++)
        json_array_append_new(out->ladder, rung(r->name, r->kind, (double)r->cycles, r->seconds,
                                                r->gain_percent, r->joules, r->detail, r->sets));
}

static const char *const tile_columns[] = {"role", "column", "row", "sub", "compute"};

static void take_tiles(void *self, const fs_column *columns, size_t count, uint64_t rows) {
    fs_explored *out = self;
    out->tiles = json_object();
    for (const fs_column *c = columns; c < columns + count; c++) {
        if (FS_WORD_PLACE(tile_columns, FS_COUNT(tile_columns), c->name) == FS_COUNT(tile_columns))
            continue;
        json_t *list = json_array();
        for (uint64_t r = 0; r < rows; r++)
            json_array_append_new(list, c->word != NULL ? json_string(c->word(c->self, r, c->arg))
                                                        : json_integer(c->integer(c->self, r, c->arg)));
        json_object_set_new(out->tiles, c->name, list);
    }
}

/* The configuration beside those that some pricing still looks at; the others go. */
static void keep(fs_explore *x, fs_arena *arena, const fs_config *config) {
    size_t left = 0;
    x->kept = fs_grow(x->kept, x->kept_count, sizeof *x->kept);
    x->kept[x->kept_count++] = (fs_explore_kept){arena, config};
    for (size_t i = 0; i < x->kept_count; i++) {
        bool kept = false;
        for (size_t s = 0; s < x->sources; s++)
            kept = kept || fs_pricing_keeps(x->source[s], x->kept[i].config);
        if (kept)
            x->kept[left++] = x->kept[i];
        else
            fs_arena_free(x->kept[i].arena);
    }
    x->kept_count = left;
}

/* By the first recording of its traffic. *fits: some is. */
static fs_status price(fs_explore *x, const fs_config *config, bool more, fs_explored *out, bool *fits,
                       fs_error *err) {
    const fs_price_view view = {take_rungs, take_tiles, out};
    *fits = false;
    if (x->sources == 0)
        return fs_fail(err, FS_INPUT,
                       x->workload->prices == NULL ? "price: the workload %s has no activity recordings"
                                                   : "price: of this run of %s no activity is recorded",
                       fs_workload_of(config)->kind);
    out->layer = FS_LAYER_PRICE;
    for (size_t i = 0; i < x->sources; i++) {
        fs_error *why = fs_calloc(1, sizeof *why);
        out->summary = json_object();
        const bool priced =
            fs_pricing_point(x->source[i], config, out->summary, more ? &view : NULL, why) == FS_OK;
        *fits = priced || fs_pricing_fits(x->source[i], config);
        if (!priced) {
            fs_explored_free(out);
            if (*fits || i == 0) {
                fs_error_clear(err);
                *err = *why;
            }
        }
        free(why);
        if (priced)
            fs_error_clear(err);
        if (*fits)
            break;
    }
    return err->status;
}

/* ---- from a finished run ---- */

static json_t *read_ladder(fs_folder *run, fs_error *err) {
    const fs_csv *t = fs_folder_has(run, "ladder.csv") ? fs_folder_table(run, "ladder.csv", err) : NULL;
    json_t *ladder = t == NULL ? NULL : json_array();
    for (size_t i = 0; t != NULL && i < fs_csv_rows(t); i++)
        json_array_append_new(ladder, rung(fs_csv_text(t, i, "name"), fs_csv_text(t, i, "kind"),
                                           fs_csv_number(t, i, "cycles"), fs_csv_number(t, i, "seconds"),
                                           fs_csv_number(t, i, "gain_percent"), fs_csv_number(t, i, "joules"),
                                           fs_csv_text(t, i, "detail"), fs_csv_text(t, i, "sets")));
    return ladder;
}

static json_t *read_tiles(fs_folder *run, fs_error *err) {
    const fs_csv *t = fs_folder_has(run, "tiles.csv") ? fs_folder_table(run, "tiles.csv", err) : NULL;
    json_t *tiles = t == NULL ? NULL : json_object();
    for (size_t c = 0; t != NULL && c < FS_COUNT(tile_columns); c++) {
        if (!fs_csv_has(t, tile_columns[c]))
            continue;
        json_t *list = json_array();
        for (size_t i = 0; i < fs_csv_rows(t); i++)
            json_array_append_new(list, c == 0
                                            ? json_string(fs_csv_text(t, i, tile_columns[c]))
                                            : json_integer((json_int_t)fs_csv_number(t, i, tile_columns[c])));
        json_object_set_new(tiles, tile_columns[c], list);
    }
    return tiles;
}

static bool take_run(fs_explore *x, const fs_config *config, bool more, fs_explored *out) {
    char key[FS_DIGEST_HEX];
    fs_error *why = fs_calloc(1, sizeof *why); /* what cannot be read is not known */
    size_t at = 0;
    fs_config_key(config, FS_TOUCHES_PRICE, fs_recorded_digest, &x->memo, key);
    while (at < x->known_count && strcmp(x->known[at].key, key) != 0)
        at++;
    fs_folder *run =
        at < x->known_count ? fs_folder_open(x->known[at].path, x->registry->figures, why) : NULL;
    if (run != NULL) {
        fs_arena *arena = fs_arena_create();
        out->summary = json_load_file(fs_arena_printf(arena, "%s/summary.json", x->known[at].path), 0, NULL);
        out->layer = FS_LAYER_RUN;
        out->ladder = more ? read_ladder(run, why) : NULL;
        out->tiles = more ? read_tiles(run, why) : NULL;
        fs_arena_free(arena);
        fs_folder_close(run);
    }
    free(why);
    return out->summary != NULL;
}

fs_status fs_explore_price(fs_explore *x, const fs_explore_sets *sets, bool more, fs_explored *out,
                           bool *knows, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    bool fits = false;
    *out = (fs_explored){.summary = NULL};
    *knows = false;
    const fs_config *config = fs_explore_load(x, arena, sets, err);
    if (config == NULL) {
        fs_arena_free(arena);
        return err->status;
    }
    if (price(x, config, more, out, &fits, err) != FS_OK && err->status == FS_INPUT &&
        take_run(x, config, more, out))
        fs_error_clear(err);
    *knows = err->status == FS_INPUT && (!fits || isnan(fs_explore_seconds(config, FS_LAYER_PRICE)));
    keep(x, arena, config);
    return err->status;
}
