/* Growing text, whole files, escapes and base64. */
#include "reports/page/page_file.h"

#include "sim/host/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fs_page_text_add(fs_text *text, const char *bytes, size_t count) {
    if (text->used + count + 1 > text->room) {
        text->room = 2 * (text->used + count + 1);
        text->text = fs_realloc(text->text, text->room);
    }
    FS_ASSERT(text->text != NULL, "a text without room");
    memcpy(text->text + text->used, bytes, count);
    text->used += count;
    text->text[text->used] = '\0';
}

void fs_page_text_vprint(fs_text *text, const char *format, va_list args) {
    va_list again;
    FS_ASSERT(format != NULL, "fs_page_text_print: no format");
    va_copy(again, args);
    char brief[256];
    const int length = vsnprintf(brief, sizeof brief, format, args);
    FS_ASSERT(length >= 0, "fs_page_text_print: format %s", format);
    char *line = (size_t)length < sizeof brief ? brief : fs_malloc((size_t)length + 1);
    if (line != brief)
        vsnprintf(line, (size_t)length + 1, format, again);
    va_end(again);
    fs_page_text_add(text, line, (size_t)length);
    if (line != brief)
        free(line);
}

void fs_page_text_print(fs_text *text, const char *format, ...) {
    FS_VARIADIC(args, format, fs_page_text_vprint(text, format, args));
}

fs_status fs_page_text_save(fs_text *text, const char *folder, const char *name, const char *ending,
                            fs_error *err) {
    fs_text path = {0};
    fs_page_text_print(&path, "%s/%s.%s", folder, name, ending);
    fs_status status =
        fs_file_write(path.text, text->text == NULL ? "" : text->text, text->used, FS_LIGHT, err);
    free(path.text);
    text->used = 0;
    return status;
}

char *fs_page_read(const char *path, size_t *bytes, fs_error *err) {
    FILE *file = fs_file_regular(path);
    fs_text text = {0};
    char block[1 << 16];
    if (file == NULL)
        return FS_FAIL_NULL(err, FS_IO, "%s: cannot read: %s", path, fs_file_reason());
    fs_page_text_add(&text, "", 0);
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        fs_page_text_add(&text, block, got);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed != 0) {
        free(text.text);
        return FS_FAIL_NULL(err, FS_IO, "%s: cannot read: %s", path, strerror(failed));
    }
    if (bytes != NULL)
        *bytes = text.used;
    return text.text;
}

size_t fs_page_escape(const char *text, char *out) {
    char *to = out;
    for (; *text != '\0'; text++) {
        const char *word = *text == '&'    ? "&amp;"
                           : *text == '<'  ? "&lt;"
                           : *text == '>'  ? "&gt;"
                           : *text == '"'  ? "&quot;"
                           : *text == '\'' ? "&#39;"
                                           : NULL;
        if (word == NULL)
            *to++ = *text;
        else
            to = stpcpy(to, word);
    }
    *to = '\0';
    return (size_t)(to - out);
}

const char *fs_page_address(fs_arena *arena, const char *path) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/";
    char *out = FS_NEW(arena, char, 3 * strlen(path) + 1), *to = out;
    for (; *path != '\0'; path++)
        to += sprintf(to, strchr(plain, *path) != NULL ? "%c" : "%%%02X", (unsigned char)*path);
    return out;
}

size_t fs_page_base64(const void *bytes, size_t count, char *out) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *from = bytes;
    char *to = out;
    for (size_t i = 0; i < count; i += 3) {
        uint32_t three = (uint32_t)from[i] << 16 | (uint32_t)(i + 1 < count ? from[i + 1] : 0) << 8 |
                         (uint32_t)(i + 2 < count ? from[i + 2] : 0);
        *to++ = digit[three >> 18];
        *to++ = digit[three >> 12 & 63];
        *to++ = digit[three >> 6 & 63];
        *to++ = digit[three & 63];
        if (i + 1 >= count) /* padding for what is not there */
            to[-2] = '=';
        if (i + 2 >= count)
            to[-1] = '=';
    }
    *to = '\0';
    return (size_t)(to - out);
}
