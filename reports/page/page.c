/* HTML pages: sections, choices, figures, values, and the file; text can never be markup. */
#include "reports/page/page_private.h"
#include "sim/base/alloc.h"
#include "sim/host/file.h"
#include "sim/host/places.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- growing text ---- */

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

static void add(fs_text *text, const char *word) {
    fs_page_text_add(text, word, strlen(word));
}

static void add_escaped(fs_text *text, const char *word) {
    char *escaped = fs_malloc(6 * strlen(word) + 1);
    fs_page_text_add(text, escaped, fs_page_escape(word, escaped));
    free(escaped);
}

/* One conversion of a format: `spec` from '%' to its letter. Values go through snprintf with that same spec. */
static void put_one(fs_text *text, const char *spec, va_list *args) {
    char out[512];
    size_t end = strlen(spec) - 1;
    char letter = spec[end];
    int longs = (spec[end - 1] == 'l') + (spec[end - 1] == 'l' && spec[end - 2] == 'l');
    bool size = spec[end - 1] == 'z';
    if (letter == 's') {
        char *whole = NULL;
        const char *word = va_arg(*args, const char *);
        size_t room = strlen(word) + 256;
        whole = fs_malloc(room);
        snprintf(whole, room, spec, word);
        add_escaped(text, whole);
        free(whole);
        return;
    }
    switch (letter) {
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
        FS_ASSERT(false, "fs_page_put: conversion %s", spec);
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
        FS_ASSERT(length < sizeof spec && format[length - 1] != '\0', "fs_page_put: format %s", format);
        memcpy(spec, format, length);
        spec[length] = '\0';
        put_one(text, spec, args);
        format += length;
    }
}

/* ---- the page ---- */

fs_page *fs_page_create(const char *title) {
    fs_page *page = fs_calloc(1, sizeof *page);
    page->title = fs_strdup(title);
    add(&page->contents, "");
    add(&page->body, "");
    return page;
}

void fs_page_free(fs_page *page) {
    if (page == NULL)
        return;
    free(page->title);
    free(page->headline);
    free(page->contents.text);
    free(page->body.text);
    free(page);
}

void fs_page_reload(fs_page *page, unsigned seconds) {
    page->reload = seconds;
}

void fs_page_headline(fs_page *page, const char *verdict) {
    free(page->headline);
    page->headline = fs_strdup(verdict);
}

void fs_page_put(fs_page *page, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put(&page->body, format, &args);
    va_end(args);
}

static void end_section(fs_page *page) {
    if (page->in_section)
        add(&page->body, page->folded ? "</details>\n</section>\n" : "</section>\n");
    page->in_section = page->folded = false;
}

