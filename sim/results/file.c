#include "sim/results/private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

FILE *fs_file_open(const char *path, fs_error *err) {
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(errno));
    return file;
}

fs_status fs_file_finish(FILE *file, const char *path, fs_error *err) {
    int failed_before = ferror(file), reason = 0;
    if (fflush(file) != 0 || fsync(fileno(file)) != 0)
        reason = errno;
    if (fclose(file) != 0 && reason == 0)
        reason = errno;
    if (reason != 0)
        return fs_fail(err, FS_IO, "%s: cannot write: %s", path, strerror(reason));
    if (failed_before) /* the reason is long gone, but what is missing stays missing */
        return fs_fail(err, FS_IO, "%s: cannot write: not everything reached the disk", path);
    return FS_OK;
}
