/* The phases of a device's time: constant data. */
#include "reports/page/phases.h"

const fs_page_phase fs_page_phases[FS_PAGE_PHASES] = {{"device.cycles_compute", "compute", "compute"},
                                                      {"device.cycles_exchange", "exchange", "exchange"},
                                                      {"device.cycles_sync", "sync", "sync"},
                                                      {"device.cycles_host", "host", "the host"}};
