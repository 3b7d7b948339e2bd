/* What is wrong with many points, each distinct thing once. */
#include "sim/base/alloc.h"
#include "sim/host/voice.h"
#include "sim/sweep/sweep.h"

#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Equal but for numbers. */
static bool alike(const char *a, const char *b) {
    while (*a != '\0' && *b != '\0') {
        if (is_digit(*a) && is_digit(*b)) {
            while (is_digit(*a))
                a++;
            while (is_digit(*b))
                b++;
            continue;
        }
        if (*a++ != *b++)
            return false;
    }
    return *a == *b;
}

fs_sweep_reason *fs_sweep_reasons(fs_arena *arena, const fs_store_point *points, const char *const *words,
                                  size_t count, size_t *reasons) {
    fs_sweep_reason *all = FS_NEW(arena, fs_sweep_reason, count + 1);
    *reasons = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        if (words[i] == NULL || words[i][0] == '\0')
            continue;
        while (k < *reasons && !alike(all[k].words, words[i]))
            k++;
        if (k == *reasons)
            all[(*reasons)++] = (fs_sweep_reason){.words = words[i], .first = points[i].label};
        all[k].points++;
    }
    return all;
}

const char *fs_sweep_reason_text(fs_arena *arena, const fs_sweep_reason *reason) {
    const int line = (int)strcspn(reason->words, "\n");
    const char *where = reason->points == 1 ? fs_arena_printf(arena, "at %s", reason->first)
                                            : fs_arena_printf(arena, "at %zu points, the first %s",
                                                              reason->points, reason->first);
    return fs_arena_printf(arena, "%.*s (%s)%s", line, reason->words, where, reason->words + line);
}

void fs_sweep_print_wrong(fs_arena *arena, const fs_store_point *points, const char *const *words,
                          size_t count, FILE *out) {
    size_t reasons = 0;
    const fs_sweep_reason *reason = fs_sweep_reasons(arena, points, words, count, &reasons);
    for (size_t i = 0; i < reasons; i++) {
        fputs("wrong: ", out);
        fs_put_plain(fs_sweep_reason_text(arena, &reason[i]), out);
        fputc('\n', out);
    }
}
