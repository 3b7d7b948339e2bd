/* Pictures by gnuplot: scripts and data in a folder of our own, several processes at a time, then their files to
 * where they belong. */
#include "reports/plot/plot.h"
#include "sim/host/children.h"
#include "sim/host/file.h"
#include "sim/host/places.h"
#include "sim/host/scratch.h"
#include "sim/yaml/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_SECONDS = 120, MOST_AT_ONCE = 16 };
static const double MOST_BYTES = 4e9; /* of gnuplot's memory */

/* ---- gnuplot ---- */

/* NAME.svg or NAME.png in the folder by NAME.gp there; -d: nobody's ~/.gnuplot. */
static fs_child child_of(fs_arena *arena, const char *folder, const char *name, const char *ending) {
    const char **words = FS_NEW(arena, const char *, 5);
    words[0] = "-d";
    words[1] = "-e";
    words[2] = fs_arena_printf(arena, "format = '%s'", ending);
    words[3] = fs_arena_printf(arena, "%s.gp", name);
    const fs_child child = {.label = fs_arena_printf(arena, "%s/%s.%s", folder, name, ending),
                            .words = words};
    unlink(child.label);
    return child;
}

static void check_picture(fs_arena *arena, const fs_child *c, fs_error *err) {
    struct stat info;
    if (c->status == FS_OK && !c->out_of_time && stat(c->label, &info) == 0 && info.st_size > 0)
        return;
    const char *sentence = c->words_said + strspn(c->words_said, " \n");
    if (c->out_of_time)
        sentence = fs_arena_printf(arena, "it took more than %d s", MOST_SECONDS);
    else if (*sentence == '\0')
        sentence = "it left no picture, and no word why; is the disk full?";
    fs_fail_also(err, FS_RUN, "%s: gnuplot failed: %.*s", c->words[3], (int)strcspn(sentence, "\n"),
                 sentence);
    unlink(c->label);
}

/* As many processes at a time as there are cores. */
static fs_status draw_all(fs_arena *arena, const char *folder, const char *const *names, size_t count,
                          unsigned forms, fs_error *err) {
    static const char *const environment[] = {"LC_ALL=C.UTF-8", NULL};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    fs_children all = {.child = FS_NEW(arena, fs_child, 2 * count + 1),
                       .plan = {.program = "gnuplot",
                                .environment = environment,
                                .folder = folder,
                                .alone = true,
                                .memory_bytes = MOST_BYTES},
                       .jobs = cores < 1              ? 1
                               : cores > MOST_AT_ONCE ? MOST_AT_ONCE
                                                      : (int)cores,
                       .keep_going = true,
                       .most_seconds = MOST_SECONDS};
    for (size_t i = 0; i < count; i++) {
        if ((forms & FS_PLOT_SVG) != 0)
            all.child[all.count++] = child_of(arena, folder, names[i], "svg");
        if ((forms & FS_PLOT_PNG) != 0)
            all.child[all.count++] = child_of(arena, folder, names[i], "png");
    }
    if (fs_children_run(&all, arena, err))
        return err->status;
    for (size_t i = 0; i < all.count; i++)
        check_picture(arena, &all.child[i], err);
    return err->status;
}

/* ---- where pictures belong ---- */

const char *fs_plot_beside(fs_arena *arena, const char *page) {
    return fs_arena_printf(arena, "%s_pictures", fs_path_without(arena, page, ".html"));
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
    const char *const *name = fs_dir_names(arena, from);
    if (name == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", from, strerror(errno));
    for (; err->status == FS_OK && *name != NULL; name++) {
        size_t bytes = 0;
        if (!fs_path_ends(*name, ending))
            continue;
        char *file = fs_page_read(fs_arena_printf(arena, "%s/%s", from, *name), &bytes, err);
        if (file != NULL)
            fs_file_write(fs_arena_printf(arena, "%s/%s", to, *name), file, bytes, FS_LIGHT, err);
        free(file);
    }
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
        draw_all(arena, scratch.path, names, count, forms, err) == FS_OK &&
        fs_plot_target(target, err) == FS_OK)
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
