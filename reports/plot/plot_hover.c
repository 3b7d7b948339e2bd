/* What the panels of a picture show under the pointer. */
#include "reports/plot/plot.h"

#include <stdio.h>

void fs_plot_hover(fs_page *page, const char *id, const fs_plot *plot, int digits, fs_plot_show *show,
                   void *self) {
    json_t *panels = json_array();
    char name[160];
    for (size_t i = 0; i < plot->panels; i++) {
        const fs_plot_panel *p = &plot->panel[i];
        json_t *what = show(p, self);
        if (what != NULL)
            json_array_append_new(panels, json_pack("{s:[f,f,f,f], s:[f,f], s:[f,f], s:b, s:b, s:o}", "box",
                                                    p->left, p->top, p->right, p->bottom, "x", p->x_left,
                                                    p->x_right, "y", p->y_top, p->y_bottom, "logx", p->log_x,
                                                    "logy", p->log_y, "show", what));
    }
    snprintf(name, sizeof name, "%s-hover", id);
    if (json_array_size(panels) > 0)
        fs_page_json(page, name, digits, json_pack("{s:o}", "panels", panels));
    else
        json_decref(panels);
}
