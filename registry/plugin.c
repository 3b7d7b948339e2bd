#define _XOPEN_SOURCE 700 /* realpath */
/* Plug-ins are loaded here and nowhere else: docs/security.md. */
#include "registry/plugin.h"
#include "registry/registry.h"
#include "sim/base/digest.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };
static const char variable[] = "FOAMSIM_PLUGINS";

static struct {
    char path[PATH_MAX];
    char digest[FS_DIGEST_HEX];
} loaded[MOST];
static size_t count;

/* What both were compiled for. */
static fs_status check(const fs_plugin *plugin, const char *file, fs_error *err) {
    const struct {
        const char *name;
        int theirs, ours;
    } numbers[] = {{"plug-ins", plugin->abi, FS_PLUGIN_ABI},
                   {"overlays", plugin->overlay_abi, FS_OVERLAY_ABI},
                   {"workloads", plugin->workload_abi, FS_ABI}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].theirs != numbers[i].ours)
            return fs_fail(
                err, FS_INPUT,
                "%s: compiled for ABI %d of %s, this foamsim has %d: compile it again with its headers", file,
                numbers[i].theirs, numbers[i].name, numbers[i].ours);
        if (i == 0 && strcmp(plugin->version, FS_VERSION) != 0)
            return fs_fail(err, FS_INPUT,
                           "%s: compiled for foamsim %s, this is %s: compile it again with its headers", file,
                           plugin->version, FS_VERSION);
    }
    return FS_OK;
}

static fs_status load(const char *file, const char *path, const char *digest, fs_error *err) {
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL)
        return fs_fail(err, FS_INPUT, "%s: no plug-in that can be loaded: %s", file, dlerror());
    const fs_plugin *plugin = dlsym(object, "foamsim_plugin");
    if (plugin == NULL)
        return fs_fail(err, FS_INPUT, "%s: no plug-in of foamsim: it has no FS_PLUGIN (registry/plugin.h)",
                       file);
    return check(plugin, file, err) ? err->status : fs_registry_extend(plugin, file, digest, err);
}

/* Processes that this one starts load what this one has. */
static fs_status pass_on(fs_error *err) {
    static char all[MOST * (PATH_MAX + 1)];
    char *at = all;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(loaded[i].path);
        memcpy(at, loaded[i].path, length);
        at[length] = i + 1 < count ? ':' : '\0';
        at += length + 1;
    }
    return setenv(variable, all, 1) == 0 ? FS_OK : fs_fail(err, FS_MEMORY, "no room for $%s", variable);
}

static fs_status take(const char *file, fs_error *err) {
    char path[PATH_MAX];
    if (realpath(file, path) == NULL)
        return fs_fail(err, FS_INPUT, "--plugin %s: %s", file, strerror(errno));
    for (size_t i = 0; i < count; i++)
        if (strcmp(loaded[i].path, path) == 0)
            return FS_OK;
    if (strchr(path, ':') != NULL)
        return fs_fail(err, FS_INPUT, "--plugin %s: expected a path without \":\"", file);
    if (count == MOST)
        return fs_fail(err, FS_INPUT, "--plugin %s: expected at most %d plug-ins", file, MOST);
    if (fs_digest_file(path, loaded[count].digest, err) || load(file, path, loaded[count].digest, err))
        return err->status;
    memcpy(loaded[count++].path, path, sizeof path);
    return FS_OK;
}

fs_status fs_registry_load(const char *file, fs_error *err) {
    return take(file, err) ? err->status : pass_on(err);
}

fs_status fs_registry_load_named(fs_error *err) {
    const char *text = getenv(variable);
    char one[PATH_MAX];
    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, ":");
        snprintf(one, sizeof one, "%.*s", (int)length, text);
        if (one[0] != '\0' && take(one, err))
            return err->status;
        text += length + (text[length] == ':');
    }
    return FS_OK;
}
