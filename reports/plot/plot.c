/* Pictures by gnuplot: scripts and data in a folder of our own, several processes at a time, then their files to
 * where they belong. */
#include "reports/plot/plot.h"
#include "reports/page/page_file.h"
#include "sim/host/file.h"
#include "sim/host/places.h"
#include "sim/host/process.h"
#include "sim/host/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4352, LONGEST = 200 /* bytes of a name */, MOST_WORDS = 4096, MOST_SECONDS = 120 };
static const double MOST_BYTES = 4e9; /* of gnuplot's memory */

typedef struct child {
    fs_process process;
    size_t plot;
    unsigned format;
} child;

static const char *const environment[] = {"LC_ALL=C.UTF-8", NULL};

/* ---- gnuplot ---- */

static const char *ending(unsigned format) {
    return format == FS_PLOT_SVG ? "svg" : "png";
}

/* The file of a picture: NAME.svg or NAME.png. */
static void picture_of(const child *c, const char *folder, const char *name, char *picture) {
    snprintf(picture, PATH_BYTES, "%s/%s.%s", folder, name, ending(c->format));
}

static fs_status begin(child *c, const char *folder, const char *name, fs_error *err) {
    char picture[PATH_BYTES], format[32], script[LONGEST + 8];
    picture_of(c, folder, name, picture);
    unlink(picture);
    snprintf(format, sizeof format, "format = '%s'", ending(c->format));
    snprintf(script, sizeof script, "%s.gp", name);
    const char *const argv[] = {"-d", "-e", format, script, NULL}; /* -d: nobody's ~/.gnuplot */
    const fs_process_plan plan = {.program = "gnuplot",
                                  .words = argv,
                                  .environment = environment,
                                  .folder = folder,
                                  .heard = true,
                                  .own_group = true,
                                  .alone = true,
                                  .memory_bytes = MOST_BYTES};
    return fs_process_start(&c->process, &plan, err);
}

static void finish(child *c, const char *folder, const char *name, fs_error *err) {
    char picture[PATH_BYTES];
    struct stat info;
    const fs_process_end end = fs_process_wait(&c->process, MOST_SECONDS);
    picture_of(c, folder, name, picture);
    if (end.status != 0 || stat(picture, &info) != 0 || info.st_size == 0) {
        fs_arena *arena = fs_arena_create();
        const char *sentence = fs_file_text(arena, c->process.err, MOST_WORDS);
        sentence += strspn(sentence, " \n");
        if (end.out_of_time)
            sentence = fs_arena_printf(arena, "it took more than %d s", MOST_SECONDS);
        else if (*sentence == '\0')
            sentence = end.signal != 0 ? fs_arena_printf(arena, "it was ended by signal %d", end.signal)
                                       : "it left no picture, and no word why; is the disk full?";
        fs_fail_also(err, FS_RUN, "%s.gp: gnuplot failed: %.*s", name, (int)strcspn(sentence, "\n"),
                     sentence);
        unlink(picture);
        fs_arena_free(arena);
    }
    fs_process_close(&c->process);
}

/* As many processes at a time as there are cores. */
static fs_status draw_all(const char *folder, const char *const *names, size_t count, unsigned forms,
                          fs_error *err) {
    enum { MOST = 16 };
    child running[MOST] = {{.plot = 0}};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores < 1 ? 1 : cores > MOST ? MOST : (size_t)cores, next = 0, alive = 0;
    if (strlen(folder) + LONGEST + 16 >= PATH_BYTES)
        return fs_fail(err, FS_INPUT, "%s: the path is too long", folder);
    for (size_t first = 0; next < 2 * count || alive > 0;) {
        if (next < 2 * count && alive < most) { /* job 2 i is the SVG of plot i, 2 i + 1 its PNG */
            child *c = &running[(first + alive) % MOST];
            *c = (child){.plot = next / 2, .format = next % 2 == 0 ? FS_PLOT_SVG : FS_PLOT_PNG};
            next++;
            if ((forms & c->format) == 0)
                continue;
            if (begin(c, folder, names[c->plot], err) != FS_OK)
                next = 2 * count; /* the ones under way still end */
            else
                alive++;
            continue;
        }
        finish(&running[first], folder, names[running[first].plot], err);
        first = (first + 1) % MOST;
        alive--;
    }
    return err->status;
}

/* ---- where pictures belong ---- */

const char *fs_plot_beside(fs_arena *arena, const char *page) {
    const size_t n = strlen(page);
    const bool html = n > 5 && strcmp(page + n - 5, ".html") == 0;
    return fs_arena_printf(arena, "%.*s_pictures", (int)(html ? n - 5 : n), page);
}

fs_status fs_plot_target(const char *target, fs_error *err) {
    struct stat info;
    if (lstat(target, &info) != 0 || S_ISDIR(info.st_mode))
        return FS_OK;
    return fs_fail(err, FS_INPUT, "%s is %s; pictures go to a folder of that name: move it away", target,
                   S_ISLNK(info.st_mode) ? "a link" : "a file");
}

/* Files of `from` whose names end so ("": all), to `to`: written aside and renamed, through no link. */
static fs_status copy_files(fs_arena *arena, const char *from, const char *to, const char *ending,
                            fs_error *err) {
    DIR *dir = opendir(from);
    if (dir == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", from, strerror(errno));
    for (struct dirent *e; err->status == FS_OK && (e = readdir(dir)) != NULL;) {
        const size_t n = strlen(e->d_name), m = strlen(ending);
        size_t bytes = 0;
        if (e->d_name[0] == '.' || n < m || strcmp(e->d_name + n - m, ending) != 0)
            continue;
        char *file = fs_page_read(fs_arena_printf(arena, "%s/%s", from, e->d_name), &bytes, err);
        if (file != NULL)
            fs_file_write(fs_arena_printf(arena, "%s/%s", to, e->d_name), file, bytes, FS_LIGHT, err);
        free(file);
    }
    closedir(dir);
    return err->status;
}

fs_status fs_plot_draw(const char *target, const char *const *names, size_t count, unsigned forms,
                       fs_status (*write)(void *self, const char *folder, fs_error *err), void *self,
                       fs_error *err) {
    if (!fs_process_in_path("gnuplot"))
        return fs_fail(err, FS_INPUT, "gnuplot is not installed (Debian: gnuplot-nox); the plots need it");
    fs_arena *arena = fs_arena_create();
    fs_scratch scratch = {.path = NULL};
    const char *scripts = fs_arena_printf(arena, "%s/plot", fs_reports_dir());
    if (fs_plot_target(target, err) == FS_OK && fs_scratch_make(arena, &scratch, err) == FS_OK &&
        copy_files(arena, scripts, scratch.path, ".gp", err) == FS_OK &&
        write(self, scratch.path, err) == FS_OK &&
        draw_all(scratch.path, names, count, forms, err) == FS_OK && fs_plot_target(target, err) == FS_OK)
        copy_files(arena, scratch.path, target, "", err);
    fs_scratch_remove(&scratch);
    fs_arena_free(arena);
    return err->status;
}

fs_status fs_plot_once(const char *target, const char *name,
                       fs_status (*write)(void *self, const char *folder, fs_error *err), void *self,
                       fs_error *err) {
    return fs_plot_draw(target, &name, 1, FS_PLOT_PNG, write, self, err);
}
