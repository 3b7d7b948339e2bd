/* The phases of a device's time, for pages of runs whose folder or store says nothing of them itself: the one list
 * of them in reports. Where a folder has a page's plan, its first series names them. */
#ifndef FOAMSIM_REPORTS_READ_PHASES_H
#define FOAMSIM_REPORTS_READ_PHASES_H

typedef struct fs_time_phase {
    const char *figure; /* "device.cycles_host" */
    const char *name;   /* "host": a name of page.css too */
    const char *words;  /* "host visits": on pages and in sentences */
} fs_time_phase;

enum { FS_TIME_PHASES = 4 };
extern const fs_time_phase fs_time_phases[FS_TIME_PHASES];

/* The verb of "... 5 % of the time": "barriers take", "compute takes". */
const char *fs_time_takes(const char *words);

#endif
