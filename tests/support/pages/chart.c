#include "tests/support/pages/chart.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <zlib.h>

/* What follows WORDS in the page. */
static const char *behind(const char *html, const char *words) {
    const char *at = strstr(html, words);
    if (at == NULL)
        fail_msg("the page has no %s", words);
    return at + strlen(words);
}

json_t *chart_of(const char *html, const char *id) {
    char words[128];
    snprintf(words, sizeof words, "class=\"chart\" id=\"%s-chart\">", id);
    const char *at = behind(html, words), *end = strstr(at, "</script>");
    assert_non_null(end);
    return json_keep(json_loadb(at, (size_t)(end - at), 0, NULL));
}

const json_t *chart_series(const json_t *chart, size_t panel, const char *label) {
    const json_t *list = json_object_get(json_array_get(json_object_get(chart, "panels"), panel), "series");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *series = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(series, "label")), label) == 0)
            return series;
    }
    fail_msg("panel %zu has no series %s", panel, label);
    return NULL;
}

/* ---- packed values ---- */

static uint8_t *unpacked(const char *base64, size_t *bytes) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t *raw = malloc(strlen(base64) + 4);
    size_t used = 0;
    uint32_t word = 0, bits = 0;
    for (const char *at = base64; *at != '<' && *at != '='; at++) {
        word = word << 6 | (uint32_t)(strchr(letters, *at) - letters);
        bits += 6;
        if (bits >= 8)
            raw[used++] = (uint8_t)(word >> (bits -= 8));
    }
    uLong room = 1 << 26;
    uint8_t *out = malloc(room);
    assert_int_equal(uncompress(out, &room, raw, (uLong)used), Z_OK);
    free(raw);
    *bytes = room;
    return out;
}

typedef struct packed {
    char kind[8];
    size_t count, bytes;
    double scale;
    uint8_t *plain;
} packed;

static packed packed_of(const char *html, const char *id) {
    char words[64];
    packed p;
    snprintf(words, sizeof words, "id=\"%s\" data-kind=\"", id);
    const char *at = behind(html, words), *end = strchr(at, '>');
    assert_int_equal(
        sscanf(at, "%7[a-z0-9]\" data-count=\"%zu\" data-scale=\"%lf\"", p.kind, &p.count, &p.scale), 3);
    p.plain = unpacked(end + 1, &p.bytes);
    return p;
}

static double *numbers_of(const char *html, const char *id, size_t *count) {
    packed p = packed_of(html, id);
    const size_t width = strcmp(p.kind, "u16") == 0 ? 2 : 4;
    double *out = malloc((p.count + 1) * sizeof *out);
    uint32_t last = 0;
    assert_int_equal(p.bytes, p.count * width);
    for (size_t i = 0; i < p.count; i++) {
        uint32_t word = 0;
        float real;
        for (size_t k = 0; k < width; k++)
            word |= (uint32_t)p.plain[k * p.count + i] << (8 * k);
        memcpy(&real, &word, sizeof real);
        if (strcmp(p.kind, "f32") == 0) {
            out[i] = (double)real;
            continue;
        }
        last += word >> 1 ^ (word & 1 ? UINT32_MAX : 0); /* the difference to the one before */
        last &= width == 2 ? UINT16_MAX : UINT32_MAX;
        out[i] = last == (width == 2 ? UINT16_MAX : (uint32_t)INT32_MAX) ? NAN : p.scale * last;
    }
    free(p.plain);
    *count = p.count;
    return out;
}

/* ---- values, packed or seen in another way ---- */

static char *words_of(const char *html, const json_t *ref, size_t *count) {
    if (json_is_string(ref)) {
        packed p = packed_of(html, json_string_value(ref));
        assert_string_equal(p.kind, "words");
        p.plain = realloc(p.plain, p.bytes + 1);
        p.plain[p.bytes] = '\0';
        *count = p.count;
        return (char *)p.plain;
    }
    size_t room = 1;
    for (size_t i = 0; i < json_array_size(ref); i++)
        room += strlen(json_string_value(json_array_get(ref, i))) + 1;
    char *out = malloc(room), *at = out;
    for (size_t i = 0; i < json_array_size(ref); i++)
        at = stpcpy(at, json_string_value(json_array_get(ref, i))) + 1;
    *count = json_array_size(ref);
    return out;
}

static double *values_of(const char *html, const json_t *ref, size_t *count);

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static double *view_of(const char *html, const json_t *ref, size_t *count) {
    const json_t *less = json_object_get(ref, "less"), *where = json_object_get(ref, "where");
    size_t others = 0;
    double *out = values_of(html, json_object_get(ref, "of"), count),
           *minus = less == NULL ? NULL : values_of(html, less, &others);
    char *words = where == NULL ? NULL : words_of(html, where, &others), *word = words;
    assert_true(others == 0 || others == *count);
    for (size_t i = 0; i < *count; i++) {
        out[i] = out[i] - (minus == NULL ? 0 : minus[i]);
        if (word != NULL && strcmp(word, json_string_value(json_object_get(ref, "is"))) != 0)
            out[i] = 0;
        word = word == NULL ? NULL : word + strlen(word) + 1;
    }
    free(minus);
    free(words);
    return out;
}

static double *values_of(const char *html, const json_t *ref, size_t *count) {
    if (json_is_string(ref))
        return numbers_of(html, json_string_value(ref), count);
    if (json_object_get(ref, "of") != NULL)
        return view_of(html, ref, count);
    *count = json_is_array(ref) ? json_array_size(ref) : (size_t)number_of(ref, "count");
    double *out = malloc((*count + 1) * sizeof *out);
    for (size_t i = 0; i < *count; i++)
        out[i] = !json_is_array(ref) ? number_of(ref, "from") + number_of(ref, "step") * (double)i
                 : json_is_null(json_array_get(ref, i)) ? NAN
                                                        : json_number_value(json_array_get(ref, i));
    return out;
}

double *chart_values(const char *html, const json_t *series, const char *key, size_t *count) {
    const json_t *ref = json_object_get(series, key);
    if (ref == NULL)
        fail_msg("a series without %s", key);
    return test_keep(values_of(html, ref, count));
}

char *chart_words(const char *html, const json_t *series, const char *key, size_t *count) {
    const json_t *ref = json_object_get(series, key);
    if (ref == NULL)
        fail_msg("a series without %s", key);
    return test_keep(words_of(html, ref, count));
}
