/* Parameters that count at certain settings of others only (`only` of their rows): what fixed them otherwise. */
#include "sim/base/arith.h"
#include "sim/config/config.h"
#include "sim/config/section.h"
#include "sim/config/value.h"
#include "sim/yaml/words.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 8 };

/* What the row of "section.key" says. */
static const char *of_row(const fs_section *section, const char *name) {
    const char *key = fs_table_below(name, section->name);
    for (size_t k = 0; key != NULL && k < section->count; k++) {
        const fs_param *row =
            FS_FOUND(section->kinds[k].table->rows, section->kinds[k].table->count, name, key);
        if (row != NULL && row->only != NULL)
            return row->only;
    }
    return NULL;
}

/* What a kind says of it. */
static const char *of_rules(const fs_section *section, const char *name) {
    const size_t n = strlen(name);
    for (size_t k = 0; k < section->count; k++) {
        const fs_param_only *only = section->kinds[k].rules == NULL ? NULL : section->kinds[k].rules->only;
        for (; only != NULL && only->names != NULL; only++)
            for (const char *at = only->names; (at = strstr(at, name)) != NULL; at += n)
                if ((at == only->names || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
                    return only->settings;
    }
    return NULL;
}

/* The settings at which "section.key" counts; "": no row and no kind names any. */
static const char *find_only(const fs_section *sections, size_t count, const char *name) {
    const char *found = NULL;
    for (size_t i = 0; found == NULL && i < count; i++) {
        found = of_row(&sections[i], name);
        found = found != NULL ? found : of_rules(&sections[i], name);
    }
    return found != NULL ? found : "";
}

/* Whether `value` is one of the words between bars; of those with a "?", where the setting may count, only if
 * something came of it. */
static bool is_one(const char *words, const char *value, bool idle) {
    for (size_t n; *words != '\0'; words += n + (words[n] == '|')) {
        n = strcspn(words, "|");
        const bool may = n > 0 && words[n - 1] == '?';
        const size_t length = n - may;
        if (strlen(value) == length && strncmp(words, value, length) == 0)
            return !(may && idle);
    }
    return false;
}

/* fs_param_fixed for a parameter that counts at the settings `at`. */
static const char *fixed_by(const char *at, const char *name, const fs_param_values *values, bool idle,
                            fs_arena *arena) {
    const char *fixed[MOST_SETTINGS + 1] = {NULL}, *counts[MOST_SETTINGS + 1] = {NULL};
    size_t n = 0;
    const char *only = " only";
    for (; *at != '\0'; at += strspn(at, "; ")) {
        const size_t length = strcspn(at, ";"), key_length = strcspn(at, "=");
        const char *key = fs_arena_printf(arena, "%.*s", (int)key_length, at);
        const char *words =
            fs_arena_printf(arena, "%.*s", (int)(length - key_length - 1), at + key_length + 1);
        const char *value = values->of(values->self, key);
        at += length;
        if (value == NULL || n == MOST_SETTINGS || is_one(words, value, idle))
            return NULL; /* a kind without that key takes what it finds */
        only = strchr(words, '?') != NULL ? "" : only;
        fixed[n] = fs_arena_printf(arena, "%s = %s", key, value);
        counts[n++] = fs_arena_printf(arena, "%s=%.*s", key, (int)strcspn(words, "|"), words);
    }
    if (n == 0)
        return NULL;
    return fs_arena_printf(arena, "%s %s what it would: %s counts with %s%s",
                           fs_listed_words(arena, fixed, "and"), n == 1 ? "decides" : "decide", name,
                           fs_listed_words(arena, counts, "or"), only);
}

const char *fs_param_fixed(const fs_section *sections, size_t count, const char *name,
                           const fs_param_values *values, bool idle, fs_arena *arena) {
    return fixed_by(find_only(sections, count, name), name, values, idle, arena);
}

/* ---- of a loaded experiment ---- */

/* The part and the row of "section.key"; NULL: the chosen kind has none. */
static const fs_config_part *part_of(const fs_config *config, const char *name, size_t *row) {
    for (size_t i = 0; i < config->count; i++) {
        const fs_config_part *part = &config->parts[i];
        const char *key = part->kind == NULL ? NULL : fs_table_below(name, part->section->name);
        *row = key == NULL ? 0 : fs_table_row(part->kind->table, key);
        if (key != NULL && *row < part->kind->table->count)
            return part;
    }
    return NULL;
}

static const char *value_of(void *self, const char *name) {
    const fs_config *config = self;
    size_t row = 0;
    const fs_config_part *part = part_of(config, name, &row);
    fs_memory memory;
    if (part == NULL || !fs_value_present(&part->kind->table->rows[row], part->params))
        return NULL;
    fs_value_write(&part->kind->table->rows[row], part->params, fs_memory_open(&memory));
    char *text = fs_memory_close(&memory);
    const char *kept = fs_arena_strdup(config->arena, text);
    free(text);
    return kept;
}

/* A value stands in the experiment's own file. */
static bool is_own(fs_mark origin) {
    return origin.source != NULL && origin.source->order == 0;
}

/* The file lists all values of a section, as resolved.yaml does: none of them is meant by itself. */
static bool is_listing(const fs_config_part *part) {
    size_t own = 0, all = 0;
    for (size_t i = 0; i < part->kind->table->count; i++)
        if (fs_value_present(&part->kind->table->rows[i], part->params)) {
            own += is_own(part->origin[i]);
            all++;
        }
    return own + own / 8 >= all; /* but for what --set has put in their place */
}

/* A key came by --set. */
static bool is_set(const fs_config_part *part, size_t row) {
    const fs_source *source = part->origin[row].source;
    return source != NULL && source->real[0] == '\0';
}

static bool is_said(const fs_config_part *part, size_t row) {
    return is_set(part, row) || (is_own(part->origin[row]) && !is_listing(part));
}

/* One of the settings at which a key counts came by --set, over a file that was written for others. */
static bool is_overruled(const fs_config *config, const char *at) {
    for (; *at != '\0'; at += strcspn(at, ";"), at += strspn(at, "; ")) {
        size_t row = 0;
        const char *key = fs_arena_printf(config->arena, "%.*s", (int)strcspn(at, "="), at);
        const fs_config_part *part = part_of(config, key, &row);
        if (part != NULL && is_set(part, row))
            return true;
    }
    return false;
}

bool fs_check_says(const fs_check *check, const char *key) {
    size_t row = 0;
    const fs_config_part *part = part_of(check->config, key, &row);
    return part != NULL && is_said(part, row);
}

/* "key=a|b; other=c" as "key = a or b, or other = c". */
static const char *settings_in_words(fs_arena *arena, const char *only) {
    const char *words = "";
    for (const char *at = only; *at != '\0'; at++)
        words = *at == ';'   ? fs_arena_printf(arena, "%s, or", words)
                : *at == '|' ? fs_arena_printf(arena, "%s or ", words)
                : *at == '=' ? fs_arena_printf(arena, "%s = ", words)
                             : fs_arena_printf(arena, "%s%.*s", words, *at != '?', at);
    return words;
}

void fs_check_idle(fs_check *check, const char *under) {
    const fs_config *config = check->config;
    const fs_param_values values = {.of = value_of, .self = (void *)(uintptr_t)config};
    for (size_t i = 0; i < config->count; i++)
        for (size_t row = 0; config->parts[i].kind != NULL && row < config->parts[i].kind->table->count;
             row++) {
            const fs_config_part *part = &config->parts[i];
            const fs_param *p = &part->kind->table->rows[row];
            const char *name = fs_arena_printf(config->arena, "%s.%s", part->section->name, p->name);
            if (p->only == NULL || fs_table_below(name, under) == NULL || !is_said(part, row) ||
                (is_overruled(config, p->only) && !is_set(part, row)))
                continue;
            if (fixed_by(p->only, name, &values, false, config->arena) != NULL)
                fs_check_wrong(check, name, "changes nothing here; it counts with %s",
                               settings_in_words(config->arena, p->only));
        }
}
