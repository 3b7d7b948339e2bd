/* Parameters that count at certain settings of others only (`only` of their rows): what fixed them otherwise. */
#include "sim/config/config.h"
#include "sim/yaml/words.h"

#include <string.h>

enum { MOST_SETTINGS = 8 };

static const fs_param *row_of(const fs_section *section, const char *key) {
    for (size_t k = 0; k < section->count; k++) {
        const fs_param_table *table = section->kinds[k].table;
        for (size_t i = 0; i < table->count; i++)
            if (strcmp(table->rows[i].name, key) == 0 && table->rows[i].only != NULL)
                return &table->rows[i];
    }
    return NULL;
}

/* The row of "section.key" that has a condition; NULL: none. */
static const fs_param *find_row(const fs_section *sections, size_t count, const char *name) {
    const char *dot = strchr(name, '.');
    for (size_t i = 0; dot != NULL && i < count; i++)
        if (strlen(sections[i].name) == (size_t)(dot - name) &&
            strncmp(sections[i].name, name, (size_t)(dot - name)) == 0)
            return row_of(&sections[i], dot + 1);
    return NULL;
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
    const fs_param *row = find_row(sections, count, name);
    const char *fixed[MOST_SETTINGS + 1] = {NULL}, *counts[MOST_SETTINGS + 1] = {NULL};
    size_t n = 0;
    const char *only = " only";
    for (const char *at = row == NULL ? "" : row->only; *at != '\0'; at += strspn(at, "; ")) {
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
