/* Texts of a page: escapes, base64, and numbers as people read them. */
#include "reports/page/page.h"
#include "reports/page/page_file.h"

#include <stdlib.h>
#include <string.h>

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

const char *fs_page_numbers(const char *text, double *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char *end = NULL;
        text += strspn(text, " ,\t");
        out[i] = strtod(text, &end);
        if (end == text)
            return NULL;
        text = end;
    }
    return text;
}
