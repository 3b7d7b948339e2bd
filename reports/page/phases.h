/* The phases of a device's time, for pages of runs whose folder or store says nothing of them itself: the one list
 * of them in reports. Where a folder has a page's plan, its first series names them. */
#ifndef FOAMSIM_REPORTS_PAGE_PHASES_H
#define FOAMSIM_REPORTS_PAGE_PHASES_H

typedef struct fs_page_phase {
    const char *figure; /* "device.cycles_host" */
    const char *name;   /* "host": a name of page.css too */
    const char *words;  /* "host visits": on pages and in sentences */
} fs_page_phase;

enum { FS_PAGE_PHASES = 4 };
extern const fs_page_phase fs_page_phases[FS_PAGE_PHASES];

/* The verb of "... 5 % of the time": "barriers take", "compute takes". */
const char *fs_page_takes(const char *words);

#endif
