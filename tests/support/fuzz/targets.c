#include "tests/support/fuzz/targets.h"

#include "sim/host/voice.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const fuzz_target fuzz_targets[] = {
    {"experiment", "experiments", fuzz_experiment},
    {"sweep", "sweeps", fuzz_sweep},
    {"space", "sweeps", fuzz_space},
    {"overlay", "overlays/networks", fuzz_overlay},
    {"case", "validation/cases", fuzz_case},
    {"program", "programs", fuzz_program},
    {"primitives", "", fuzz_primitives},
    {"trace", "", fuzz_trace},
    {"stamps", "", fuzz_stamps},
    {"joints", "", fuzz_joints},
    {"transfers", "", fuzz_transfers},
    {"booksim", "", fuzz_booksim},
    {"anynet", "", fuzz_anynet},
    {"netrace", "", fuzz_netrace},
    {"chakra", "", fuzz_chakra},
    {"prices", "", fuzz_prices},
    {"cameras", "", fuzz_cameras},
    {"foam", "", fuzz_foam},
    {"cloud", "", fuzz_cloud},
    {"mesh", "", fuzz_mesh},
    {"format", "", fuzz_format},
    {"raylist", "", fuzz_raylist},
    {"cache", "", fuzz_cache},
    {"entry", "", fuzz_entry},
    {"store", "", fuzz_store},
    {"rows", "", fuzz_rows},
    {"table", "", fuzz_table},
    {"manifest", "", fuzz_manifest},
    {"page", "", fuzz_page},
    {"archive", "", fuzz_archive},
    {"container", "", fuzz_container},
    {"rays", "", fuzz_rays},
    {"activity", "", fuzz_activity},
    {"requests", "", fuzz_requests},
    {"paint", "", fuzz_paint},
    {"paths", "", fuzz_paths},
    {"report", "", fuzz_report},
    {NULL, NULL, NULL},
};

const fuzz_target *fuzz_target_find(const char *name) {
    for (const fuzz_target *t = fuzz_targets; t->name != NULL; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* ---- scratch folder ---- */

static char folder[PATH_MAX];

static void remove_all(const char *below) {
    DIR *all = opendir(below);
    char path[2 * PATH_MAX];
    for (struct dirent *e; all != NULL && (e = readdir(all)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", below, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlink(path) != 0)
            remove_all(path);
    }
    if (all != NULL)
        closedir(all);
    rmdir(below);
}

static void remove_folder(void) {
    remove_all(folder);
}

const char *fuzz_path(const char *file) {
    enum { PATHS = 16 };
    static char path[PATHS][2 * PATH_MAX];
    static unsigned next;
    if (folder[0] == '\0') {
        const char *place = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/foamsim-fuzz-XXXXXX", place != NULL ? place : "/tmp");
        if (mkdtemp(folder) == NULL)
            abort();
        atexit(remove_folder);
        fs_say_quiet(true);
    }
    char *to = path[next++ % PATHS];
    snprintf(to, sizeof path[0], "%s/%s", folder, file);
    return to;
}

void fuzz_clear(const char *file) {
    remove_all(fuzz_path(file));
}

const char *fuzz_file(const char *file, const void *data, size_t size) {
    const char *path = fuzz_path(file);
    FILE *out = fopen(path, "wb");
    if (out == NULL || fwrite(data, 1, size, out) != size || fclose(out) != 0)
        abort();
    return path;
}

void fuzz_check(fs_status status, const fs_error *err) {
    if (status != err->status || (status == FS_OK) != (err->text[0] == '\0') || status == FS_BROKEN) {
        fprintf(stderr, "status %d, error %d: \"%s\"\n", (int)status, (int)err->status, err->text);
        abort();
    }
}
