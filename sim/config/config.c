/* From a file to checked structs: sections, kinds, rules, and where each value was given. */
#include "sim/config/config.h"
#include "sim/yaml/words.h"

#include "sim/config/section.h"
#include "sim/config/value.h"
#include "sim/host/file.h"
#include "sim/yaml/paths.h"

#include <string.h>

typedef struct loader {
    fs_report *report;
    fs_arena *arena;
    fs_parts *parts;
    const fs_section *sections;
    size_t count;
    const char **names; /* of the sections, NULL-terminated */
} loader;

static loader loader_create(fs_arena *arena, const fs_section *sections, size_t count,
                            const char *configs_dir) {
    loader l = {.arena = arena, .sections = sections, .count = count};
    l.report = fs_report_create(arena);
    l.parts = fs_parts_create(l.report, arena, configs_dir);
    l.names = FS_NEW(arena, const char *, count + 2);
    for (size_t i = 0; i < count; i++)
        l.names[i] = sections[i].name;
    return l;
}

/* The section whose tables know a word that stands at the top by mistake, as "; did you mean "run.seed"?". */
static const char *section_of_word(const loader *l, const char *word) {
    for (size_t i = 0; i < l->count; i++)
        for (size_t k = 0; k < l->sections[i].count; k++) {
            const fs_param_table *table = l->sections[i].kinds[k].table;
            if (fs_table_row(table, word) < table->count)
                return fs_arena_printf(l->arena, "; did you mean \"%s.%s\"?", l->sections[i].name, word);
        }
    return "";
}

static const char *unknown_hint(const loader *l, const char *key) {
    if (strcmp(key, "axes") == 0)
        return "; a file with axes is a sweep: run it by `foamsim sweep`";
    const char *dot = strchr(key, '.');
    for (size_t i = 0; dot != NULL && i < l->count; i++)
        if (strncmp(key, l->names[i], (size_t)(dot - key)) == 0 && l->names[i][dot - key] == '\0')
            return fs_arena_printf(l->arena, "; levels nest: write \"%s: { %s: ... }\"", l->names[i],
                                   fs_shown(l->arena, dot + 1));
    const char *hint = fs_meant_text(l->arena, key, l->names);
    return hint[0] != '\0' ? hint : section_of_word(l, key);
}

static void check_top(const loader *l, const fs_node *root, fs_config *config) {
    const char **words = FS_NEW(l->arena, const char *, l->count + 2);
    words[0] = "name";
    memcpy(words + 1, l->names, l->count * sizeof *words);
    for (size_t i = 0; i < root->count; i++) {
        const fs_entry *entry = &root->entries[i];
        if (fs_listed_word(entry->key, l->names))
            continue;
        if (strcmp(entry->key, "name") != 0) {
            fs_report_add(l->report, entry->mark, fs_shown(l->arena, entry->key),
                          "unknown key; expected one of %s%s", fs_listed_words(l->arena, words, "or"),
                          unknown_hint(l, entry->key));
        } else if (entry->value->kind == FS_NODE_SCALAR && !fs_node_is_null(entry->value)) {
            if (entry->value->text[0] == '\0')
                continue; /* no name: the file's */
            config->name = entry->value->text;
            config->name_mark = entry->value->mark;
        } else if (entry->value->kind != FS_NODE_BAD) {
            fs_report_add(l->report, entry->value->mark, "name", "expected a text, found %s",
                          fs_node_found(l->arena, entry->value));
        }
    }
}

static fs_section_text text_of(const loader *l, const fs_section *section, const fs_merged *root) {
    fs_section_text text = {.section = section, .content = {.node = NULL, .incomplete = root->incomplete}};
    text.entry = fs_tree_entry(root->node, section->name, strlen(section->name));
    if (text.entry != NULL)
        text.content = fs_parts_section(l->parts, section, text.entry->value);
    return text;
}

/* Binds a section, and checks its rules where its values are right one by one: whether they are. */
static bool bind_section(const loader *l, fs_config *config, const fs_section_text *text, fs_mark nowhere,
                         const fs_section_ruler *ruler) {
    fs_config_part *part = &config->parts[config->count++];
    part->section = text->section;
    part->mark = text->entry == NULL ? nowhere : text->entry->value->mark;
    const size_t before = fs_report_count(l->report);
    fs_section_bind(l->report, l->arena, part, text->content, ruler);
    if (fs_report_count(l->report) > before || part->kind == NULL)
        return false;
    fs_check check = {config, l->report, ruler->rules == NULL ? NULL : ruler->rules->roles};
    if (part->kind->table->check != NULL)
        part->kind->table->check(part->params, &check);
    return true;
}

