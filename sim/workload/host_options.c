/* Where program, configs and cache are on this host. */
#include "sim/workload/host_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static bool given(const char *text) {
    return text != NULL && text[0] != '\0';
}

const char *fs_program_dir(void) {
    static char dir[PATH_BYTES];
    if (dir[0] != '\0')
        return dir;
    ssize_t length = readlink("/proc/self/exe", dir, sizeof dir - 1);
    dir[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(dir, '/');
    if (slash == NULL)
        strcpy(dir, ".");
    else
        slash[slash == dir] = '\0';
    return dir;
}

const char *fs_configs_dir(void) {
    static char dir[PATH_BYTES + 16];
    const char *named = getenv("FOAMSIM_CONFIGS");
    if (given(named))
        return named;
    if (dir[0] != '\0')
        return dir;
    snprintf(dir, sizeof dir, "%s", fs_program_dir());
    char *slash = strrchr(dir, '/');
    /* Beside the build folder, without ".." in every path that is printed. Not where somebody stands: what is
     * called gc200 there may be anything. dir has 16 bytes more than a path. */
    strcpy(slash == NULL ? dir : slash, "/configs");
    return dir;
}

const char *fs_default_cache_dir(void) {
    static char dir[2 * PATH_BYTES];
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    /* The rule of XDG: a relative one is not valid. Nor is a home, or a cache would lie wherever one stands.
     */
    if (given(base) && base[0] == '/')
        snprintf(dir, sizeof dir, "%s/foamsim", base);
    else if (given(home) && home[0] == '/')
        snprintf(dir, sizeof dir, "%s/.cache/foamsim", home);
    else
        return NULL;
    return dir;
}
