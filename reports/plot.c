#include "reports/plot.h"
#include "reports/page.h"
#include "reports/page_file.h"
#include "sim/base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4352 };

/* ---- processes ---- */

typedef struct child {
    pid_t pid; /* 0: none */
    size_t plot;
    unsigned format;
} child;

/* Starts argv in `folder` with stdout and stderr in the file `words`. -1 and errno when the host cannot. */
static pid_t start(const char *folder, const char *words, char *const *argv) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    int out = open(words, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 || chdir(folder) != 0)
        _exit(126);
    setenv("LC_ALL", "C.UTF-8", 1);
    execvp(argv[0], argv);
    _exit(127);
}

static int wait_for(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static bool have_gnuplot(void) {
    const char *path = getenv("PATH");
    char file[PATH_BYTES];
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/gnuplot", (int)length, path);
        if (length > 0 && access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* ---- folders ---- */

static bool is_script(const char *name) {
    size_t length = strlen(name);
    return length > 3 && name[0] != '.' && strcmp(name + length - 3, ".gp") == 0;
}

fs_status fs_plot_scripts(const char *folder, fs_error *err) {
    if (!have_gnuplot())
        return fs_fail(err, FS_INPUT, "gnuplot is not installed (Debian: gnuplot-nox); the plots need it");
    if (fs_page_folder(folder, err) != FS_OK)
        return err->status;
    DIR *scripts = opendir(fs_reports_dir());
    if (scripts == NULL)
        return fs_fail(err, FS_IO, "%s: cannot read: %s", fs_reports_dir(), strerror(errno));
    fs_status status = FS_OK;
    for (struct dirent *entry; status == FS_OK && (entry = readdir(scripts)) != NULL;) {
        char from[PATH_BYTES], to[PATH_BYTES];
        size_t bytes = 0;
        if (!is_script(entry->d_name))
            continue;
        snprintf(from, sizeof from, "%s/%s", fs_reports_dir(), entry->d_name);
        if ((size_t)snprintf(to, sizeof to, "%s/%s", folder, entry->d_name) >= sizeof to) {
            status = fs_fail(err, FS_INPUT, "%s: the path is too long", folder);
            break;
        }
        char *text = fs_page_read(from, &bytes, err);
        status = text == NULL ? err->status : fs_page_save(to, text, bytes, err);
        free(text);
    }
    closedir(scripts);
    return status;
}

fs_status fs_plot_prepare(const char *run, fs_error *err) {
    char pictures[PATH_BYTES], script[PATH_BYTES], words[PATH_BYTES + 16], figures[PATH_BYTES + 16];
    if ((size_t)snprintf(pictures, sizeof pictures, "%s/pictures", run) >= sizeof pictures)
        return fs_fail(err, FS_INPUT, "%s: the path is too long", run);
    if (fs_plot_scripts(pictures, err) != FS_OK)
        return err->status;
    snprintf(script, sizeof script, "%s/figures", fs_reports_dir());
    snprintf(words, sizeof words, "%s/run.words", pictures);
    snprintf(figures, sizeof figures, "%s/run.gp", pictures);
    /* The shell sends stdout to run.gp and leaves stderr to run.words. */
    char *argv[] = {"sh", "-c", "exec \"$0\" \"$1\" >\"$2\"", script, (char *)(uintptr_t)run, figures, NULL};
    pid_t pid = start(".", words, argv);
    if (pid < 0)
        return fs_fail(err, FS_RUN, "cannot start %s: %s", script, strerror(errno));
    int code = wait_for(pid);
    char *said = fs_page_read(words, NULL, err);
    if (code != 0) {
        const char *sentence = said == NULL || said[0] == '\0' ? "no words" : said;
        if (strncmp(sentence, "draw: ", 6) == 0)
            sentence += 6;
        fs_fail(err, code == 2 ? FS_INPUT : FS_RUN, "%.*s", (int)strcspn(sentence, "\n"), sentence);
        unlink(figures);
    }
    free(said);
    unlink(words);
    return err->status;
}

/* ---- what a script says of its picture ---- */

/* Lines "title<TAB>...", "caption<TAB>...", "size<TAB>w h", "panel<TAB>name l t r b x0 x1 y0 y1 logx logy".
 */
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
        else if (strcmp(line, "size") == 0 && fs_page_numbers(tab, value, 2) != NULL) {
            plot->width = value[0];
            plot->height = value[1];
        } else if (strcmp(line, "panel") == 0 && plot->panels < FS_PLOT_PANELS) {
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

/* ---- drawing ---- */

static const char *ending(unsigned format) {
    return format == FS_PLOT_SVG ? "svg" : "png";
}

/* Files of a picture: NAME.svg or NAME.png, and the words of gnuplot on the way. */
static void paths(const char *folder, const char *name, unsigned format, char *picture, char *words) {
    snprintf(picture, PATH_BYTES, "%s/%s.%s", folder, name, ending(format));
    snprintf(words, PATH_BYTES, "%s/%s.%s.words", folder, name, ending(format));
}

static fs_status begin(child *c, const char *folder, const char *name, fs_error *err) {
    char picture[PATH_BYTES], words[PATH_BYTES], format[32], script[FS_PLOT_NAME + 8];
    paths(folder, name, c->format, picture, words);
    unlink(picture);
    snprintf(format, sizeof format, "format = '%s'", ending(c->format));
    snprintf(script, sizeof script, "%s.gp", name);
    char *argv[] = {"gnuplot", "-e", format, script, NULL};
    c->pid = start(folder, words, argv);
    return c->pid < 0 ? fs_fail(err, FS_RUN, "cannot start gnuplot: %s", strerror(errno)) : FS_OK;
}

static void finish(child *c, const char *folder, const char *name, fs_error *err) {
    char picture[PATH_BYTES], words[PATH_BYTES];
    struct stat info;
    fs_error ignored = {0};
    int code = wait_for(c->pid);
    c->pid = 0;
    paths(folder, name, c->format, picture, words);
    char *said = fs_page_read(words, NULL, &ignored);
    if (code != 0 || stat(picture, &info) != 0 || info.st_size == 0) {
        const char *sentence = said == NULL ? "" : said + strspn(said, " \n");
        fs_fail_also(err, FS_RUN, "%s/%s.gp: gnuplot failed: %.*s", folder, name,
                     (int)strcspn(sentence, "\n"), sentence);
        unlink(picture);
    }
    free(said);
    unlink(words);
}

fs_status fs_plot_draw(const char *folder, const char *const *names, size_t count, unsigned formats,
                       fs_plot *plots, fs_error *err) {
    enum { MOST = 16 };
    child running[MOST] = {{0}};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores < 1 ? 1 : cores > MOST ? MOST : (size_t)cores, next = 0, alive = 0;
    if (strlen(folder) + FS_PLOT_NAME + 16 >= PATH_BYTES)
        return fs_fail(err, FS_INPUT, "%s: the path is too long", folder);
    if (!have_gnuplot())
        return fs_fail(err, FS_INPUT, "gnuplot is not installed (Debian: gnuplot-nox); the plots need it");
    fflush(NULL); /* so that a child has nothing to write twice */
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

fs_status fs_plot_folder(const char *folder, const char *name, fs_error *err) {
    if (fs_plot_scripts(folder, err) != FS_OK)
        return err->status;
    return fs_plot_draw(folder, &name, 1, FS_PLOT_PNG, NULL, err);
}
