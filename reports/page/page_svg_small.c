/* gnuplot's SVG in fewer letters: what it draws is the same to a tenth of a pixel. */
#include "reports/page/page_file.h"
#include "sim/base/arith.h"

#include <math.h>
#include <string.h>

typedef struct small {
    fs_text out;
    long x, y;          /* where the path is, in tenths */
    const char *colour; /* of the polygon that was written last, whose path is still open; NULL */
    size_t colour_length;
    const char *group; /* attributes of the labels that were written last, whose group is still open; NULL */
    size_t group_length;
} small;

static void add(small *s, const char *text) {
    fs_page_text_add(&s->out, text, strlen(text));
}

/* "12.3", "-.4", "5"; a blank first where two numbers would run together. */
static void add_tenths(small *s, long tenths, bool apart) {
    const long size = tenths < 0 ? -tenths : tenths;
    add(s, tenths < 0 ? "-" : apart ? " " : "");
    if (size >= 10 || size == 0)
        fs_page_text_print(&s->out, "%ld", size / 10);
    if (size % 10 != 0)
        fs_page_text_print(&s->out, ".%ld", size % 10);
}

static void move_to(small *s, const double at[2], bool draws) {
    const long x = lround(10 * at[0]), y = lround(10 * at[1]), dx = x - s->x, dy = y - s->y;
    s->x = x;
    s->y = y;
    if (draws && dx == 0 && dy == 0)
        return;
    if (draws && (dx == 0 || dy == 0)) {
        add(s, dx == 0 ? "v" : "h");
        add_tenths(s, dx == 0 ? dy : dx, false);
        return;
    }
    add(s, draws ? "l" : "M");
    add_tenths(s, draws ? dx : x, false);
    add(s, draws ? "" : ",");
    add_tenths(s, draws ? dy : y, draws);
}

static void close_open(small *s) {
    if (s->colour != NULL)
        add(s, "'/>");
    if (s->group != NULL)
        add(s, "</g>");
    s->colour = s->group = NULL;
}

/* The places of a text [at most `room`]: how many, *end behind them. */
static size_t places(const char *text, double xy[][2], size_t room, const char **end) {
    size_t count = 0;
    for (const char *next; count < room && (next = fs_page_numbers(text, xy[count], 2)) != NULL; count++)
        text = next + strspn(next, " \n\t");
    *end = text;
    return count;
}

/* `<polygon fill = 'C' points = 'x,y x,y x,y x,y '/>`, a cell or a bar: a part of one path of that colour, all turning the
 * same way; NULL: another form. */
static const char *cell(small *s, const char *at) {
    static const char before[] = "<polygon fill = '", between[] = "' points = '";
    const char *colour = at + strlen(before), *end;
    double p[5][2];
    if (!fs_begins(at, before) || (end = strchr(colour, '\'')) == NULL || !fs_begins(end, between))
        return NULL;
    const size_t length = (size_t)(end - colour);
    if (places(end + strlen(between), p, 5, &at) != 4 || !fs_begins(at, "'/>"))
        return NULL;
    const double left = fmin(p[0][0], p[2][0]), right = fmax(p[0][0], p[2][0]), top = fmin(p[0][1], p[2][1]),
                 bottom = fmax(p[0][1], p[2][1]);
    for (size_t i = 0; i < 4; i++) /* neighbours share a side of the box */
        if ((p[i][0] > left && p[i][0] < right) || (p[i][1] > top && p[i][1] < bottom) ||
            (fabs(p[i][0] - p[(i + 1) % 4][0]) > 0) == (fabs(p[i][1] - p[(i + 1) % 4][1]) > 0))
            return NULL;
    if (s->colour == NULL || s->colour_length != length || strncmp(s->colour, colour, length) != 0) {
        close_open(s);
        fs_page_text_print(&s->out, "<path fill='%.*s' d='", (int)length, colour);
    }
    s->colour = colour;
    s->colour_length = length;
    move_to(s, (double[]){left, top}, false);
    move_to(s, (double[]){right, top}, true);
    move_to(s, (double[]){right, bottom}, true);
    move_to(s, (double[]){left, bottom}, true);
    add(s, "z");
    return at + 3;
}