void fs_page_folded(fs_page *page, const char *id, const char *title, const char *inside) {
    end_section(page);
    page->in_section = true;
    page->folded = inside != NULL;
    fs_page_put(page, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", id, id);
    if (inside != NULL)
        fs_page_put(page, "<details class=\"fold\"><summary>\n");
    fs_page_put(page, "<h2 id=\"%s-title\">%s</h2>\n", id, title);
    if (inside != NULL)
        fs_page_put(page, "<span class=\"inside\">%s</span></summary>\n", inside);
    add(&page->contents, "<li><a href=\"#");
    add_escaped(&page->contents, id);
    add(&page->contents, "\">");
    add_escaped(&page->contents, title);
    add(&page->contents, "</a></li>\n");
}

void fs_page_section(fs_page *page, const char *id, const char *title) {
    fs_page_folded(page, id, title, NULL);
}

void fs_page_fold(fs_page *page, const char *title) {
    fs_page_put(page, "<details><summary>%s</summary>\n", title);
}

void fs_page_fold_end(fs_page *page) {
    fs_page_put(page, "</details>\n");
}

void fs_page_note(fs_page *page, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fs_page_put(page, "<p class=\"note\">");
    put(&page->body, format, &args);
    fs_page_put(page, "</p>\n");
    va_end(args);
}

void fs_page_choice(fs_page *page, const char *id, const char *what, const char *const *labels,
                    size_t count) {
    snprintf(page->choice, sizeof page->choice, "%s", id);
    page->panels = 0;
    page->in_panel = false;
    page->chooses = count > 1;
    if (!page->chooses)
        return;
    fs_page_put(page,
                "<div class=\"choice\" id=\"%s\">\n<div class=\"tabs\" role=\"tablist\" aria-label=\"%s\">\n",
                id, what);
    for (size_t i = 0; i < count; i++)
        fs_page_put(page,
                    "<button type=\"button\" role=\"tab\" id=\"%s-tab-%zu\" aria-controls=\"%s-panel-%zu\" "
                    "aria-selected=\"%s\" tabindex=\"%d\">%s</button>\n",
                    id, i, id, i, i == 0 ? "true" : "false", i == 0 ? 0 : -1, labels[i]);
    fs_page_put(page, "</div>\n");
}

void fs_page_panel(fs_page *page, const char *label) {
    if (!page->chooses)
        return;
    if (page->in_panel)
        fs_page_put(page, "</div>\n");
    page->in_panel = true;
    fs_page_put(
        page,
        "<div role=\"tabpanel\" id=\"%s-panel-%zu\" aria-labelledby=\"%s-tab-%zu\" data-label=\"%s\"%s>\n",
        page->choice, page->panels, page->choice, page->panels, label, page->panels == 0 ? "" : " hidden");
    page->panels++;
}

void fs_page_choice_end(fs_page *page) {
    if (!page->chooses)
        return;
    if (page->in_panel)
        fs_page_put(page, "</div>\n");
    page->in_panel = false;
    fs_page_put(page, "</div>\n");
}

/* ---- figures ---- */

void fs_page_figure(fs_page *page, const char *id, const char *title, bool wide) {
    fs_page_put(page, "<figure id=\"%s\" class=\"%s\">\n<h3>%s</h3>\n", id, wide ? "wide" : "half", title);
}

void fs_page_cells(fs_page *page, const char *id) {
    fs_page_put(page, "<style>#%s image { image-rendering: pixelated; }</style>\n", id);
}

void fs_page_figure_end(fs_page *page, const char *caption, ...) {
    va_list args;
    va_start(args, caption);
    fs_page_put(page, "<figcaption>");
    put(&page->body, caption, &args);
    fs_page_put(page, "</figcaption>\n</figure>\n");
    va_end(args);
}

static void put_base64(fs_page *page, const void *bytes, size_t count) {
    char *text = fs_malloc(4 * ((count + 2) / 3) + 1);
    fs_page_text_add(&page->body, text, fs_page_base64(bytes, count, text));
    free(text);
}

/* A picture of at most `dots` pixels where it is more than `light` bytes. */
static fs_status put_png(fs_page *page, const char *path, const char *alt, size_t light, uint64_t dots,
                         bool *reduced, fs_error *err) {
    size_t bytes = 0;
    char *file = fs_page_small_png(path, light, dots, &bytes, reduced, err);
    if (file == NULL)
        return err->status;
    fs_page_put(page, "<img alt=\"%s\" src=\"data:image/png;base64,", alt);
    put_base64(page, file, bytes);
    fs_page_put(page, "\">\n");
    free(file);
    return FS_OK;
}

fs_status fs_page_thumbnail(fs_page *page, const char *path, const char *alt, fs_error *err) {
    enum { LIGHT = 12 << 10, DOTS = 320 * 240 };
    bool reduced;
    return put_png(page, path, alt, LIGHT, DOTS, &reduced, err);
}

fs_status fs_page_png(fs_page *page, const char *path, const char *alt, const char *whole, fs_error *err) {
    enum { LIGHT = 48 << 10, DOTS = 1 << 19 }; /* left as it is; 720 x 720 pixels are fewer than DOTS */
    bool reduced = false;
    if (put_png(page, path, alt, LIGHT, DOTS, &reduced, err))
        return err->status;
    if (reduced && whole != NULL)
        fs_page_put(
            page,
            whole[0] == '\0'
                ? "<p class=\"note\">Reduced for this page: the run folder has the whole picture.%s</p>\n"
                : "<p class=\"note\">Reduced for this page: <a href=\"%s\">the whole picture</a>.</p>\n",
            whole);
    return FS_OK;
}

fs_status fs_page_svg(fs_page *page, const char *path, const char *id, const char *alt, fs_error *err) {
    size_t bytes = 0;
    char *file = fs_page_read(path, &bytes, err);
    if (file == NULL)
        return err->status;
    fs_status status = fs_page_svg_inline(&page->body, file, path, id, alt, err);
    free(file);
    return status;
}

/* ---- values ---- */

/* Differences of 16 bits, small ones of either sign as small numbers, their low bytes before their high ones: neighbours are
 * alike, and so pack to two thirds of what they are packed to as they stand. */
static uint8_t *differences(const uint16_t *values, size_t count) {
    uint8_t *out = fs_malloc(2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        const uint16_t d = (uint16_t)(values[i] - (i == 0 ? 0 : values[i - 1])),
                       folded = (uint16_t)(d << 1 ^ (d >> 15 != 0 ? 0xffff : 0));
        out[i] = (uint8_t)folded;
        out[count + i] = (uint8_t)(folded >> 8);
    }
    return out;
}

void fs_page_values(fs_page *page, const char *id, fs_page_kind kind, const void *values, size_t count) {
    static const size_t size[] = {1, 2, 4, 4};
    static const char *const name[] = {"u8", "u16", "i32", "f32"};
    uLong bytes = (uLong)(count * size[kind]), room = compressBound(bytes);
    uint8_t *packed = fs_malloc(room);
    uint8_t *folded = kind == FS_PAGE_U16 ? differences(values, count) : NULL;
    int failed = compress2(packed, &room, folded == NULL ? values : folded, bytes, Z_BEST_COMPRESSION);
    free(folded);
    FS_ASSERT(failed == Z_OK, "zlib: compress2 says %d", failed);
    fs_page_put(page,
                "<script type=\"application/octet-stream\" id=\"%s\" data-kind=\"%s\" data-count=\"%zu\">",
                id, name[kind], count);
    put_base64(page, packed, room);
    fs_page_put(page, "</script>\n");
    free(packed);
}

void fs_page_json(fs_page *page, const char *id, int digits, json_t *value) {
    char *json = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION((size_t)digits));
    fs_page_put(page, "<script type=\"application/json\" id=\"%s\">", id);
    for (const char *at = json; *at != '\0'; at++) /* no "</script" inside */
        fs_page_text_add(&page->body, *at == '<' ? "\\u003c" : at, *at == '<' ? 6 : 1);
    fs_page_put(page, "</script>\n");
    free(json);
    json_decref(value);
}

