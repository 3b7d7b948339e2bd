/* Pictures by gnuplot: scripts beside their data, several processes at a time. */
#include "reports/plot/plot.h"
#include "sim/base/alloc.h"
#include "sim/host/file.h"
#include "sim/host/process.h"

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

fs_status fs_plot_draw(const char *folder, const char *const *names, size_t count, unsigned formats,
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
            if ((formats & c->format) == 0)
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
