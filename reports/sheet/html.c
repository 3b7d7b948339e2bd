/* A sheet as one HTML file: structure, sentences, pictures, and the frame with style and script. */
#include "reports/sheet/sheet_private.h"
#include "sim/host/file.h"
#include "sim/host/places.h"

#include <stdlib.h>
#include <string.h>

void fs_html_put(fs_html *h, const char *format, ...) {
    FS_VARIADIC(args, format, fs_marked_add(&h->out, format, args));
}

/* A text that is marked already. */
static void put_marked(fs_html *h, const char *marked) {
    fs_page_text_add(&h->out, marked, strlen(marked));
}

/* ` name="value"`, unless that is NULL or "". */
static void put_attribute(fs_html *h, const char *name, const char *value) {
    if (value != NULL && value[0] != '\0')
        fs_html_put(h, " %s=\"%s\"", name, value);
}

/* ---- sentences ---- */

static void put_said(fs_html *h, const fs_item *item) {
    static const char *const own[][2] = {{"item", "li"}, {"pre", "pre"}, {"h3", "h3"}};
    const char *tag = "p", *look = item->look;
    for (size_t i = 0; i < FS_COUNT(own); i++)
        if (strcmp(own[i][0], item->look) == 0) {
            tag = own[i][1];
            look = NULL;
        }
    fs_html_put(h, "<%s", tag);
    put_attribute(h, "class", look);
    put_attribute(h, "id", item->id);
    put_marked(h, ">");
    put_marked(h, item->text);
    fs_html_put(h, "</%s>\n", tag);
}

static void put_card(fs_html *h, const fs_item *item) {
    fs_html_put(h, "<div class=\"card\"><span>%s</span><b>%s</b><span>%s</span></div>\n", item->text,
                item->more, item->last == NULL ? "" : item->last);
}

static void put_share(fs_html *h, const fs_item *item) {
    fs_html_put(h,
                "<div class=\"hbar\"><span>%s</span><span class=\"track\"><i class=\"%s\" "
                "style=\"width:%.2f%%\"></i></span><b>%s</b></div>\n",
                item->text, item->look, 100 * item->share, item->more);
}

void fs_html_json(fs_html *h, const char *id, const char *class, int digits, json_t *value) {
    char *json = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION((size_t)digits));
    fs_html_put(h, "<script type=\"application/json\"");
    put_attribute(h, "class", class);
    fs_html_put(h, " id=\"%s\">", id);
    for (const char *at = json; *at != '\0'; at++) /* no "</script" inside */
        fs_page_text_add(&h->out, *at == '<' ? "\\u003c" : at, *at == '<' ? 6 : 1);
    fs_html_put(h, "</script>\n");
    free(json);
}

/* ---- pictures ---- */

void fs_html_png(fs_html *h, const char *png, const char *alt) {
    fs_html_put(h, "<img alt=\"%s\" src=\"data:image/png;base64,", alt);
    put_marked(h, png);
    fs_html_put(h, "\">\n");
}

static void put_picture(fs_html *h, const fs_item *item) {
    const fs_sheet_picture *p = &item->picture;
    const bool figure = p->title != NULL || p->caption != NULL || p->id != NULL;
    if (figure) {
        fs_html_put(h, "<figure");
        put_attribute(h, "id", p->id);
        put_marked(h, ">");
        if (p->title != NULL)
            fs_html_put(h, "<h3>%s</h3>\n", p->title);
    }
    if (p->link != NULL)
        fs_html_put(h, "<a href=\"#%s\">", p->link);
    if (item->png != NULL)
        fs_html_png(h, item->png, p->alt);
    if (p->link != NULL)
        fs_html_put(h, "</a>");
    if (item->reduced && p->whole != NULL)
        fs_html_put(h,
                    p->whole[0] == '\0'
                        ? "<p class=\"note\">Reduced for this page: the run folder has the whole "
                          "picture.%s</p>\n"
                        : "<p class=\"note\">Reduced for this page: <a href=\"%s\">the whole "
                          "picture</a>.</p>\n",
                    p->whole);
    if (p->caption != NULL) {
        fs_html_put(h, "<figcaption>");
        put_marked(h, p->caption);
        fs_html_put(h, "</figcaption>");
    }
    put_marked(h, figure ? "</figure>\n" : "");
}

/* ---- structure ---- */

static void put_items(fs_html *h, const fs_item *first);