static void bind_sections(const loader *l, const fs_merged *root, fs_config *config) {
    fs_section_text *texts = FS_NEW(l->arena, fs_section_text, l->count);
    for (size_t i = 0; i < l->count; i++)
        texts[i] = text_of(l, &l->sections[i], root);
    fs_sections_rename(l->report, l->arena, texts, l->count);
    const fs_section_ruler ruler = fs_section_ruler_of(texts, l->count);
    bool right = true;
    for (size_t i = 0; i < l->count && ruler.rules == NULL; i++) /* whether a work is read is not known */
        texts[i].content.incomplete |=
            texts[i].entry == NULL && strcmp(texts[i].section->name, FS_SECTION_WORK) == 0;
    fs_section_work(l->report, l->arena, l->parts, &ruler, texts, l->count);
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(texts[i].section->name, FS_SECTION_WORK) == 0 && ruler.rules != NULL) {
            if (texts[i].entry != NULL && ruler.rules->work != NULL)
                right &= bind_section(l, config, &texts[i], root->node->mark, &ruler);
        } else if (fs_section_use_of(&ruler, texts[i].section->name) != NULL)
            right &= bind_section(l, config, &texts[i], root->node->mark, &ruler);
        else
            fs_section_refuse(l->report, l->arena, &ruler, &texts[i]);
    fs_check check = {.config = config, .report = l->report};
    if (right && ruler.rules != NULL && ruler.rules->check != NULL)
        ruler.rules->check(config, &check);
}

/* `demo` is configs/experiments/demo.yaml, as in a sweep's base, where nothing here is called demo. NULL after
 * a report: a word that is neither. */
static const char *experiment_path(const loader *l, const char *path, const char *configs_dir) {
    static const fs_section experiments = {.name = "", .folder = "experiments"};
    const char *const folder = configs_dir == NULL ? "" : configs_dir;
    if (strcmp(path, "-") == 0 || strchr(path, '/') != NULL || fs_path_ends(path, ".yaml") ||
        fs_path_is_file(path))
        return path;
    const char *named = fs_arena_printf(l->arena, "%s/experiments/%s.yaml", folder, path);
    if (fs_path_is_file(named))
        return named;
    if (path[strcspn(path, ".")] != '\0' || path[0] == '\0' || folder[0] == '\0' ||
        fs_path_real(l->arena, path) != NULL)
        return path; /* a folder, or the name of a file */
    fs_source *line = FS_NEW(l->arena, fs_source, 1);
    *line = (fs_source){.name = fs_shown(l->arena, path), .dir = "", .real = ""};
    const fs_node word = {.kind = FS_NODE_SCALAR, .text = path, .mark = {.source = line}};
    const fs_lookup lookup = {.report = l->report,
                              .arena = l->arena,
                              .section = &experiments,
                              .dirs = {folder, folder},
                              .configs_dir = folder};
    return fs_config_part_path(&lookup, &word, "");
}

static fs_merged read_experiment(const loader *l, const char *path, const char *const *sets,
                                 size_t set_count) {
    fs_merged root = fs_parts_experiment(l->parts, path, l->names);
    for (size_t i = 0; root.node != NULL && i < set_count; i++)
        root.node = fs_parts_set(l->parts, root.node, sets[i], l->names);
    return root;
}

static fs_config *bind(const loader *l, const fs_merged *root, const char *name, fs_error *err) {
    fs_config *config = FS_NEW(l->arena, fs_config, 1);
    config->arena = l->arena;
    config->name = name;
    config->parts = FS_NEW(l->arena, fs_config_part, l->count);
    if (root->node != NULL) {
        check_top(l, root->node, config);
        bind_sections(l, root, config);
    }
    return fs_report_finish(l->report, err) == FS_OK ? config : NULL;
}

fs_config *fs_config_load(fs_arena *arena, const char *path, const fs_section *sections, size_t section_count,
                          const char *const *sets, size_t set_count, const char *configs_dir, fs_error *err) {
    loader l = loader_create(arena, sections, section_count, configs_dir);
    path = experiment_path(&l, path, configs_dir);
    if (path == NULL)
        return bind(&l, &(fs_merged){.incomplete = true}, "", err);
    fs_merged root = read_experiment(&l, path, sets, set_count);
    return bind(&l, &root, fs_path_stem(arena, strcmp(path, "-") == 0 ? "stdin" : path), err);
}

fs_config *fs_config_load_tree(fs_arena *arena, struct fs_node *tree, const fs_section *sections,
                               size_t section_count, const fs_config_over *overs, size_t over_count,
                               const char *configs_dir, fs_error *err) {
    loader l = loader_create(arena, sections, section_count, configs_dir);
    fs_merged root = fs_parts_tree(l.parts, tree, l.names);
    for (size_t i = 0; root.node != NULL && i < over_count; i++)
        root.node = fs_parts_over(l.parts, root.node, overs[i].key, overs[i].value, l.names);
    return bind(&l, &root, fs_path_stem(arena, tree->mark.source->name), err);
}

