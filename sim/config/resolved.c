/* resolved.yaml and the canonical text: the values of a configuration as YAML that reads back the same. */
#include "sim/config/config.h"
#include "sim/config/section.h"
#include "sim/config/value.h"

#include <string.h>

enum { COMMENT_COLUMN = 44, INDENT = 2 };

typedef struct writer {
    FILE *out;
    fs_arena *arena; /* of this call */
    bool comments;
    fs_param_digest digest_of;
    void *self;
} writer;

/* ---- comments ---- */

static void end_line(const writer *w, int width, const char *comment) {
    if (w->comments && comment[0] != '\0')
        fprintf(w->out, "%*s# %s", width < COMMENT_COLUMN ? COMMENT_COLUMN - width : 1, "", comment);
    fputc('\n', w->out);
}

static const char *origin_text(const writer *w, fs_mark mark) {
    return mark.source == NULL ? "default" : fs_mark_text(w->arena, mark);
}

static const char *row_comment(const writer *w, const fs_config_part *part, size_t row) {
    const fs_param *p = &part->kind->table->rows[row];
    const fs_mark mark = part->origin[row];
    const char *origin = origin_text(w, mark);
    if (mark.stated != NULL)
        return fs_arena_printf(w->arena, "%s, %s", origin, mark.stated);
    const char *digest = fs_section_digest(part, p, w->digest_of, w->self);
    return digest == NULL ? origin : fs_arena_printf(w->arena, "%s, sha256 %s", origin, digest);
}

/* ---- rows ---- */

static bool written(const writer *w, const fs_config_part *part, size_t row) {
    const fs_param *p = &part->kind->table->rows[row];
    return fs_value_present(p, part->params) && (w->comments || p->touches != FS_TOUCHES_NOTHING);
}

/* A row without a value: as a comment, since YAML has no word for that here. */
static void comment_row(const writer *w, const fs_config_part *part, size_t row, int indent) {
    const fs_param *p = &part->kind->table->rows[row];
    if (!w->comments)
        return;
    const char *dot = strrchr(p->name, '.');
    int width = fprintf(w->out, "%*s# %s: none", indent, "", dot == NULL ? p->name : dot + 1);
    end_line(w, width, "default");
}

static void write_row(const writer *w, const fs_config_part *part, size_t row, const char *word, int indent) {
    if (!written(w, part, row)) {
        if (!fs_value_present(&part->kind->table->rows[row], part->params))
            comment_row(w, part, row, indent);
        return;
    }
    int width = fprintf(w->out, "%*s%s: ", indent, "", word);
    width += fs_value_write(&part->kind->table->rows[row], part->params, w->out);
    end_line(w, width, row_comment(w, part, row));
}

/* The first row that is `prefix` + word, or lies below that. */
static size_t first_row(const fs_param_table *table, const char *name) {
    size_t i = 0;
    while (i < table->count && strcmp(table->rows[i].name, name) != 0 &&
           fs_table_below(table->rows[i].name, name) == NULL)
        i++;
    return i;
}

static bool any_written(const writer *w, const fs_config_part *part, const char *prefix) {
    for (size_t i = 0; i < part->kind->table->count; i++)
        if (fs_table_below(part->kind->table->rows[i].name, prefix) != NULL && written(w, part, i))
            return true;
    return false;
}

/* All rows below a prefix, level by level, whatever their order in the table. */
static void write_level(const writer *w, const fs_config_part *part, const char *prefix, int indent) {
    const fs_param_table *table = part->kind->table;
    const char *const *words = fs_table_words(w->arena, table, prefix);
    for (; *words != NULL; words++) {
        const char *name = prefix[0] == '\0' ? *words : fs_arena_printf(w->arena, "%s.%s", prefix, *words);
        size_t row = first_row(table, name);
        if (strcmp(table->rows[row].name, name) == 0) {
            write_row(w, part, row, *words, indent);
            continue;
        }
        bool mapping = any_written(w, part, name);
        if (mapping || w->comments)
            fprintf(w->out, "%*s%s%s:\n", indent, "", mapping ? "" : "# ", *words);
        write_level(w, part, name, indent + INDENT);
    }
}

static void write_section(const writer *w, const fs_config_part *part) {
    bool kinds = fs_section_has_kinds(part->section);
    if (!kinds && !any_written(w, part, "")) {
        int width = fprintf(w->out, "%s: {}", part->section->name);
        end_line(w, width, "");
    } else {
        fprintf(w->out, "%s:\n", part->section->name);
    }
    if (kinds) {
        const fs_node *node = fs_tree_get(part->node, "kind");
        int width = fprintf(w->out, "%*skind: %s", INDENT, "", part->kind->kind);
        end_line(w, width, origin_text(w, node == NULL ? (fs_mark){.source = NULL} : node->mark));
    }
    write_level(w, part, "", INDENT);
}

void fs_config_write_resolved(const fs_config *config, FILE *out, fs_param_digest digest_of, void *self) {
    writer w = {
        .out = out, .arena = fs_arena_create(), .comments = true, .digest_of = digest_of, .self = self};
    fprintf(out,
            "# Every parameter of a run with its value, and where it came from. Running this file gives the\n"
            "# same results.\n");
    int width = fprintf(out, "name: ");
    width += fs_config_text_write(config->name, out);
    end_line(&w, width,
             config->name_mark.source == NULL ? "the file's name" : fs_mark_text(w.arena, config->name_mark));
    for (size_t i = 0; i < config->count; i++)
        write_section(&w, &config->parts[i]);
    fs_arena_free(w.arena);
}

void fs_config_write_canonical(const fs_config *config, FILE *out) {
    writer w = {.out = out, .arena = fs_arena_create()};
    for (size_t i = 0; i < config->count; i++)
        write_section(&w, &config->parts[i]);
    fs_arena_free(w.arena);
}
