/* The phases of a device's time: constant data. */
#include "reports/read/run_folder.h"

#include <string.h>

const fs_time_phase fs_time_phases[FS_TIME_PHASES] = {{"device.cycles_compute", "compute", "compute"},
                                                      {"device.cycles_exchange", "exchange", "exchange"},
                                                      {"device.cycles_sync", "sync", "barriers"},
                                                      {"device.cycles_host", "host", "host visits"}};

const char *fs_time_takes(const char *words) {
    const size_t length = strlen(words);
    return length > 0 && words[length - 1] == 's' ? "take" : "takes";
}
