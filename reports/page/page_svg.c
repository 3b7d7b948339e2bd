/* gnuplot's SVG as a part of a page: it follows the page's colours and font, and its ids do not meet those of
 * others. */
#include "reports/page/page.h"
#include "reports/page/page_file.h"
#include "sim/base/alloc.h"
#include "sim/base/arith.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Colours of reports/plot/style.gp that a dark page shows otherwise: neutral ones, phases that would lie
 * close to each other, and series. The third series is a role's green, which both pages show. */
static const struct {
    unsigned rgb;
    const char *variable;
} followed[] = {
    {0x222222, "var(--ink)"},      {0x707070, "var(--faint)"},    {0xc8c8c8, "var(--rule)"},
    {0xececec, "var(--grid)"},     {0xe4e4e4, "var(--nothing)"},  {0xf0f0f0, "var(--ground)"},
    {0x0072b2, "var(--role-0)"},   {0x3b518b, "var(--compute)"},  {0x56b4e9, "var(--exchange)"},
    {0x006dc8, "var(--series-0)"}, {0xc7670b, "var(--series-1)"}, {0xa84086, "var(--series-3)"},
    {0x242424, "var(--series-4)"}, {0x5298ce, "var(--series-5)"}, {0x734200, "var(--series-6)"},
    {0x38257b, "var(--series-7)"},
};

static void add(fs_text *out, const char *word) {
    fs_page_text_add(out, word, strlen(word));
}

static void add_colour(fs_text *out, unsigned rgb) {
    char hex[8];
    for (size_t i = 0; i < sizeof followed / sizeof *followed; i++)
        if (followed[i].rgb == rgb) {
            add(out, followed[i].variable);
            return;
        }
    snprintf(hex, sizeof hex, "#%06x", rgb & 0xffffff);
    add(out, hex);
}

/* A picture within the picture, `href='data:...'`: with a palette if that is smaller, else as it is. */
static const char *picture(fs_text *out, const char *at) {
    static const char kind[] = "data:image/png;base64,";
    const char *data = at + 6 + strlen(kind), *end = at + 6 + strcspn(at + 6, "'\"");
    char *small = fs_begins(at + 6, kind) ? fs_page_shrink(data, (size_t)(end - data)) : NULL;
    fs_page_text_add(out, at, (size_t)((small == NULL ? end : data) - at));
    if (small != NULL)
        add(out, small);
    free(small);
    return end;
}

/* What is at `at`, if it is one of the things that change: writes the new form and returns what follows the
 * old one; else NULL. */
static const char *changed(fs_text *out, const char *at, const char *id) {
    static const char *const dropped[] = {" font-family=\"DejaVu Sans\"", " font-family=\"DejaVu Sans\" "};
    const char *end = NULL;
    double rgb[3];
    switch (*at) {
    case 'r':
        end = fs_begins(at, "rgb(") ? fs_page_numbers(at + 4, rgb, 3) : NULL;
        if (end == NULL || *end != ')')
            return NULL;
        add_colour(out, (unsigned)rgb[0] << 16 | (unsigned)rgb[1] << 8 | (unsigned)rgb[2]);
        return end + 1;
    case '#':
        if (strspn(at + 1, "0123456789abcdefABCDEF") != 6 || (at[7] != '"' && at[7] != '\''))
            return NULL;
        add_colour(out, (unsigned)strtoul(at + 1, NULL, 16));
        return at + 7;
    case 'b':
        if (!fs_begins(at, "black\"") && !fs_begins(at, "black'"))
            return NULL;
        add(out, "currentColor");
        return at + 5;
    case 'x':
        if (!fs_begins(at, "xlink:href="))
            return NULL;
        if (!fs_begins(at + 12, "data:"))
            return at + 6;
        return picture(out, at + 6);
    case 'g':
        if (!(fs_begins(at, "gp") || fs_begins(at, "gnuplot_")) ||
            (at[-1] != '\'' && at[-1] != '"' && at[-1] != '#'))
            return NULL;
        add(out, id);
        add(out, "-g");
        return at + 1;
    case ' ':
        for (size_t i = 0; i < 2; i++)
            if (fs_begins(at, dropped[i]))
                return at + strlen(dropped[i]);
        return NULL;
    case '<': {
        end = fs_begins(at, "<title>")                 ? "</title>"
              : fs_begins(at, "<desc>")                ? "</desc>"
              : fs_begins(at, "<rect x=\"0\" y=\"0\"") ? "/>"
                                                       : NULL;
        const char *there = end == NULL ? NULL : strstr(at, end);
        return there == NULL ? NULL : there + strlen(end);
    }
    default:
        return NULL;
    }
}

fs_status fs_page_svg_inline(fs_text *out, char *svg, const char *path, const char *id, const char *alt,
                             fs_error *err) {
    const char *from = strstr(svg, "<svg"), *end = from == NULL ? NULL : strchr(from, '>');
    double size[2] = {0};
    const char *box = from == NULL ? NULL : strstr(from, "viewBox=\"0 0 ");
    if (end == NULL || box == NULL || box > end ||
        fs_page_numbers(box + strlen("viewBox=\"0 0 "), size, 2) == NULL || strstr(end, "</svg>") == NULL)
        return fs_fail(err, FS_IO, "%s: not a whole SVG picture of gnuplot", path);
    char head[192], *escaped = fs_malloc(6 * strlen(alt) + 1);
    fs_page_escape(alt, escaped);
    snprintf(head, sizeof head,
             "<div class=\"plot-box\"><svg class=\"plot\" viewBox=\"0 0 %g %g\" style=\"--w:%gpx\" "
             "role=\"img\" id=\"",
             size[0], size[1], size[0]);
    add(out, head);
    add(out, id);
    add(out, "\" aria-label=\"");
    add(out, escaped);
    add(out, "\">");
    free(escaped);
    char *small = fs_page_svg_small(end + 1);
    for (const char *at = small; *at != '\0';) {
        size_t plain = strcspn(at, "r#bxg <");
        fs_page_text_add(out, at, plain);
        at += plain;
        if (*at == '\0')
            break;
        const char *next = changed(out, at, id);
        if (next == NULL) {
            fs_page_text_add(out, at, 1);
            at++;
        } else
            at = next;
    }
    free(small);
    add(out, "</div>\n");
    return FS_OK;
}
