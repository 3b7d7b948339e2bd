/* foamsim params: what can be set, from the tables themselves. */
#include "sim/cli/options.h"
#include "sim/workload/workload.h"
#include "sim/yaml/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TABLES = 128 };

typedef struct tables {
    const fs_param_table *item[MAX_TABLES + 1];
    size_t count;
} tables;

/* Every table of the registry once, in its order. */
static tables all_tables(const fs_section *sections, size_t count) {
    tables t = {.count = 0};
    for (size_t s = 0; s < count; s++)
        for (size_t k = 0; k < sections[s].count; k++) {
            const fs_param_table *table = sections[s].kinds[k].table;
            bool known = table->count == 0; /* nothing to tell of it */
            for (size_t i = 0; i < t.count; i++)
                known |= t.item[i] == table;
            if (!known && t.count < MAX_TABLES)
                t.item[t.count++] = table;
        }
    return t;
}

static bool starts(const char *name, const char *word, char end) {
    size_t n = strlen(word);
    return strncmp(name, word, n) == 0 && (name[n] == end || name[n] == '\0');
}

static void print(const fs_param_table *table, bool markdown, bool first) {
    if (!first)
        putchar('\n');
    (markdown ? fs_params_print_markdown : fs_params_print)(table, stdout);
}

/* Rows of a table whose name is `word` or lies below it: `tile`, `exchange.header`. */
static bool print_rows(const fs_param_table *table, const char *word, bool markdown, bool first) {
    fs_param *rows = fs_malloc((table->count + 1) * sizeof *rows);
    fs_param_table some = *table;
    some.rows = rows;
    some.count = 0;
    for (size_t i = 0; i < table->count; i++)
        if (starts(table->rows[i].name, word, '.'))
            rows[some.count++] = table->rows[i];
    if (some.count > 0)
        print(&some, markdown, first);
    free(rows);
    return some.count > 0;
}

/* `machine.kind`: the kinds of a section, each with what its table is about. */
static bool print_kinds(const fs_registry *registry, const char *word) {
    const char *dot = strchr(word, '.');
    for (size_t s = 0; dot != NULL && strcmp(dot, ".kind") == 0 && s < registry->section_count; s++) {
        const fs_section *section = &registry->sections[s];
        if (section->default_kind == NULL || section->default_kind[0] == '\0' ||
            !starts(word, section->name, '.'))
            continue;
        printf("%s: one of\n", word);
        for (size_t k = 0; k < section->count; k++)
            printf("  %s: %s\n", section->kinds[k].kind, section->kinds[k].table->doc);
        printf("  default %s\n", section->default_kind);
        return true;
    }
    return false;
}

static fs_status print_component(const tables *t, const char *word, bool markdown, fs_arena *arena,
                                 fs_error *err) {
    bool found = false;
    for (size_t i = 0; i < t->count; i++)
        if (starts(t->item[i]->name, word, '/')) {
            print(t->item[i], markdown, !found);
            found = true;
        }
    /* "machine.tile" is the component "tile" of the table "machine". */
    const char *dot = strchr(word, '.');
    for (size_t i = 0; i < t->count && !found; i++) {
        const char *name = t->item[i]->name;
        size_t n = strlen(name);
        const char *rest = dot != NULL && strncmp(word, name, n) == 0 && word[n] == '.' ? word + n + 1 : word;
        found |= print_rows(t->item[i], rest, markdown, !found);
    }
    if (found)
        return FS_OK;
    const char *names[MAX_TABLES + 1] = {NULL};
    for (size_t i = 0; i < t->count; i++)
        names[i] = t->item[i]->name;
    const char *near = fs_nearest_word(word, names);
    if (near != NULL)
        return fs_fail(err, FS_INPUT, "params: nothing is called \"%s\"; did you mean \"%s\"?", word, near);
    const char *list = "";
    for (size_t i = 0; i < t->count; i++)
        list = fs_arena_append(arena, list, ", ", "%s", names[i]);
    return fs_fail(err, FS_INPUT, "params: nothing is called \"%s\"; expected one of %s", word, list);
}

static const char head[] =
    "# Parameters\n"
    "\n"
    "Written by `foamsim params --markdown`. Confidence: P published by the vendor, M measured by others,\n"
    "R derived from the vendor's software, I inferred from these, A assumed, - a choice of foamsim. Changes: "
    "what a\n"
    "change of the parameter invalidates.\n"
    "\n"
    "A section with kinds (`machine`, `overlay`, `scene`, `workload`, `views`) has a key `kind`. Where "
    "`--set overlay.kind=X`,\n"
    "a point of a sweep, or a file over its `base` says another kind than the place below, the keys there "
    "that only the\n"
    "old kind has are left out, and a line tells which; keys that both have keep their values.\n"
    "\n"
    "A workload names the sections that it reads. What it does not read is no part of resolved.yaml and of "
    "keys.\n"
    "Written beside that workload it is refused with its place. It is left out, with a line, where a `base` "
    "brings it for\n"
    "another workload, and where it says nothing but defaults. A sweep over workloads takes a `points` axis: "
    "each point\n"
    "sets `workload.kind` together with the keys that this workload reads.\n"
    "\n";

/* What each workload reads, as a list of Markdown. */
static void print_uses(fs_arena *arena, const fs_section_kind *kind) {
    printf("- `%s` reads", kind->kind);
    for (const fs_section_use *use = kind->rules->uses; use->section != NULL; use++) {
        printf("%s `%s`", use == kind->rules->uses ? "" : ",", use->section);
        for (size_t i = 0; use->kinds != NULL && use->kinds[i] != NULL; i++)
            printf("%s %s", i == 0 ? " of kind" : " or", use->kinds[i]);
        if (use->table == NULL)
            continue;
        const fs_param_table *table = fs_table_of_roles(arena, use->table, kind->rules->roles);
        for (size_t i = 0; i < table->count; i++)
            printf("%s`%s`", i == 0 ? " (" : ", ", table->rows[i].name);
        putchar(')');
    }
    printf(".\n");
}

static void print_head(fs_arena *arena, const fs_registry *registry) {
    fputs(head, stdout);
    for (size_t s = 0; s < registry->section_count; s++)
        for (size_t k = 0; k < registry->sections[s].count; k++) {
            const fs_section_kind *kind = &registry->sections[s].kinds[k];
            if (kind->rules != NULL && kind->rules->uses != NULL)
                print_uses(arena, kind);
        }
    putchar('\n');
}

static fs_status run(fs_command_line *call, fs_error *err) {
    const fs_registry *registry = call->cli->registry;
    bool markdown = false;
    const fs_option options[] = {
        FS_FLAG("markdown", 'm', "as the reference in docs/parameters.md", &markdown),
    };
    if (!fs_options_parse(call,
                          "params [COMPONENT]\nCOMPONENT is a section (overlay), a table (overlay/quadtree) "
                          "or the beginning of a key (tile); machine.kind lists the kinds of a machine.",
                          options, FS_COUNT(options), 0, 1, err))
        return err->status;
    const char *word = call->argc == 1 ? call->argv[0] : NULL;
    if (word != NULL && print_kinds(registry, word))
        return FS_OK;
    const size_t count = registry->section_count;
    const tables t = all_tables(fs_sections_of_roles(call->arena, registry->sections, count), count);
    if (word != NULL)
        return print_component(&t, word, markdown, call->arena, err);
    if (markdown)
        print_head(call->arena, registry);
    for (size_t i = 0; i < t.count; i++)
        print(t.item[i], markdown, i == 0);
    return FS_OK;
}

const fs_command fs_command_params = {"params",
                                      "list every parameter with default, range, meaning and source", run};
