/* Lists of allowed words, and the one that was probably meant. */
#include "sim/yaml/words.h"

#include "sim/base/arith.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 63 };

static bool same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edits between two words: insert, delete, replace, or swap two neighbours; letter case is free. */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb) {
    size_t before[MAX_WORD + 1], above[MAX_WORD + 1], here[MAX_WORD + 1];
    for (size_t j = 0; j <= nb; j++)
        above[j] = before[j] = j;
    for (size_t i = 1; i <= na; i++) {
        here[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            bool same = same_letter(a[i - 1], b[j - 1]);
            size_t d = fs_least(above[j - 1] + (same ? 0 : 1), fs_least(above[j], here[j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                d = fs_least(d, before[j - 2] + 1);
            here[j] = d;
        }
        memcpy(before, above, sizeof before);
        memcpy(above, here, (nb + 1) * sizeof here[0]);
    }
    return above[nb];
}

const char *fs_nearest_word(const char *found, const char *const *words) {
    const char *best = NULL;
    size_t n = strlen(found), best_distance = SIZE_MAX;
    if (n == 0 || n > MAX_WORD)
        return NULL;
    for (; *words != NULL; words++) {
        size_t m = strlen(*words);
        if (m == 0 || m > MAX_WORD)
            continue;
        size_t d = edit_distance(found, n, *words, m);
        /* A third of the longer word may be wrong; a short word must share a letter. */
        size_t longer = n > m ? n : m, allowed = longer / 3 > 0 ? longer / 3 : 1;
        if (d <= allowed && d < longer && d < best_distance) {
            best = *words;
            best_distance = d;
        }
    }
    return best;
}

bool fs_listed_word(const char *word, const char *const *words) {
    while (words != NULL && *words != NULL && strcmp(*words, word) != 0)
        words++;
    return words != NULL && *words != NULL;
}

const char *fs_listed_words(fs_arena *arena, const char *const *words, const char *last) {
    const char *text = words[0] == NULL ? "" : words[0];
    for (size_t i = 1; words[0] != NULL && words[i] != NULL; i++)
        text = words[i + 1] == NULL ? fs_arena_printf(arena, "%s %s %s", text, last, words[i])
                                    : fs_arena_printf(arena, "%s, %s", text, words[i]);
    return text;
}

const char *fs_meant_in(const char *found, const char *const *words, char out[FS_MEANT_TEXT]) {
    const char *near = fs_nearest_word(found, words);
    if (near != NULL)
        snprintf(out, FS_MEANT_TEXT, "; did you mean \"%s\"?", near);
    return out;
}

const char *fs_meant_text(fs_arena *arena, const char *found, const char *const *words) {
    return fs_arena_strdup(arena, FS_MEANT(found, words));
}
