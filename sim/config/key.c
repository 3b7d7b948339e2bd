#include "sim/config/key.h"
#include "sim/base/alloc.h"

#include "sim/base/version.h"
#include "sim/config/section.h"
#include "sim/config/value.h"

#include <string.h>

typedef struct key_writer {
    fs_key_layer layer;
    fs_param_digest digest_of;
    void *self;
    FILE *out;
} key_writer;

static void write_part(const key_writer *w, const fs_config_part *part) {
    const fs_param_table *table = part->kind->table;
    const char *usual = part->section->unkeyed_default ? part->section->default_kind : NULL;
    if (fs_section_has_kinds(part->section) && fs_table_reach(table) <= w->layer &&
        (usual == NULL || strcmp(usual, part->kind->kind) != 0))
        fprintf(w->out, "%s.kind: %s\n", part->section->name, part->kind->kind);
    if (part->kind->plugin != NULL) /* what its code does is in no number of ours */
        fprintf(w->out, "%s.plugin: sha256 %s\n", part->section->name, part->kind->plugin);
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].touches > w->layer)
            continue;
        fprintf(w->out, "%s.%s: ", part->section->name, table->rows[i].name);
        const char *digest = fs_section_digest(part, &table->rows[i], w->digest_of, w->self);
        if (digest != NULL)
            fprintf(w->out, "sha256 %s", digest);
        else
            fs_value_write(&table->rows[i], part->params, w->out);
        fputc('\n', w->out);
    }
}

void fs_config_write_key(const fs_config *config, fs_key_layer layer, fs_param_digest digest_of, void *self,
                         FILE *out) {
    FS_ASSERT(layer < FS_TOUCHES_NOTHING, "there is no layer %d", (int)layer);
    const key_writer w = {.layer = layer, .digest_of = digest_of, .self = self, .out = out};
    fprintf(out, "model %d\n", FS_MODEL_VERSION);
    for (size_t i = 0; i < config->count; i++)
        write_part(&w, &config->parts[i]);
}

void fs_config_key(const fs_config *config, fs_key_layer layer, fs_param_digest digest_of, void *self,
                   char hex[FS_DIGEST_HEX]) {
    fs_memory memory;
    fs_config_write_key(config, layer, digest_of, self, fs_memory_open(&memory));
    fs_digest_stream(&memory, hex);
}

/* ---- files ---- */

typedef struct named {
    fs_digest all;
    size_t count;
} named;

static void add_named(void *self, const char *path) {
    named *n = self;
    char hex[FS_DIGEST_HEX] = "absent";
    fs_error ignored = {.status = FS_OK}; /* its reader says so */
    fs_digest_file(path, hex, &ignored);
    fs_digest_add(&n->all, hex, strlen(hex));
    n->count++;
}

fs_status fs_key_digest(const fs_param *row, const char *path, char hex[FS_DIGEST_HEX], fs_error *err) {
    named n = {.count = 0};
    if (fs_digest_file(path, hex, err) || row->names == NULL)
        return err->status;
    fs_digest_begin(&n.all);
    fs_digest_add(&n.all, hex, FS_DIGEST_HEX - 1);
    row->names(path, add_named, &n);
    if (n.count > 0)
        fs_digest_end(&n.all, hex);
    return FS_OK;
}

/* ---- what differs ---- */

static size_t line_length(const char *text) {
    const char *end = strchr(text, '\n');
    return end == NULL ? strlen(text) : (size_t)(end - text);
}

/* The value on a line and its length: what follows ": ", or a word of its own. */
static const char *value_of(const char *line, size_t *length) {
    const size_t whole = line_length(line);
    const char *colon = strstr(line, ": ");
    const size_t skip = colon == NULL || (size_t)(colon - line) > whole ? 0 : (size_t)(colon - line) + 2;
    *length = whole - skip;
    return line + skip;
}

/* The line of `text` that gives the same parameter as `line`; NULL if none does. */
static const char *same_parameter(const char *text, const char *line) {
    size_t value;
    value_of(line, &value);
    const size_t name = line_length(line) - value;
    for (; *text != '\0'; text += line_length(text) + (text[line_length(text)] == '\n'))
        if (strncmp(text, line, name) == 0)
            return text;
    return NULL;
}

const char *fs_key_difference(fs_arena *arena, const char *a, const char *here, const char *b,
                              const char *there) {
    for (const char *line = a; *line != '\0'; line += line_length(line) + (line[line_length(line)] == '\n')) {
        size_t mine, theirs;
        const char *value = value_of(line, &mine), *other = same_parameter(b, line);
        const size_t name = line_length(line) - mine;
        if (name == 0) { /* the model's version */
            if (strncmp(line, b, line_length(line) + 1) != 0)
                return fs_arena_printf(arena, "%.*s %s, %.*s %s", (int)mine, line, here, (int)line_length(b),
                                       b, there);
            continue;
        }
        if (other == NULL)
            return fs_arena_printf(arena, "%.*s is %.*s %s, absent %s", (int)name - 2, line, (int)mine, value,
                                   here, there);
        const char *found = value_of(other, &theirs);
        if (mine != theirs || strncmp(value, found, mine) != 0)
            return fs_arena_printf(arena, "%.*s is %.*s %s, %.*s %s", (int)name - 2, line, (int)mine, value,
                                   here, (int)theirs, found, there);
    }
    return strcmp(a, b) == 0 ? "" : fs_arena_printf(arena, "some parameter is absent %s", here);
}
