#include "reports/plot/plot.h"

#include <stdbool.h>
#include <string.h>

typedef enum where { IN_QUOTES, IN_FORMAT, IN_CELL } where;

/* A single quote that begins a text is no text for gnuplot, doubled or not. */
static const char apostrophe[] = "\xe2\x80\x99";

/* Writes to `out`, which has room for three times the word. */
static size_t copy_plain(char *out, const char *word, where place) {
    size_t n = 0;
    for (const unsigned char *c = (const unsigned char *)word; *c != '\0'; c++) {
        const bool blank = *c < ' ' || *c == 0x7f || *c == ' ';
        if (strchr("`\"\\", *c) != NULL)
            continue;
        if (*c == '\'') {
            memcpy(out + n, apostrophe, sizeof apostrophe - 1);
            n += sizeof apostrophe - 1;
            continue;
        }
        if (*c == '%' && place == IN_FORMAT)
            out[n++] = '%';
        out[n++] = (char)(!blank ? *c : place == IN_CELL ? '_' : ' ');
    }
    return n;
}

static const char *quoted(fs_arena *arena, const char *word, where place) {
    char *out = FS_NEW(arena, char, 3 * strlen(word) + 3);
    out[0] = '\'';
    size_t n = 1 + copy_plain(out + 1, word, place);
    out[n] = '\'';
    return out;
}

const char *fs_plot_quoted(fs_arena *arena, const char *word) {
    return quoted(arena, word, IN_QUOTES);
}

const char *fs_plot_quoted_format(fs_arena *arena, const char *word) {
    return quoted(arena, word, IN_FORMAT);
}

const char *fs_plot_cell(fs_arena *arena, const char *word) {
    char *out = FS_NEW(arena, char, 3 * strlen(word) + 2);
    if (copy_plain(out, word, IN_CELL) == 0)
        out[0] = '-';
    return out;
}

void fs_plot_put_text(fs_text *script, fs_arena *arena, const char *name, const char *word) {
    fs_page_text_print(script, "%s = %s\n", name, fs_plot_quoted(arena, word));
}