const void *fs_config_load_section(fs_arena *arena, const char *path, const fs_section *section,
                                   const char *const *sets, size_t set_count, const char *configs_dir,
                                   const char **kind_out, fs_error *err) {
    loader l = loader_create(arena, section, 1, configs_dir);
    fs_node *content = fs_parts_file(l.parts, path, section->name);
    fs_config_part *part = FS_NEW(arena, fs_config_part, 1);
    fs_config config = {.arena = arena, .parts = part};
    if (content != NULL) {
        fs_merged root = {.node =
                              fs_tree_mapping(arena, content->mark, section->name, content->mark, content)};
        for (size_t i = 0; i < set_count; i++)
            root.node = fs_parts_set(l.parts, root.node, sets[i], l.names);
        check_top(&l, root.node, &config);
        bind_sections(&l, &root, &config);
    }
    if (fs_report_finish(l.report, err) != FS_OK)
        return NULL;
    FS_ASSERT(part->kind != NULL, "section %s: nothing was bound and nothing was wrong", section->name);
    if (kind_out != NULL)
        *kind_out = part->kind->kind;
    return part->params;
}

/* ---- what a loaded configuration answers ---- */

static const fs_config_part *part_or_none(const fs_config *config, const char *section) {
    for (size_t i = 0; i < config->count; i++)
        if (strcmp(config->parts[i].section->name, section) == 0)
            return &config->parts[i];
    return NULL;
}

bool fs_config_has(const fs_config *config, const char *section) {
    return part_or_none(config, section) != NULL;
}

static const fs_config_part *find_part(const fs_config *config, const char *section) {
    const fs_config_part *part = part_or_none(config, section);
    FS_ASSERT(part != NULL, "no section \"%s\" is read", section);
    return part;
}

const void *fs_config_section(const fs_config *config, const char *section) {
    return find_part(config, section)->params;
}

const char *fs_config_kind(const fs_config *config, const char *section) {
    return find_part(config, section)->kind->kind;
}

const void *fs_config_descriptor(const fs_config *config, const char *section) {
    return find_part(config, section)->kind->descriptor;
}

const void *fs_config_value(const fs_config *config, const char *section, const char *key) {
    const fs_config_part *part = find_part(config, section);
    const fs_param_table *table = part->kind->table;
    const size_t i = fs_table_row(table, key);
    return i < table->count && fs_value_present(&table->rows[i], part->params)
               ? (const char *)part->params + table->rows[i].offset
               : NULL;
}

const char *fs_config_name(const fs_config *config) {
    return config->name;
}

fs_mark fs_section_place(const fs_config_part *part, const char *key) {
    const fs_node *node = part->node;
    fs_mark mark = part->mark;
    while (node != NULL && *key != '\0') {
        size_t n = strcspn(key, ".["), i = 0;
        if (*key == '[') {
            for (key++; *key >= '0' && *key <= '9'; key++)
                i = 10 * i + (size_t)(*key - '0');
            node = node->kind == FS_NODE_LIST && i < node->count ? node->items[i] : NULL;
            key += *key == ']';
        } else {
            const fs_entry *entry = fs_tree_entry(node, key, n);
            node = entry == NULL ? NULL : entry->value;
            key += n;
        }
        key += *key == '.';
        mark = node == NULL ? mark : node->mark;
    }
    return mark;
}

const char *fs_config_where(const fs_config *config, const char *section, const char *key) {
    const fs_config_part *part = find_part(config, section);
    const fs_mark mark = fs_section_place(part, key);
    return fs_arena_printf(config->arena, "%s: %s%s%s", fs_mark_text(config->arena, mark), section,
                           key[0] == '\0' ? "" : ".", key);
}

void fs_check_wrong(fs_check *check, const char *key, const char *format, ...) {
    char text[1024];
    FS_VARIADIC(args, format, vsnprintf(text, sizeof text, format, args));
    const size_t n = strcspn(key, ".");
    const char *section = fs_arena_printf(check->config->arena, "%.*s", (int)n, key);
    const fs_config_part *part = find_part(check->config, section);
    fs_report_add(check->report, fs_section_place(part, key + n + (key[n] == '.')), key, "%s", text);
}

void fs_check_file(fs_check *check, const char *key, const char *path, const char *where) {
    if (path[0] == '\0')
        return;
    const char *shown = fs_quoted(check->config->arena, fs_path_shown(check->config->arena, path));
    const bool exists = fs_path_is_file(path);
    FILE *file = exists ? fs_file_regular(path) : NULL;
    if (!exists)
        fs_check_wrong(check, key, "no file %s; `--set %s=FILE` names another. %s", shown, key, where);
    else if (file == NULL)
        fs_check_wrong(check, key, "cannot open %s: %s", shown, fs_file_reason());
    else
        fclose(file);
}

const char *fs_check_role(const fs_check *check, size_t i) {
    size_t at = 0;
    while (check->roles != NULL && at < i && check->roles[at].name != NULL)
        at++;
    return check->roles == NULL ? NULL : check->roles[at].name;
}

void fs_check_failed(fs_check *check, const char *section, const fs_error *why) {
    fs_report_add_placed(check->report, find_part(check->config, section)->mark, why->text);
}
