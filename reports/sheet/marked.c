/* Marked texts: the format is markup, what it brings is escaped. */
#include "reports/sheet/sheet_private.h"
#include "sim/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(fs_text *text, const char *word) {
    fs_page_text_add(text, word, strlen(word));
}

static void add_escaped(fs_text *text, const char *word) {
    char *escaped = fs_malloc(6 * strlen(word) + 1);
    fs_page_text_add(text, escaped, fs_page_escape(word, escaped));
    free(escaped);
}

static void put_word(fs_text *text, const char *spec, const char *word) {
    const size_t room = strlen(word) + 256;
    char *whole = fs_malloc(room);
    snprintf(whole, room, spec, word);
    add_escaped(text, whole);
    free(whole);
}

/* One conversion of a format: `spec` from '%' to its letter. Values go through snprintf with that same spec. */
static void put_one(fs_text *text, const char *spec, va_list *args) {
    char out[512];
    size_t end = strlen(spec) - 1;
    char letter = spec[end];
    int longs = (spec[end - 1] == 'l') + (spec[end - 1] == 'l' && spec[end - 2] == 'l');
    bool size = spec[end - 1] == 'z';
    switch (letter) {
    case 's':
        put_word(text, spec, va_arg(*args, const char *));
        return;
    case 'c':
        snprintf(out, sizeof out, spec, va_arg(*args, int));
        add_escaped(text, out);
        return;
    case 'd':
    case 'i':
        if (longs == 2)
            snprintf(out, sizeof out, spec, va_arg(*args, long long));
        else if (longs == 1)
            snprintf(out, sizeof out, spec, va_arg(*args, long));
        else
            snprintf(out, sizeof out, spec, va_arg(*args, int));
        break;
    case 'u':
    case 'x':
        if (size)
            snprintf(out, sizeof out, spec, va_arg(*args, size_t));
        else if (longs == 2)
            snprintf(out, sizeof out, spec, va_arg(*args, unsigned long long));
        else if (longs == 1)
            snprintf(out, sizeof out, spec, va_arg(*args, unsigned long));
        else
            snprintf(out, sizeof out, spec, va_arg(*args, unsigned));
        break;
    case 'f':
    case 'e':
    case 'g':
        snprintf(out, sizeof out, spec, va_arg(*args, double));
        break;
    default:
        FS_ASSERT(false, "a marked text: conversion %s", spec);
    }
    add(text, out);
}

static void put(fs_text *text, const char *format, va_list *args) {
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        fs_page_text_add(text, format, plain);
        format += plain;
        if (*format == '\0')
            return;
        if (format[1] == '%') {
            add(text, "%");
            format += 2;
            continue;
        }
        char spec[32];
        size_t length = 1 + strspn(format + 1, "0123456789.+- #lz") + 1;
        FS_ASSERT(length < sizeof spec && format[length - 1] != '\0', "a marked text: format %s", format);
        memcpy(spec, format, length);
        spec[length] = '\0';
        put_one(text, spec, args);
        format += length;
    }
}

void fs_marked_add(fs_text *text, const char *format, va_list args) {
    va_list own; /* an array may not be pointed to as an argument */
    va_copy(own, args);
    put(text, format, &own);
    va_end(own);
}

const char *fs_marked(fs_arena *arena, const char *format, va_list args) {
    fs_text text = {0};
    add(&text, "");
    fs_marked_add(&text, format, args);
    char *out = fs_arena_strdup(arena, text.text);
    free(text.text);
    return out;
}

const char *fs_marked_plain(fs_arena *arena, const char *text) {
    char *out = FS_NEW(arena, char, 6 * strlen(text) + 1);
    fs_page_escape(text, out);
    return out;
}

const char *fs_marked_text(fs_arena *arena, const char *marked) {
    static const char *const entity[][2] = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
    char *out = FS_NEW(arena, char, strlen(marked) + 1), *to = out;
    for (const char *at = marked; *at != '\0';) {
        const size_t tag = *at == '<' ? strcspn(at, ">") + 1 : 0;
        if (tag > 0) {
            if (strncmp(at, "<br", 3) == 0)
                *to++ = ' ';
            at += tag;
            continue;
        }
        size_t known = 0;
        for (size_t i = 0; *at == '&' && i < FS_COUNT(entity) && known == 0; i++)
            if (strncmp(at, entity[i][0], strlen(entity[i][0])) == 0) {
                *to++ = entity[i][1][0];
                known = strlen(entity[i][0]);
            }
        if (known == 0)
            *to++ = *at;
        at += known > 0 ? known : 1;
    }
    *to = '\0';
    return out;
}
