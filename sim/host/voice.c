/* Messages to the user: lines on stderr, and whether a bar stands on its last one. */
#include "sim/host/voice.h"

#include "sim/base/error.h"

#include <stdlib.h>

static bool quiet;
static fs_voice_hearer *hearer;
static void *hearer_self;
static bool bar; /* stands on the terminal's last line */

bool fs_say_quiet(bool wanted) {
    const bool was = quiet;
    quiet = wanted;
    return was;
}

bool fs_is_quiet(void) {
    return quiet;
}

void fs_voice_heard(fs_voice_hearer *hear, void *self) {
    hearer = hear;
    hearer_self = self;
}

void fs_voice_bar(bool stands) {
    if (bar)
        fputs("\r\033[K", stderr);
    bar = stands;
}

void fs_put_plain(const char *text, FILE *out) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        const bool pair = *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0; /* U+0080 to U+009F in UTF-8 */
        const bool control = pair || *c == 0x7f || (*c < ' ' && *c != '\n' && *c != '\t');
        fputc(control ? '?' : *c, out);
        c += pair;
    }
}

void fs_put_plain_stream(fs_memory *memory, FILE *out) {
    fs_put_plain(fs_memory_close(memory), out);
    free(memory->text);
}

void fs_say(const char *format, ...) {
    if (quiet && hearer == NULL)
        return;
    fs_memory line;
    fs_memory_open(&line);
    FS_VARIADIC(args, format, vfprintf(line.stream, format, args));
    if (hearer != NULL) {
        hearer(hearer_self, fs_memory_close(&line));
        free(line.text);
        return;
    }
    fs_voice_bar(false); /* it is drawn anew at its next update */
    fputc('\n', line.stream);
    fs_put_plain_stream(&line, stderr);
}
