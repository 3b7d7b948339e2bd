#define _GNU_SOURCE /* dladdr1 */
/* Where what belongs to the program lies. */
#include "sim/host/places.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = PATH_MAX, PLACES = 4 };
typedef char place_text[PATH_BYTES + 32]; /* a path and a name of ours behind it */

/* The library that this code is in, by whatever program it was loaded. False: it is the program's own. */
static bool own_library(char path[PATH_BYTES]) {
    Dl_info info;
    struct link_map *map = NULL;
    return dladdr1((void *)(uintptr_t)own_library, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 &&
           map != NULL && map->l_name[0] != '\0' && realpath(map->l_name, path) != NULL;
}

/* The file that this code is in. */
static void own_file(char path[PATH_BYTES]) {
    if (own_library(path))
        return;
    const ssize_t length = readlink("/proc/self/exe", path, PATH_BYTES - 1);
    path[length > 0 ? length : 0] = '\0';
}

const char *fs_executable_dir(void) {
    static _Thread_local char dir[PATH_BYTES];
    if (dir[0] != '\0')
        return dir;
    own_file(dir);
    char *slash = strrchr(dir, '/');
    if (slash == NULL)
        strcpy(dir, ".");
    else
        slash[slash == dir] = '\0';
    return dir;
}

/* What nobody named may be anybody's where the folder above is /tmp: it is taken if it belongs to root, to
 * whom this program belongs, or to who runs it. */
static bool is_trusted(const char *path, bool folder) {
    struct stat it, own;
    char file[PATH_BYTES];
    own_file(file);
    return stat(path, &it) == 0 && (folder ? S_ISDIR(it.st_mode) : S_ISREG(it.st_mode)) &&
           (it.st_uid == 0 || it.st_uid == geteuid() || (stat(file, &own) == 0 && it.st_uid == own.st_uid));
}

static bool is_folder(const char *path, const char *name) {
    char whole[PATH_BYTES + 48];
    struct stat it;
    int length = snprintf(whole, sizeof whole, "%s/%s", path, name);
    return length > 0 && (size_t)length < sizeof whole && stat(whole, &it) == 0 && S_ISDIR(it.st_mode);
}

static bool has_data(const char *path) {
    return is_folder(path, "configs") && is_folder(path, "reports");
}

/* The places that nobody named, without ".." in paths that are printed; how many. A library may lie one folder deeper
 * than a program does. */
static size_t own_places(place_text places[PLACES]) {
    char above[PATH_BYTES];
    const size_t floors = own_library(above) ? PLACES / 2 : 1;
    snprintf(above, sizeof above, "%s", fs_executable_dir());
    for (size_t i = 0; i < floors; i++) {
        char *slash = strrchr(above, '/');
        if (slash != NULL)
            *slash = '\0';
        snprintf(places[2 * i], sizeof places[0], "%s/share/foamsim", above);
        snprintf(places[2 * i + 1], sizeof places[1], "%s", above[0] == '\0' ? "/" : above);
    }
    return 2 * floors;
}

static const char *named_place(void) {
    const char *named = getenv("FOAMSIM_DATA");
    return named != NULL && named[0] != '\0' ? named : NULL;
}

/* The data's folder; where there are none the one in which a build would have them. */
static const char *data_dir(void) {
    static _Thread_local place_text found;
    const char *named = named_place();
    if (named != NULL)
        return named;
    if (found[0] != '\0')
        return found;
    place_text places[PLACES];
    const size_t count = own_places(places);
    size_t i = 0;
    while (i + 1 < count && !(has_data(places[i]) && is_trusted(places[i], true)))
        i++;
    memcpy(found, places[i], sizeof found);
    return found;
}

/* What these named was one folder each; whoever still sets them means other data than would be read. */
static fs_status check_old_names(fs_error *err) {
    static const char *const old[] = {"FOAMSIM_CONFIGS", "FOAMSIM_REPORTS"};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (getenv(old[i]) != NULL)
            return fs_fail(err, FS_INPUT,
                           "%s is not read any more: FOAMSIM_DATA names the folder that holds configs/ and "
                           "reports/",
                           old[i]);
    return FS_OK;
}

fs_status fs_data_check(fs_error *err) {
    if (check_old_names(err))
        return err->status;
    const char *named = named_place();
    if (named != NULL)
        return has_data(named)
                   ? FS_OK
                   : fs_fail(err, FS_INPUT,
                             "FOAMSIM_DATA=%s: expected a folder with configs/ and reports/ in it", named);
    const char *dir = data_dir();
    if (has_data(dir) && is_trusted(dir, true))
        return FS_OK;
    place_text places[PLACES];
    const size_t count = own_places(places);
    return fs_fail(
        err, FS_INPUT,
        "no data: looked for configs/ and reports/ in %s and in %s (of root, of this program's owner or "
        "yours)\n$FOAMSIM_DATA names another folder that holds them",
        places[count - 2], places[count - 1]);
}

static const char *folder_of_data(place_text out, const char *name) {
    const char *dir = data_dir();
    snprintf(out, sizeof(place_text), "%s%s%s", dir, strcmp(dir, "/") == 0 ? "" : "/", name);
    return out;
}

const char *fs_configs_dir(void) {
    static _Thread_local place_text dir;
    return folder_of_data(dir, "configs");
}

const char *fs_reports_dir(void) {
    static _Thread_local place_text dir;
    return folder_of_data(dir, "reports");
}

bool fs_helper_find(const char *name, char *path, size_t size) {
    static const char *const places[] = {"",        "/../libexec/foamsim", "/..", "/../..", "/../../..",
                                         "/../bin", "/../../bin"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int length = snprintf(path, size, "%s%s/%s", fs_executable_dir(), places[i], name);
        if (length > 0 && (size_t)length < size && access(path, X_OK) == 0 &&
            (i == 0 || is_trusted(path, false)))
            return true;
    }
    return false;
}

const char *fs_default_cache_dir(void) {
    static _Thread_local place_text dir;
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    /* The rule of XDG: a relative one is not valid. Nor is a home, or a cache would lie wherever one stands. */
    if (base != NULL && base[0] == '/')
        snprintf(dir, sizeof dir, "%s/foamsim", base);
    else if (home != NULL && home[0] == '/')
        snprintf(dir, sizeof dir, "%s/.cache/foamsim", home);
    else
        return NULL;
    return dir;
}
