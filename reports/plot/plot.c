/* Pictures by gnuplot: scripts beside their data, several processes at a time. */
#include "reports/plot/plot.h"
#include "reports/page/page_file.h"
#include "sim/base/alloc.h"
#include "sim/host/file.h"
#include "sim/host/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4352, MOST_WORDS = 4096, MOST_SECONDS = 120 };
static const double MOST_BYTES = 4e9; /* of gnuplot's memory */

typedef struct child {
    fs_process process;
    size_t plot;
    unsigned format;
} child;

static const char *const environment[] = {"LC_ALL=C.UTF-8", NULL};

/* ---- what a script says of its picture ---- */

/* Lines "title<TAB>...", "caption<TAB>...", "panel<TAB>name l t r b x0 x1 y0 y1 logx logy". */
static void read_words(const char *path, fs_plot *plot) {
    fs_error ignored = {0};
    double value[10];
    char *text = fs_page_read(path, NULL, &ignored), *rest = NULL;
    for (char *line = text == NULL ? NULL : strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char *tab = strchr(line, '\t');
        if (tab == NULL)
            continue;
        *tab++ = '\0';
        if (strcmp(line, "title") == 0)
            snprintf(plot->title, sizeof plot->title, "%s", tab);
        else if (strcmp(line, "caption") == 0)
            snprintf(plot->caption, sizeof plot->caption, "%s", tab);
        else if (strcmp(line, "panel") == 0 && plot->panels < FS_PLOT_PANELS) {
            size_t name = strcspn(tab, " ");
            if (name < FS_PLOT_NAME && fs_page_numbers(tab + name, value, 10) != NULL) {
                fs_plot_panel *p = &plot->panel[plot->panels++];
                *p = (fs_plot_panel){.left = value[0],
                                     .top = value[1],
                                     .right = value[2],
                                     .bottom = value[3],
                                     .x_left = value[4],
                                     .x_right = value[5],
                                     .y_bottom = value[6],
                                     .y_top = value[7],
                                     .log_x = value[8] > 0,
                                     .log_y = value[9] > 0};
                memcpy(p->name, tab, name);
            }
        }
    }
    free(text);
}

/* ---- gnuplot ---- */

static const char *ending(unsigned format) {
    return format == FS_PLOT_SVG ? "svg" : "png";
}

/* The file of a picture: NAME.svg or NAME.png. */
static void picture_of(const child *c, const char *folder, const char *name, char *picture) {
    snprintf(picture, PATH_BYTES, "%s/%s.%s", folder, name, ending(c->format));
}

static fs_status begin(child *c, const char *folder, const char *name, fs_error *err) {
    char picture[PATH_BYTES], format[32], script[FS_PLOT_NAME + 8];
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
                       fs_plot *plots, fs_error *err) {
    enum { MOST = 16 };
    child running[MOST] = {{.plot = 0}};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores < 1 ? 1 : cores > MOST ? MOST : (size_t)cores, next = 0, alive = 0;
    if (strlen(folder) + FS_PLOT_NAME + 16 >= PATH_BYTES)
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
    for (size_t i = 0; plots != NULL && i < count; i++) {
        char words[PATH_BYTES];
        memset(&plots[i], 0, sizeof plots[i]);
        snprintf(plots[i].name, sizeof plots[i].name, "%s", names[i]);
        snprintf(words, sizeof words, "%s/%s.words", folder, names[i]);
        read_words(words, &plots[i]);
    }
    return err->status;
}
