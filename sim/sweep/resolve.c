/* One point: an experiment with what is laid over it, resolved and named by its keys. */
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/csv.h"
#include "sim/config/key.h"
#include "sim/sweep/private.h"
#include "sim/workload/workload.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DIGESTS = 64 }; /* that are kept */

struct fs_sweep_resolver {
    fs_arena *arena;
    const fs_registry *registry;
    struct known {
        const char *path, *hex;
    } known[MOST_DIGESTS];
    size_t count;
    fs_error lack; /* the host could not read an existing file */
};

fs_sweep_resolver *fs_sweep_resolver_create(fs_arena *arena, const fs_registry *registry) {
    fs_sweep_resolver *r = FS_NEW(arena, fs_sweep_resolver, 1);
    r->arena = arena;
    r->registry = registry;
    return r;
}

/* ---- reading what a configuration says ---- */

static const char *digest_of(void *self, const fs_param *row, const char *path) {
    fs_sweep_resolver *d = self;
    const size_t known = FS_PLACE(d->known, d->count, path, path);
    if (known < d->count)
        return d->known[known].hex;
    char *hex = FS_NEW(d->arena, char, FS_DIGEST_HEX);
    fs_error why = {.status = FS_OK}; /* the run will tell that it is not there */
    if (fs_key_digest(row, path, hex, &why)) {
        if (fs_sweep_lacks_host(why.text))
            d->lack = why;
        return NULL;
    }
    if (d->count < MOST_DIGESTS) {
        d->known[d->count].path = fs_arena_strdup(d->arena, path);
        d->known[d->count++].hex = hex;
    }
    return hex;
}

static char *written(const fs_config *config, void (*write)(const fs_config *config, FILE *out)) {
    fs_memory memory;
    write(config, fs_memory_open(&memory));
    return fs_memory_close(&memory);
}

static void write_resolved(const fs_config *config, FILE *out) {
    fs_config_write_resolved(config, out, NULL, NULL);
}

/* Every parameter of a configuration but labels, sorted; the name of what a point is called is none. */
static const fs_store_parameter *parameters_of(fs_arena *arena, const fs_config *config, size_t *count) {
    enum { SECTION, KEY, VALUE, UNIT };
    char *text = written(config, fs_config_write_parameters), *cell[FS_PARAMETER_COLUMNS];
    fs_csv_lines table = fs_csv_begin(text);
    size_t rows = 0;
    for (const char *c = text; *c != '\0'; c++)
        rows += *c == '\n';
    fs_store_parameter *all = FS_NEW(arena, fs_store_parameter, rows + 1);
    *count = 0;
    while (fs_csv_record(&table, cell, FS_PARAMETER_COLUMNS) == FS_PARAMETER_COLUMNS) {
        fs_store_parameter *p = &all[(*count)++];
        p->name = fs_arena_printf(arena, "%s.%s", cell[SECTION], cell[KEY]);
        p->value = fs_arena_strdup(arena, cell[VALUE]);
        p->unit = fs_arena_strdup(arena, cell[UNIT]);
        p->number = fs_sweep_value_number(p->value);
    }
    free(text);
    qsort(all, *count, sizeof *all, fs_by_text);
    return all;
}

/* ---- keys ---- */

/* A configuration that is wrong has no key of its own: what it was asked to be stands for it. */
static const char *wrong_key(fs_arena *arena, const fs_node *base, const fs_config_over *sets, size_t count) {
    fs_digest d;
    char *hex = FS_NEW(arena, char, FS_DIGEST_HEX);
    const char *text = fs_sweep_value_text(arena, base);
    fs_digest_begin(&d);
    fs_digest_add(&d, "wrong\n", 6);
    fs_digest_add(&d, text, strlen(text));
    for (size_t i = 0; i < count; i++) {
        text = fs_arena_printf(arena, "\n%s=%s", sets[i].key, fs_sweep_value_text(arena, sets[i].value));
        fs_digest_add(&d, text, strlen(text));
    }
    fs_digest_end(&d, hex);
    return hex;
}

static const char *key_of(fs_sweep_resolver *r, const fs_config *config, fs_key_layer layer) {
    char *hex = FS_NEW(r->arena, char, FS_DIGEST_HEX);
    fs_config_key(config, layer, digest_of, r, hex);
    return hex;
}

static void describe(fs_sweep_resolver *r, const fs_config *config, fs_store_point *p) {
    char *resolved = written(config, write_resolved);
    p->resolved = fs_arena_strdup(r->arena, resolved);
    free(resolved);
    p->geometry_key = key_of(r, config, FS_TOUCHES_GEOMETRY);
    p->traffic_key = key_of(r, config, FS_TOUCHES_TRAFFIC);
    p->key = key_of(r, config, FS_TOUCHES_PRICE);
    p->parameters = parameters_of(r->arena, config, &p->parameter_count);
}

fs_status fs_sweep_resolve(fs_sweep_resolver *r, fs_node *base, const fs_config_over *sets, size_t count,
                           const char *label, fs_store_point *p, fs_error *err) {
    *p = (fs_store_point){.label = label,
                          .geometry_key = "",
                          .traffic_key = "",
                          .resolved = "",
                          .layer = "",
                          .version = "",
                          .host = "",
                          .status = "pending",
                          .error = ""};
    fs_config_over *overs = fs_calloc(count + 1, sizeof *overs);
    overs[0] = (fs_config_over){"name", fs_tree_scalar(r->arena, base->mark, label)};
    if (count > 0)
        memcpy(overs + 1, sets, count * sizeof *sets);
    fs_arena *arena = fs_arena_create(); /* of this configuration; what is kept of it is copied */
    const fs_config *config =
        fs_config_load_tree(arena, base, r->registry->sections, r->registry->section_count, overs, count + 1,
                            fs_configs_dir(), err);
    if (config != NULL) {
        describe(r, config, p);
        if (r->lack.status != FS_OK)
            *err = r->lack;
        r->lack.status = FS_OK;
    } else {
        p->key = wrong_key(r->arena, base, sets, count);
        p->status = "failed";
        p->error = fs_arena_strdup(r->arena, err->text);
    }
    fs_arena_free(arena);
    free(overs);
    if (err->status != FS_OK && fs_sweep_lacks_host(err->text))
        err->status = FS_RUN;
    return err->status;
}
