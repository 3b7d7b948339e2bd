#include "sim/results/row.h"

#include <string.h>

enum { LONGEST_INT = 24 };

void fs_row_begin(fs_row *row, FILE *file) {
    row->file = file;
    row->used = 0;
    row->fields = 0;
}

void fs_row_flush(fs_row *row) {
    fwrite(row->text, 1, row->used, row->file);
    row->used = 0;
}

static void reserve(fs_row *row, size_t bytes) {
    if (row->used + bytes > sizeof row->text)
        fs_row_flush(row);
}

static void separate(fs_row *row) {
    if (row->fields++ > 0)
        row->text[row->used++] = ',';
}

void fs_row_int(fs_row *row, int64_t value) {
    reserve(row, LONGEST_INT);
    separate(row);
    char digits[LONGEST_INT];
    int n = 0;
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        digits[n++] = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (value < 0)
        row->text[row->used++] = '-';
    while (n > 0)
        row->text[row->used++] = digits[--n];
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
