/* Parameters that count at certain settings of others only (`only` of their rows): what fixed them otherwise. */
#include "sim/config/config.h"
#include "sim/yaml/words.h"

#include <string.h>

enum { MOST_SETTINGS = 8 };

/* What the row of "section.key" says. */
static const char *of_row(const fs_section *section, const char *name) {
    const size_t n = strlen(section->name);
    if (strncmp(name, section->name, n) != 0 || name[n] != '.')
        return NULL;
    for (size_t k = 0; k < section->count; k++) {
        const fs_param_table *table = section->kinds[k].table;
        for (size_t i = 0; i < table->count; i++)
            if (strcmp(table->rows[i].name, name + n + 1) == 0 && table->rows[i].only != NULL)
                return table->rows[i].only;
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

const char *fs_param_fixed(const fs_section *sections, size_t count, const char *name,
                           const fs_param_values *values, bool idle, fs_arena *arena) {
    const char *fixed[MOST_SETTINGS + 1] = {NULL}, *counts[MOST_SETTINGS + 1] = {NULL};
    size_t n = 0;
    const char *only = " only";
    for (const char *at = find_only(sections, count, name); *at != '\0'; at += strspn(at, "; ")) {
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
