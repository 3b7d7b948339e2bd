/* Where the cache is on this host. */
#include "sim/workload/host_options.h"

#include <stdio.h>
#include <stdlib.h>

enum { PATH_BYTES = 4096 };

static bool given(const char *text) {
    return text != NULL && text[0] != '\0';
}

const char *fs_default_cache_dir(void) {
    static char dir[2 * PATH_BYTES];
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    /* The rule of XDG: a relative one is not valid. Nor is a home, or a cache would lie wherever one stands. */
    if (given(base) && base[0] == '/')
        snprintf(dir, sizeof dir, "%s/foamsim", base);
    else if (given(home) && home[0] == '/')
        snprintf(dir, sizeof dir, "%s/.cache/foamsim", home);
    else
        return NULL;
    return dir;
}