static void put_section(fs_html *h, const fs_item *item) {
    fs_html_put(h, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", item->id, item->id);
    if (item->more != NULL)
        fs_html_put(h, "<details class=\"fold\"><summary>\n");
    fs_html_put(h, "<h2 id=\"%s-title\">%s</h2>\n", item->id, item->text);
    if (item->more != NULL)
        fs_html_put(h, "<span class=\"inside\">%s</span></summary>\n", item->more);
    put_items(h, item->first);
    fs_html_put(h, item->more != NULL ? "</details>\n</section>\n" : "</section>\n");
}

/* Of a single panel there is nothing to choose. */
static void put_choice(fs_html *h, const fs_item *item) {
    size_t at = 0;
    if (item->first == NULL || item->first->next == NULL) {
        put_items(h, item->first == NULL ? NULL : item->first->first);
        return;
    }
    fs_html_put(h,
                "<div class=\"choice\" id=\"%s\">\n<div class=\"tabs\" role=\"tablist\" aria-label=\"%s\">\n",
                item->id, item->text);
    for (const fs_item *panel = item->first; panel != NULL; panel = panel->next, at++)
        fs_html_put(h,
                    "<button type=\"button\" role=\"tab\" id=\"%s-tab-%zu\" aria-controls=\"%s-panel-%zu\" "
                    "aria-selected=\"%s\" tabindex=\"%d\">%s</button>\n",
                    item->id, at, item->id, at, at == 0 ? "true" : "false", at == 0 ? 0 : -1, panel->text);
    fs_html_put(h, "</div>\n");
    at = 0;
    for (const fs_item *panel = item->first; panel != NULL; panel = panel->next, at++) {
        fs_html_put(h,
                    "<div role=\"tabpanel\" id=\"%s-panel-%zu\" aria-labelledby=\"%s-tab-%zu\" "
                    "data-label=\"%s\"%s>\n",
                    item->id, at, item->id, at, panel->text, at == 0 ? "" : " hidden");
        put_items(h, panel->first);
        fs_html_put(h, "</div>\n");
    }
    fs_html_put(h, "</div>\n");
}

static void put_held(fs_html *h, const fs_item *item) {
    const char *tag = item->kind == FS_ITEM_FOLD  ? "details"
                      : item->kind == FS_ITEM_BOX ? "div"
                      : item->open                ? "ol"
                                                  : "ul";
    fs_html_put(h, "<%s", tag);
    put_attribute(h, "class", item->look);
    put_attribute(h, "id", item->id);
    put_marked(h, item->kind == FS_ITEM_FOLD && item->open ? " open>" : ">");
    if (item->kind == FS_ITEM_FOLD) {
        fs_html_put(h, "<summary>");
        put_marked(h, item->text);
        fs_html_put(h, "</summary>");
    }
    fs_html_put(h, "\n");
    put_items(h, item->first);
    fs_html_put(h, "</%s>\n", tag);
}

static void put_item(fs_html *h, const fs_item *item) {
    switch (item->kind) {
    case FS_ITEM_SECTION:
        put_section(h, item);
        break;
    case FS_ITEM_FOLD:
    case FS_ITEM_BOX:
    case FS_ITEM_LIST:
        put_held(h, item);
        break;
    case FS_ITEM_CHOICE:
        put_choice(h, item);
        break;
    case FS_ITEM_PANEL:
        break; /* of its choice */
    case FS_ITEM_SAY:
        put_said(h, item);
        break;
    case FS_ITEM_MARKDOWN:
        fs_html_put(h, "<p>%s</p>\n", item->text);
        break;
    case FS_ITEM_CARD:
        put_card(h, item);
        break;
    case FS_ITEM_SHARE:
        put_share(h, item);
        break;
    case FS_ITEM_KEY:
        fs_html_put(h, "<span><i class=\"key %s\"></i>%s</span>\n", item->look, item->text);
        break;
    case FS_ITEM_JSON:
        fs_html_json(h, item->id, NULL, 6, item->json);
        break;
    case FS_ITEM_TABLE:
        fs_html_table(h, item->table);
        break;
    case FS_ITEM_CHART:
        fs_html_chart(h, item->chart);
        break;
    case FS_ITEM_SMALL:
        fs_html_small(h, item);
        break;
    case FS_ITEM_PICTURE:
        put_picture(h, item);
        break;
    case FS_ITEM_AGAIN:
        fs_html_put(h, "<img alt=\"%s\" data-copy=\"%s\">\n", item->text, item->id);
        break;
    }
}

static void put_items(fs_html *h, const fs_item *first) {
    for (const fs_item *item = first; item != NULL; item = item->next)
        put_item(h, item);
}

/* ---- the file ---- */

static void put_title(fs_html *h) {
    fs_html_put(h, "%s", h->sheet->title);
}

static void put_reload(fs_html *h) {
    if (h->sheet->reload > 0)
        fs_html_put(h, "<meta http-equiv=\"refresh\" content=\"%u\">\n", h->sheet->reload);
}

/* What stands above the contents: the title, or small above the verdict. */
static void put_head(fs_html *h) {
    const fs_sheet *s = h->sheet;
    if (s->headline != NULL)
        fs_html_put(h, "<p class=\"name\">%s</p>\n", s->title);
    fs_html_put(h, "<h1>%s</h1>", s->headline == NULL ? s->title : s->headline);
}

static void put_contents(fs_html *h) {
    for (const fs_item *item = h->sheet->root.first; item != NULL; item = item->next)
        if (item->kind == FS_ITEM_SECTION)
            fs_html_put(h, "<li><a href=\"#%s\">%s</a></li>\n", item->id, item->text);
}

/* Where the command of a picked point stands. */
static const char picked[] =
    "<div id=\"picked\" role=\"status\" hidden><span></span><code></code><button "
    "type=\"button\">copy</button> "
    "<button type=\"button\">tick to compare</button> <button type=\"button\">close</button></div>\n";

static void put_body(fs_html *h) {
    put_items(h, h->sheet->root.first);
    put_marked(h, h->sheet->points == NULL ? "" : picked);
    for (const fs_chart_points *points = h->sheet->points; points != NULL; points = points->before)
        fs_html_points(h, points);
}

/* A file of reports/sheet/page, without the blanks that its lines begin with. */
static void put_file(fs_html *h, const char *name) {
    char *text = fs_page_read(fs_arena_printf(h->sheet->arena, "%s/sheet/page/%s", fs_reports_dir(), name),
                              NULL, h->err);
    for (const char *line = text; line != NULL && *line != '\0';) {
        line += strspn(line, " ");
        const size_t n = strcspn(line, "\n");
        fs_page_text_add(&h->out, line, n + (line[n] != '\0'));
        line += n + (line[n] != '\0');
    }
    free(text);
}

static void put_style(fs_html *h) {
    put_file(h, "page.css");
}

/* Without charts there is none of what draws them. */
static void put_scripts(fs_html *h) {
    static const char *const name[] = {"page.js",    "values.js", "scale.js", "draw.js", "chart.js",
                                       "pointer.js", "points.js", "check.js", "tools.js"};
    enum { FIRST = 1, LAST = 6 }; /* of the charts' own */
    for (size_t i = 0; i < FS_COUNT(name) && h->err->status == FS_OK; i++)
        if (i < FIRST || i > LAST || h->charts > 0)
            put_file(h, name[i]);
}

/* page.html with its marks replaced. */
static void fill(fs_html *h, const char *pattern) {
    static const struct {
        const char *mark;
        void (*put)(fs_html *h);
    } marks[] = {{"{{title}}", put_title},      {"{{reload}}", put_reload}, {"{{head}}", put_head},
                 {"{{style}}", put_style},      {"{{body}}", put_body},     {"{{script}}", put_scripts},
                 {"{{contents}}", put_contents}};
    for (const char *at; h->err->status == FS_OK && (at = strstr(pattern, "{{")) != NULL;) {
        fs_page_text_add(&h->out, pattern, (size_t)(at - pattern));
        for (size_t i = 0; i < FS_COUNT(marks); i++)
            if (strncmp(at, marks[i].mark, strlen(marks[i].mark)) == 0)
                marks[i].put(h);
        pattern = strstr(at, "}}") + 2;
    }
    put_marked(h, pattern);
}

fs_status fs_sheet_write(fs_sheet *s, const char *path, fs_error *err) {
    fs_html h = {.sheet = s, .err = err};
    for (fs_values *v = s->values; v != NULL; v = v->before)
        v->place = 0;
    char *page =
        fs_page_read(fs_arena_printf(s->arena, "%s/sheet/page/page.html", fs_reports_dir()), NULL, err);
    if (page != NULL)
        fill(&h, page);
    if (err->status == FS_OK)
        fs_file_write(path, h.out.text, h.out.used, FS_LIGHT, err);
    for (size_t i = 0; i < h.values; i++)
        free(h.written[i].text);
    free(h.written);
    free(h.out.text);
    free(page);
    return err->status;
}
