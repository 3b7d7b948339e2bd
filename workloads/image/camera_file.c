/* Camera files: which kind it is, and what they share. */
#include "workloads/image/camera_file.h"

#include "sim/host/file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

char *fs_cameras_bytes(const char *path, fs_arena *arena, size_t *size, fs_error *err) {
    enum { MOST = 1000000000 };
    struct stat about;
    FILE *in = fs_file_regular(path);
    if (in == NULL || fstat(fileno(in), &about) != 0 || about.st_size > MOST) {
        if (in == NULL)
            fs_fail(err, FS_INPUT, "%s: cannot be read: %s", path, fs_file_reason());
        else
            fs_fail(err, FS_INPUT, "%s: expected a file of at most 1 GB", path);
        if (in != NULL)
            fclose(in);
        return NULL;
    }
    char *bytes = FS_NEW(arena, char, (size_t)about.st_size + 1);
    *size = fread(bytes, 1, (size_t)about.st_size, in);
    fclose(in);
    bytes[*size] = '\0';
    return bytes;
}

fs_status fs_cameras_check(const fs_named_camera *camera, const char *where, fs_error *err) {
    fs_camera made;
    return fs_camera_make(&camera->params, where, &made, err);
}

fs_status fs_cameras_read(const char *path, fs_arena *arena, fs_camera_list *out, fs_error *err) {
    struct stat about;
    if (stat(path, &about) != 0)
        return fs_fail(err, FS_INPUT, "%s: cannot be read: %s", path, fs_file_reason());
    if (S_ISDIR(about.st_mode))
        return fs_cameras_colmap(path, arena, out, err);
    const char *ending = strrchr(path, '.');
    if (ending != NULL && strcmp(ending, ".json") == 0)
        return fs_cameras_transforms(path, arena, out, err);
    return fs_fail(err, FS_INPUT,
                   "%s: expected a folder with COLMAP's cameras and images, .txt or .bin, or a "
                   "transforms.json",
                   path);
}
