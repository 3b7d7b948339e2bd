/* A sheet as Markdown. */
#include "reports/sheet/sheet.h"
#include "reports/sheet/sheet_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct markdown {
    const fs_sheet *sheet;
    const char *folder;
    fs_text out;
    size_t number; /* of the open list; 0: it has none */
} markdown;

/* The marks of HTML in those of Markdown; what is a mark there and none here is a letter. */
static const char *marks_of(fs_arena *arena, const char *marked) {
    static const char *const mark[][2] = {
        {"<b>", "**"},   {"</b>", "**"},  {"<code>", "`"}, {"</code>", "`"}, {"<br>", " "},
        {"&lt;", "\\<"}, {"&gt;", "\\>"}, {"&amp;", "&"},  {"&quot;", "\""}, {"&#39;", "'"}};
    fs_text text = {0};
    bool code = false;
    fs_page_text_add(&text, "", 0);
    for (const char *at = marked; *at != '\0';) {
        size_t i = 0;
        while (i < FS_COUNT(mark) && strncmp(at, mark[i][0], strlen(mark[i][0])) != 0)
            i++;
        if (i < FS_COUNT(mark)) {
            code = code ? strcmp(mark[i][0], "</code>") != 0 : strcmp(mark[i][0], "<code>") == 0;
            fs_page_text_add(&text, mark[i][1], strlen(mark[i][1]));
            at += strlen(mark[i][0]);
        } else if (*at == '<') /* another mark of a page */
            at += strcspn(at, ">") + 1;
        else {
            if (!code && strchr("\\`*_[]|#", *at) != NULL)
                fs_page_text_add(&text, "\\", 1);
            fs_page_text_add(&text, *at == '\n' ? " " : at, 1);
            at++;
        }
    }
    const char *out = fs_arena_strdup(arena, text.text);
    free(text.text);
    return out;
}

static void put_table(markdown *m, const fs_rows *t) {
    fs_arena *arena = m->sheet->arena;
    for (size_t k = 0; k < t->columns; k++) {
        const fs_rows_column *c = &t->column[k];
        const bool unit = c->unit != NULL && c->unit[0] != '\0';
        fs_page_text_print(&m->out, "%s%s%s%s |", k == 0 ? "| " : " ", c->name, unit ? ", " : "",
                           unit ? c->unit : "");
    }
    fs_page_text_print(&m->out, "\n");
    for (size_t k = 0; k < t->columns; k++)
        fs_page_text_print(&m->out, "%s%s |", k == 0 ? "| " : " ", t->column[k].number ? "---:" : "---");
    fs_page_text_print(&m->out, "\n");
    for (const fs_rows_row *row = t->first; row != NULL; row = row->next) {
        if (row->group != NULL)
            fs_page_text_print(&m->out, "| **%s** |", marks_of(arena, row->group));
        for (const fs_cell_one *c = row->first; c != NULL; c = c->next)
            fs_page_text_print(&m->out, "%s%s |", c == row->first ? "| " : " ", marks_of(arena, c->text));
        fs_page_text_print(&m->out, "\n");
    }
    fs_page_text_print(&m->out, "\n");
}

static const char *plain(markdown *m, const char *text) {
    return marks_of(m->sheet->arena, fs_marked_plain(m->sheet->arena, text));
}

static void put_chart(markdown *m, const fs_chart *c) {
    const char *title = plain(m, c->title);
    fs_page_text_print(&m->out, "**%s.** %s\n\n", title, plain(m, c->caption));
    if (m->folder != NULL)
        fs_page_text_print(&m->out, "![%s](%s/%s.png)\n\n", title, m->folder, c->id);
}

static void put_said(markdown *m, const fs_item *item) {
    const char *text = marks_of(m->sheet->arena, item->text);
    if (strcmp(item->look, "pre") == 0)
        fs_page_text_print(&m->out, "```\n%s\n```\n\n", fs_marked_text(m->sheet->arena, item->text));
    else if (strcmp(item->look, "h3") == 0)
        fs_page_text_print(&m->out, "### %s\n\n", text);
    else if (strcmp(item->look, "item") != 0)
        fs_page_text_print(&m->out, "%s\n\n", text);
    else if (m->number > 0)
        fs_page_text_print(&m->out, "%zu. %s\n", m->number++, text);
    else
        fs_page_text_print(&m->out, "- %s\n", text);
}

static void put_items(markdown *m, const fs_item *item) {
    for (; item != NULL; item = item->next) {
        switch (item->kind) {
        case FS_ITEM_SECTION:
            fs_page_text_print(&m->out, "## %s\n\n", item->text);
            break;
        case FS_ITEM_SAY:
            put_said(m, item);
            break;
        case FS_ITEM_MARKDOWN:
            fs_page_text_print(&m->out, "%s\n\n", item->text);
            break;
        case FS_ITEM_CARD:
            fs_page_text_print(&m->out, "- %s: %s%s%s\n", item->text, item->more,
                               item->last == NULL ? "" : ", ", item->last == NULL ? "" : item->last);
            break;
        case FS_ITEM_TABLE:
            put_table(m, item->table);
            break;
        case FS_ITEM_CHART:
            put_chart(m, item->chart);
            break;
        default:
            break;
        }
        if (item->kind == FS_ITEM_LIST)
            m->number = item->open;
        put_items(m, item->first);
        if (item->kind == FS_ITEM_LIST)
            fs_page_text_print(&m->out, "\n");
    }
}

char *fs_sheet_as_markdown(const fs_sheet *s, const char *folder) {
    markdown m = {.sheet = s, .folder = folder};
    fs_page_text_print(&m.out, "# %s\n\n", plain(&m, s->headline == NULL ? s->title : s->headline));
    put_items(&m, s->root.first);
    if (m.out.text[m.out.used - 2] == '\n') /* one end of a line ends a file */
        m.out.text[m.out.used - 1] = '\0';
    return m.out.text;
}
