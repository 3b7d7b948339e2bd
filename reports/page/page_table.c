/* Tables of a page: heads, rows, cells and bars. */
#include "reports/page/page_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void fs_page_table(fs_page *page, const char *caption, const fs_page_column *columns, size_t count) {
    fs_page_put(page, "<div class=\"scroll\" tabindex=\"0\"><table>\n");
    if (caption != NULL)
        fs_page_put(page, "<caption><span>%s</span></caption>\n", caption);
    fs_page_put(page, "<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        const fs_page_column *c = &columns[i];
        fs_page_put(page, "<th scope=\"col\" class=\"%s\"", c->number ? "number" : "text");
        if (c->hint != NULL)
            fs_page_put(page, " title=\"%s\"", c->hint);
        fs_page_put(page, ">%s", c->name);
        if (c->unit != NULL && c->unit[0] != '\0')
            fs_page_put(page, " <span class=\"unit\">%s</span>", c->unit);
        fs_page_put(page, "</th>");
    }
    fs_page_put(page, "</tr></thead>\n<tbody>\n");
    page->in_row = false;
}

void fs_page_heads(fs_page *page, const char *caption, ...) {
    enum { MOST = 16, BYTES = 256 };
    fs_page_column columns[MOST];
    char text[MOST][BYTES];
    size_t count = 0;
    va_list args;
    va_start(args, caption);
    for (const char *head; (head = va_arg(args, const char *)) != NULL; count++) {
        FS_ASSERT(count < MOST && strlen(head) < BYTES, "heads of a table: %s", head);
        const bool number = head[0] == '#';
        char *name = strcpy(text[count], head + number), *hint = strchr(name, '|'),
             *unit = strstr(name, " [");
        columns[count] = (fs_page_column){.name = name, .number = number};
        if (hint != NULL) {
            *hint = '\0';
            columns[count].hint = hint + 1;
        }
        if (unit != NULL && (hint == NULL || unit < hint)) {
            *unit = unit[strlen(unit) - 1] = '\0';
            columns[count].unit = unit + 2;
        }
    }
    va_end(args);
    fs_page_table(page, caption, columns, count);
}

void fs_page_row(fs_page *page) {
    fs_page_put(page, page->in_row ? "</tr>\n<tr>" : "<tr>");
    page->in_row = true;
}

void fs_page_group(fs_page *page, const char *title, size_t columns) {
    fs_page_put(page, page->in_row ? "</tr>\n<tr class=\"group\">" : "<tr class=\"group\">");
    fs_page_put(page, "<th colspan=\"%zu\" scope=\"rowgroup\">%s</th>", columns, title);
    page->in_row = true;
}

void fs_page_cell(fs_page *page, const char *text) {
    fs_page_put(page, "<td>%s</td>", text);
}

void fs_page_cell_number(fs_page *page, const char *text, double value) {
    if (isnan(value))
        fs_page_put(page, "<td class=\"number\">" FS_NO_NUMBER "</td>");
    else
        fs_page_put(page, "<td class=\"number\" data-value=\"%.17g\">%s</td>", value, text);
}

void fs_page_cell_bar(fs_page *page, const char *text, double value, double full, const char *colour) {
    if (isnan(value)) {
        fs_page_cell_number(page, text, value);
        return;
    }
    double share = full > 0 && value > 0 ? 100 * value / full : 0;
    fs_page_put(page,
                "<td class=\"number bar\" data-value=\"%.17g\"><span class=\"bar-text\">%s</span><span "
                "class=\"track\"><i "
                "class=\"%s\" style=\"width:%.2f%%\"></i></span></td>",
                value, text, colour, share > 100 ? 100 : share);
}

void fs_page_cell_stack(fs_page *page, const double *shares, const char *const *names,
                        const char *const *colours, size_t count) {
    fs_page_put(page, "<td class=\"stack\" data-value=\"%.17g\" title=\"", count > 0 ? shares[0] : 0);
    for (size_t i = 0; i < count; i++)
        fs_page_put(page, "%s%s %.1f %%", i > 0 ? ", " : "", names[i], 100 * shares[i]);
    fs_page_put(page, "\"><span class=\"track\">");
    for (size_t i = 0; i < count; i++)
        fs_page_put(page, "<i class=\"%s\" style=\"width:%.2f%%\"></i>", colours[i], 100 * shares[i]);
    fs_page_put(page, "</span></td>");
}

void fs_page_table_foot(fs_page *page) {
    fs_page_put(page, page->in_row ? "</tr>\n</tbody>\n<tfoot>\n" : "</tbody>\n<tfoot>\n");
    page->in_row = false;
    page->in_foot = true;
}

void fs_page_table_end(fs_page *page) {
    if (page->in_row)
        fs_page_put(page, "</tr>\n");
    fs_page_put(page, page->in_foot ? "</tfoot></table></div>\n" : "</tbody></table></div>\n");
    page->in_row = page->in_foot = false;
}
