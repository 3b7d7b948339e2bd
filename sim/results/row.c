/* Rows of CSV tables, through a buffer of their own: faster than printf. */
#include "sim/results/row.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST_INT = 24, THOUSAND = 1000, AT_A_TIME = 32 };

/* The digits of the numbers under a thousand, three characters and what is spare: without leading zeros, and
 * how many they are, and with them. */
typedef struct digits {
    char plain[THOUSAND][4], padded[THOUSAND][4];
    uint8_t length[THOUSAND];
    bool made;
} digits;

static const digits *digits_of_thousand(void) {
    static _Thread_local digits d;
    for (uint32_t n = 0; n < THOUSAND && !d.made; n++) {
        const char text[3] = {(char)('0' + n / 100), (char)('0' + n / 10 % 10), (char)('0' + n % 10)};
        const uint8_t zeros = n < 10 ? 2 : n < 100 ? 1 : 0;
        memcpy(d.padded[n], text, 3);
        memcpy(d.plain[n], text + zeros, 3u - zeros);
        d.length[n] = (uint8_t)(3 - zeros);
    }
    d.made = true;
    return &d;
}

void fs_row_begin(fs_row *row, FILE *file) {
    row->file = file;
    row->used = 0;
    row->fields = 0;
    row->digits = digits_of_thousand();
}

void fs_row_flush(fs_row *row) {
    fwrite(row->text, 1, row->used, row->file);
    row->used = 0;
}

static inline void reserve(fs_row *row, size_t bytes) {
    if (__builtin_expect(row->used + bytes > sizeof row->text, 0))
        fs_row_flush(row);
}

static inline void separate(fs_row *row) {
    row->text[row->used] = ','; /* overwritten where nothing is to be separated */
    row->used += row->fields++ > 0;
}

/* The number's thousands, then three more digits. */
static char *put_large(const digits *d, uint64_t magnitude, char *at) {
    if (magnitude < THOUSAND) {
        memcpy(at, d->plain[magnitude], 4);
        return at + d->length[magnitude];
    }
    at = put_large(d, magnitude / THOUSAND, at);
    memcpy(at, d->padded[magnitude % THOUSAND], 4);
    return at + 3;
}

static inline char *put_int(const digits *d, int64_t value, char *at) {
    if (__builtin_expect(value >= 0 && value < THOUSAND, 1)) {
        memcpy(at, d->plain[value], 4);
        return at + d->length[value];
    }
    *at = '-';
    return put_large(d, value < 0 ? -(uint64_t)value : (uint64_t)value, at + (value < 0));
}

void fs_row_int(fs_row *row, int64_t value) {
    fs_row_ints(row, &value, 1);
}

void fs_row_ints(fs_row *row, const int64_t *values, size_t count) {
    for (size_t first = 0; first < count; first += AT_A_TIME) {
        const size_t left = count - first, some = left < AT_A_TIME ? left : AT_A_TIME;
        reserve(row, some * LONGEST_INT);
        separate(row);
        char *at = put_int(row->digits, values[first], row->text + row->used);
        for (size_t i = 1; i < some; i++) {
            *at++ = ',';
            at = put_int(row->digits, values[first + i], at);
        }
        row->used = (size_t)(at - row->text);
    }
}

void fs_row_word(fs_row *row, const char *word) {
    size_t length = strlen(word);
    if (length + 2 > sizeof row->text)
        length = sizeof row->text - 2;
    reserve(row, length + 2);
    separate(row);
    memcpy(row->text + row->used, word, length);
    row->used += length;
}

void fs_row_end(fs_row *row) {
    reserve(row, 1);
    row->text[row->used++] = '\n';
    row->fields = 0;
}
