/* Tables of a sheet as HTML. */
#include "reports/sheet/sheet_private.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* A name, which may break between its words. */
static void put_name(fs_html *h, const char *name) {
    for (; *name != '\0'; name++)
        fs_html_put(h, "%s%s", (char[]){*name, '\0'},
                    (*name == '.' || *name == '_') && isalpha((unsigned char)name[1]) ? "\xe2\x80\x8b" : "");
}

static void put_heads(fs_html *h, const fs_rows *t) {
    fs_html_put(h, "<thead><tr>");
    for (size_t i = 0; i < t->columns; i++) {
        const fs_rows_column *c = &t->column[i];
        fs_html_put(h, "<th scope=\"col\" class=\"%s\"", c->number ? "number" : "text");
        if (c->hint != NULL)
            fs_html_put(h, " title=\"%s\"", c->hint);
        fs_html_put(h, ">");
        put_name(h, c->name);
        if (c->unit != NULL && c->unit[0] != '\0')
            fs_html_put(h, " <span class=\"unit\">%s</span>", c->unit);
        fs_html_put(h, "</th>");
    }
    fs_html_put(h, "</tr></thead>\n");
}

/* Classes of a cell, its tooltip, its value to sort by. */
static void put_begin(fs_html *h, const fs_cell_one *c) {
    static const char *const kind[] = {"", "number", "number bar", "stack", "strip", "thumb"};
    const char *own = kind[c->kind], *look = c->look == NULL ? "" : c->look;
    fs_html_put(h, c->head ? "<th scope=\"row\"" : "<td");
    if (own[0] != '\0' || look[0] != '\0')
        fs_html_put(h, " class=\"%s%s%s\"", own, own[0] != '\0' && look[0] != '\0' ? " " : "", look);
    if (!isnan(c->value))
        fs_html_put(h, " data-value=\"%.17g\"", c->value);
    if (c->hint != NULL)
        fs_html_put(h, " title=\"%s\"", c->hint);
    if (c->span > 1)
        fs_html_put(h, " colspan=\"%zu\"", c->span);
    if (c->shade > 0)
        fs_html_put(h, " style=\"--k:%.2f\"", c->shade);
    if (c->kind == FS_CELL_STACK) {
        fs_html_put(h, " title=\"");
        for (size_t i = 0; i < c->parts; i++)
            fs_html_put(h, "%s%s %.1f %%", i > 0 ? ", " : "", c->name[i], 100 * c->part[i]);
        fs_html_put(h, "\"");
    }
    fs_html_put(h, ">");
}

static void put_cell(fs_html *h, const fs_cell_one *c) {
    put_begin(h, c);
    switch (c->kind) {
    case FS_CELL_TEXT:
    case FS_CELL_NUMBER:
        fs_page_text_add(&h->out, c->text, strlen(c->text));
        break;
    case FS_CELL_BAR:
        fs_html_put(h, "<span class=\"bar-text\">");
        fs_page_text_add(&h->out, c->text, strlen(c->text));
        fs_html_put(h, "</span><span class=\"track\"><i class=\"%s\" style=\"width:%.2f%%\"></i></span>",
                    c->colour, 100 * c->part[0]);
        break;
    case FS_CELL_STACK:
        fs_html_put(h, "<span class=\"track\">");
        for (size_t i = 0; i < c->parts; i++)
            fs_html_put(h, "<i class=\"%s\" style=\"width:%.2f%%\"></i>", c->colours[i], 100 * c->part[i]);
        fs_html_put(h, "</span>");
        break;
    case FS_CELL_STRIP:
        fs_html_put(
            h,
            "<span><i style=\"left:%.2f%%;width:%.2f%%\"></i><em style=\"left:%.2f%%;width:%.2f%%\"></em>"
            "<b style=\"left:%.2f%%\"></b></span>",
            100 * c->part[0], 100 * (c->part[1] - c->part[0]), 100 * c->part[2],
            100 * (c->part[3] - c->part[2]), 100 * c->part[4]);
        break;
    case FS_CELL_PICTURE:
        if (c->png != NULL)
            fs_html_png(h, c->png, c->text);
        break;
    }
    fs_html_put(h, c->head ? "</th>" : "</td>");
}

static void put_row(fs_html *h, const fs_rows *t, const fs_rows_row *row) {
    if (row->group != NULL) {
        fs_html_put(h, "<tr class=\"group\"><th colspan=\"%zu\" scope=\"rowgroup\">", t->columns);
        fs_page_text_add(&h->out, row->group, strlen(row->group));
        fs_html_put(h, "</th></tr>\n");
        return;
    }
    fs_html_put(h, row->look != NULL ? "<tr class=\"%s\">" : "<tr>%s", row->look == NULL ? "" : row->look);
    for (const fs_cell_one *c = row->first; c != NULL; c = c->next)
        put_cell(h, c);
    fs_html_put(h, "</tr>\n");
}

void fs_html_table(fs_html *h, const fs_rows *t) {
    bool foot = false;
    if (t->filter != NULL)
        fs_html_put(h,
                    "<div class=\"filterable\" id=\"%s\" data-noun=\"%s\" data-select=\"%zu\" "
                    "data-state=\"%zu\">\n",
                    t->filter, t->noun, t->selectable, t->state);
    fs_html_put(h, "<div class=\"scroll\" tabindex=\"0\"><table>\n");
    if (t->caption != NULL)
        fs_html_put(h, "<caption><span>%s</span></caption>\n", t->caption);
    put_heads(h, t);
    fs_html_put(h, "<tbody>\n");
    for (const fs_rows_row *row = t->first; row != NULL; row = row->next) {
        if (row->foot && !foot)
            fs_html_put(h, "</tbody>\n<tfoot>\n");
        foot |= row->foot;
        put_row(h, t, row);
    }
    fs_html_put(h, foot ? "</tfoot></table></div>\n" : "</tbody></table></div>\n");
    if (t->filter != NULL)
        fs_html_put(h, "</div>\n");
}
