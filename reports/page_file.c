/* Files that pages are made from and written to. */
#include "reports/page_file.h"
#include "reports/page.h"
#include "sim/base/alloc.h"
#include "sim/cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

const char *fs_reports_dir(void) {
    static char dir[PATH_BYTES + 16];
    const char *named = getenv("FOAMSIM_REPORTS");
    if (named != NULL && named[0] != '\0')
        return named;
    if (dir[0] != '\0')
        return dir;
    struct stat info;
    snprintf(dir, sizeof dir, "%s", fs_program_dir());
    char *slash = strrchr(dir, '/'); /* beside the build folder, as configs/ is found */
    if (slash != NULL)
        strcpy(slash, "/reports"); /* dir has 16 bytes more than a path */
    if (slash == NULL || stat(dir, &info) != 0 || !S_ISDIR(info.st_mode))
        strcpy(dir, "reports");
    return dir;
}

char *fs_page_read(const char *path, size_t *bytes, fs_error *err) {
    FILE *file = fopen(path, "rb");
    fs_text text = {0};
    char block[1 << 16];
    if (file == NULL) {
        fs_fail(err, FS_IO, "%s: cannot read: %s", path, strerror(errno));
        return NULL;
    }
    fs_text_add(&text, "", 0);
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        fs_text_add(&text, block, got);
    int failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed != 0) {
        free(text.text);
        fs_fail(err, FS_IO, "%s: cannot read: %s", path, strerror(failed));
        return NULL;
    }
    if (bytes != NULL)
        *bytes = text.used;
    return text.text;
}

fs_status fs_page_folder(const char *path, fs_error *err) {
    char part[PATH_BYTES];
    struct stat info;
    if (strlen(path) >= sizeof part)
        return fs_fail(err, FS_INPUT, "%s: the path is too long", path);
    strcpy(part, path);
    for (char *slash = strchr(part + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(part, 0777) != 0 && (errno != EEXIST || stat(part, &info) != 0 || !S_ISDIR(info.st_mode)))
            return fs_fail(err, FS_IO, "%s: cannot make the folder: %s", part, strerror(errno));
        if (slash == NULL)
            return FS_OK;
        *slash = '/';
    }
}

fs_status fs_page_save(const char *path, const char *text, size_t bytes, fs_error *err) {
    char aside[PATH_BYTES + 16];
    const char *slash = strrchr(path, '/');
    if (strlen(path) >= PATH_BYTES)
        return fs_fail(err, FS_INPUT, "%s: the path is too long", path);
    if (slash != NULL && slash != path) {
        snprintf(aside, sizeof aside, "%.*s", (int)(slash - path), path);
        if (fs_page_folder(aside, err) != FS_OK)
            return err->status;
    }
    snprintf(aside, sizeof aside, "%s.partial", path);
    FILE *file = fopen(aside, "wb");
    if (file == NULL)
        return fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(errno));
    bool whole = fwrite(text, 1, bytes, file) == bytes;
    int reason = errno;
    if (fclose(file) != 0 && whole) {
        whole = false;
        reason = errno;
    }
    if (whole && rename(aside, path) != 0) {
        whole = false;
        reason = errno;
    }
    if (whole)
        return FS_OK;
    unlink(aside);
    return fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(reason));
}