/* ---- the file ---- */

/* What stands above the contents: the title, or small above the verdict. */
static void add_head(fs_text *out, const fs_page *page) {
    if (page->headline != NULL) {
        add(out, "<p class=\"name\">");
        add_escaped(out, page->title);
        add(out, "</p>\n");
    }
    add(out, "<h1>");
    add_escaped(out, page->headline == NULL ? page->title : page->headline);
    add(out, "</h1>");
}

static void add_reload(fs_text *out, const fs_page *page) {
    if (page->reload > 0)
        fs_page_text_print(out, "<meta http-equiv=\"refresh\" content=\"%u\">\n", page->reload);
}

/* The template with its marks replaced: {{title}}, {{reload}}, {{head}}, {{style}}, {{contents}}, {{body}}, {{script}}. */
static void fill(fs_text *out, const char *pattern, const fs_page *page, const char *style,
                 const char *script) {
    for (const char *mark; (mark = strstr(pattern, "{{")) != NULL;) {
        fs_page_text_add(out, pattern, (size_t)(mark - pattern));
        if (strncmp(mark, "{{title}}", 9) == 0)
            add_escaped(out, page->title);
        else if (strncmp(mark, "{{head}}", 8) == 0)
            add_head(out, page);
        else if (strncmp(mark, "{{reload}}", 10) == 0)
            add_reload(out, page);
        else
            add(out, strncmp(mark, "{{style}}", 9) == 0       ? style
                     : strncmp(mark, "{{contents}}", 12) == 0 ? page->contents.text
                     : strncmp(mark, "{{body}}", 8) == 0      ? page->body.text
                                                              : script);
        pattern = strstr(mark, "}}") + 2;
    }
    add(out, pattern);
}

fs_status fs_page_write(fs_page *page, const char *path, fs_error *err) {
    enum { HTML, CSS, SCRIPT, PARTS = 5 };
    static const char *const name[PARTS] = {"page.html", "page.css", "page.js", "points.js", "tools.js"};
    char *part[PARTS] = {NULL};
    bool whole = true;
    fs_text script = {0};
    end_section(page);
    for (size_t i = 0; i < PARTS && whole; i++) {
        char file[4352];
        snprintf(file, sizeof file, "%s/page/%s", fs_reports_dir(), name[i]);
        part[i] = fs_page_read(file, NULL, err);
        whole = part[i] != NULL;
        if (whole && i >= SCRIPT)
            add(&script, part[i]);
    }
    fs_status status = whole ? FS_OK : err->status;
    if (whole) {
        fs_text out = {0};
        fill(&out, part[HTML], page, part[CSS], script.text);
        status = fs_file_write(path, out.text, out.used, FS_LIGHT, err);
        free(out.text);
    }
    for (size_t i = 0; i < PARTS; i++)
        free(part[i]);
    free(script.text);
    return status;
}
