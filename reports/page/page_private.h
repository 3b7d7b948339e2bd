/* Private to the files of reports/page: a page while it is built. */
#ifndef FOAMSIM_REPORTS_PAGE_PAGE_PRIVATE_H
#define FOAMSIM_REPORTS_PAGE_PAGE_PRIVATE_H

#include "reports/page/page.h"
#include "reports/page/page_file.h"

struct fs_page {
    char *title, *headline; /* headline: NULL, the title is it */
    unsigned reload;        /* seconds; 0: never */
    fs_text contents;       /* the list of sections */
    fs_text body;
    bool in_section, folded, in_row, in_foot, in_panel, chooses; /* folded: the open section is */
    size_t panels;                                               /* of the open choice */
    char choice[64];                                             /* its id */
};

#endif