/* `<g transform="translate(x,y)" ATTRIBUTES><text>...</text></g>`: labels of like attributes share a group. */
static const char *label(small *s, const char *at) {
    static const char before[] = "<g transform=\"translate(", text[] = "<text>", behind[] = "</text>";
    double xy[2];
    const char *number = at + strlen(before),
               *end = fs_begins(at, before) ? fs_page_numbers(number, xy, 2) : NULL;
    if (end == NULL || !fs_begins(end, ")\" "))
        return NULL;
    const char *attributes = end + 3, *close = attributes + strcspn(attributes, ">");
    const char *words = *close == '\0' ? NULL : close + 1 + strspn(close + 1, "\n\t");
    const char *last = words != NULL && fs_begins(words, text) ? strstr(words, behind) : NULL;
    const char *next = last == NULL ? NULL : last + strlen(behind) + strspn(last + strlen(behind), "\n\t");
    if (next == NULL || !fs_begins(next, "</g>"))
        return NULL;
    const size_t length = (size_t)(close - attributes);
    if (s->group == NULL || s->group_length != length || strncmp(s->group, attributes, length) != 0) {
        close_open(s);
        fs_page_text_print(&s->out, "<g %.*s>", (int)length, attributes);
    }
    s->group = attributes;
    s->group_length = length;
    const char *comma = number + strcspn(number, ",") + 1;
    fs_page_text_print(&s->out, "<text x=\"%.*s\" y=\"%.*s\">", (int)strcspn(number, ","), number,
                       (int)strcspn(comma, ")"), comma);
    fs_page_text_add(&s->out, words + strlen(text), (size_t)(last - words) + strlen(behind) - strlen(text));
    return next + 4;
}

/* Draws along places, each behind M, L or nothing; what follows the last one. */
static const char *along(small *s, const char *at) {
    double xy[1][2];
    bool draws = false;
    for (const char *end; *at != '\'' && *at != '\0'; at = end, draws = true) {
        const bool moves = *at == 'M', named = moves || *at == 'L';
        if (places(at + named, xy, 1, &end) == 0)
            return at;
        move_to(s, xy[0], named ? !moves : draws);
    }
    return at;
}

/* `<path ... d='M1.00,2.00 L3.00,4.00 '/>` and a polygon of any form; NULL: something else, such as a curve. */
static const char *path(small *s, const char *at) {
    static const char between[] = "' points = '", before[] = "<polygon fill = '";
    const bool filled = fs_begins(at, before);
    const size_t used = s->out.used;
    const char *end = fs_begins(at, "<path ") || filled ? strchr(at, '>') : NULL,
               *d = end == NULL ? NULL : strstr(at, filled ? between : " d='");
    if (d == NULL || d > end ||
        (filled && memchr(at + strlen(before), '\'', (size_t)(d - at) - strlen(before))))
        return NULL;
    if (filled)
        fs_page_text_print(&s->out, "<path fill='%.*s' d='", (int)(d - at - (long)strlen(before)),
                           at + strlen(before));
    else
        fs_page_text_add(&s->out, at, (size_t)(d + 4 - at));
    at = along(s, d + (filled ? strlen(between) : 4));
    if (fs_begins(at, "'/>")) {
        add(s, filled ? "z'/>" : "'/>");
        return at + 3;
    }
    s->out.used = used;
    s->out.text[used] = '\0';
    return NULL;
}

char *fs_page_svg_small(const char *svg) {
    small s = {0};
    for (const char *at = svg; *at != '\0';) {
        const size_t blank = strspn(at, " \t\n");
        if (blank > 0 && at[blank] == '<' && memchr(at, '\n', blank) != NULL) {
            at += blank; /* between two tags */
            continue;
        }
        const char *next = cell(&s, at);
        next = next == NULL ? label(&s, at) : next;
        if (next == NULL) {
            close_open(&s);
            next = path(&s, at);
        }
        if (next == NULL) {
            const size_t plain = 1 + strcspn(at + 1, "<\n");
            fs_page_text_add(&s.out, at, plain);
            next = at + plain;
        }
        at = next;
    }
    close_open(&s);
    return s.out.text;
}
