/* The command line of a command: options with and without values, in any order with its arguments. */
#include "sim/cli/options.h"
#include "sim/host/voice.h"
#include "sim/stats/stats.h"
#include "sim/yaml/quantity.h"
#include "sim/yaml/words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    const fs_command_line *call;
    const char *usage;
    const fs_option *options;
    size_t count;
    int next, args; /* next: the argument to look at */
    bool help, options_ended;
    fs_error *err;
    const char *value;          /* the last value of an option */
    const char *behind, *split; /* a unit that stands alone behind such a value */
    int value_end;              /* the argument behind it */
} parser;

/* Every command has these beside its own options. */
enum { PLUGIN, QUIET, HELP, COMMON };
static const fs_option common[COMMON] = {
    [PLUGIN] = {.name = "plugin",
                .value = "FILE.so",
                .doc = "load overlays and workloads from a library that you trust; may be repeated"},
    [QUIET] = {.name = "quiet", .letter = 'q', .doc = "no words and no progress: results and errors alone"},
    [HELP] = {.name = "help", .letter = 'h', .doc = "print this text"},
};

static size_t usage_line(const char *usage) {
    const char *end = strchr(usage, '\n');
    return end == NULL ? strlen(usage) : (size_t)(end - usage);
}

static void print_option(const fs_option *o) {
    char names[80];
    snprintf(names, sizeof names, "%c%c%s--%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
             o->letter ? ", " : "  ", o->name, o->value ? " " : "", o->value ? o->value : "");
    printf(strlen(names) > 24 ? "  %s\n  %24s  %s\n" : "  %-24s%s  %s\n", names, "", o->doc);
}

static void print_help(const parser *p) {
    const fs_cli *cli = p->call->cli;
    if (cli->hear != NULL) {
        const fs_options_told told = {.usage = p->usage,
                                      .options = p->options,
                                      .common = common,
                                      .count = p->count,
                                      .common_count = COMMON};
        cli->hear(cli->self, &told);
        return;
    }
    size_t line = usage_line(p->usage);
    printf("usage: foamsim %.*s\n", (int)line, p->usage);
    if (p->usage[line] != '\0')
        printf("%s\n", p->usage + line);
    fputs("\nOptions:\n", stdout);
    for (size_t i = 0; i < p->count; i++)
        print_option(&p->options[i]);
    for (size_t i = 0; i < COMMON; i++)
        print_option(&common[i]);
}

static fs_status fail_unknown(const parser *p, const char *name, size_t length) {
    enum { MOST = 64 };
    const char *words[MOST + COMMON + 1];
    size_t n = 0;
    for (; n < p->count && n < MOST; n++)
        words[n] = p->options[n].name;
    for (size_t i = 0; i < COMMON; i++)
        words[n++] = common[i].name;
    words[n] = NULL;
    char found[64];
    snprintf(found, sizeof found, "%.*s", (int)(length < sizeof found ? length : sizeof found - 1), name);
    const char *nearest = fs_nearest_word(found, words);
    return fs_fail(p->err, FS_INPUT, "unknown option --%s%s%s%s\nusage: foamsim %.*s", found,
                   nearest ? "; did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "",
                   (int)usage_line(p->usage), p->usage);
}

/* The option of that long name, or the only one that begins so; NULL with an error. */
static const fs_option *find_long(const parser *p, const char *name, size_t length) {
    const fs_option *found = NULL;
    size_t matches = 0;
    for (size_t i = 0; i < p->count + COMMON; i++) {
        const fs_option *o = i < p->count ? &p->options[i] : &common[i - p->count];
        if (strncmp(o->name, name, length) != 0)
            continue;
        found = o;
        matches++;
        if (o->name[length] == '\0')
            return o;
    }
    if (matches == 1 && length > 0)
        return found;
    if (matches > 1 && length > 0)
        fs_fail(p->err, FS_INPUT, "--%.*s may be the beginning of more than one option", (int)length, name);
    else
        fail_unknown(p, name, length);
    return NULL;
}

/* `value` is NULL when it has not come with the option; then it is the next argument. */
static fs_status take(parser *p, const fs_option *o, const char *value) {
    if (o->value == NULL) {
        if (value != NULL)
            return fs_fail(p->err, FS_INPUT, "--%s takes no value, found \"%s\"", o->name, value);
        if (o == &common[QUIET])
            fs_say_quiet(true);
        else if (o == &common[HELP])
            p->help = true;
        else if (o->flag != NULL)
            *o->flag = true;
        return FS_OK;
    }
    if (value == NULL && p->next < p->call->argc)
        value = p->call->argv[p->next++];
    if (value == NULL)
        return fs_fail(p->err, FS_INPUT, "--%s needs a value: --%s %s", o->name, o->name, o->value);
    p->value = value;
    p->value_end = p->next;
    if (o == &common[PLUGIN])
        return p->call->cli->plugins.load(value, p->err);
    if (o->integer != NULL)
        return fs_option_int(o->name, value, o->from, o->to, o->integer, p->err);
    if (o->real != NULL)
        return fs_option_real(o->name, value, o->least, o->most, o->real, p->err);
    if (o->text != NULL)
        *o->text = value;
    if (o->list == NULL)
        return FS_OK;
    if (*o->list_count == o->list_max)
        return fs_fail(p->err, FS_INPUT, "--%s is given more than %zu times", o->name, o->list_max);
    o->list[(*o->list_count)++] = value;
    return FS_OK;
}

/* -o DIR, -oDIR, or flags in one word: -qf. */
static fs_status take_letters(parser *p, const char *letters) {
    for (; *letters != '\0'; letters++) {
        const fs_option *o = NULL;
        for (size_t i = 0; i < p->count && o == NULL; i++)
            if (p->options[i].letter == *letters)
                o = &p->options[i];
        for (size_t i = 0; i < COMMON && o == NULL; i++)
            if (common[i].letter == *letters)
                o = &common[i];
        if (o == NULL)
            return fs_fail(p->err, FS_INPUT, "unknown option -%c\nusage: foamsim %.*s", *letters,
                           (int)usage_line(p->usage), p->usage);
        if (o->value != NULL)
            return take(p, o, letters[1] != '\0' ? letters + 1 : NULL);
        fs_status status = take(p, o, NULL);
        if (status)
            return status;
    }
    return FS_OK;
}

/* Whether a word is a unit, which stands alone where a quantity with a blank had no quotes. */
static bool is_unit(const char *word) {
    for (int unit = FS_UNIT_NONE + 1; unit <= FS_UNIT_PERCENT; unit++)
        for (const char *const *w = fs_quantity_units((fs_unit)unit); *w != NULL; w++)
            if (strcmp(*w, word) == 0)
                return true;
    return false;
}

static fs_status take_argument(parser *p) {
    char *word = p->call->argv[p->next++];
    if (p->options_ended || word[0] != '-' || word[1] == '\0') {
        if (p->value != NULL && p->value_end == p->next - 1 && p->behind == NULL && is_unit(word)) {
            p->behind = word;
            p->split = p->value;
        }
        p->call->argv[p->args++] = word; /* never ahead of next */
        return FS_OK;
    }
    if (strcmp(word, "--") == 0) {
        p->options_ended = true;
        return FS_OK;
    }
    if (word[1] != '-')
        return take_letters(p, word + 1);
    const char *name = word + 2, *equals = strchr(name, '=');
    const fs_option *o = find_long(p, name, equals ? (size_t)(equals - name) : strlen(name));
    return o == NULL ? FS_INPUT : take(p, o, equals ? equals + 1 : NULL);
}

bool fs_options_parse(fs_command_line *call, const char *usage, const fs_option *options, size_t count,
                      int min_args, int max_args, fs_error *err) {
    parser p = {.call = call, .usage = usage, .options = options, .count = count, .next = 1, .err = err};
    while (p.next < call->argc) {
        if (take_argument(&p))
            return false;
        if (p.help) {
            print_help(&p);
            return false;
        }
    }
    if (p.behind != NULL && max_args >= 0 && p.args > max_args)
        fs_fail(err, FS_INPUT,
                "unexpected argument \"%s\": a value with a blank needs quotes: \"%s %s\", or write it "
                "without: %s%s",
                p.behind, p.split, p.behind, p.split, p.behind);
    else if (p.args < min_args || (max_args >= 0 && p.args > max_args))
        fs_fail(err, FS_INPUT, "%s%s%s\nusage: foamsim %.*s",
                p.args < min_args ? "an argument is missing" : "unexpected argument \"",
                p.args < min_args ? "" : call->argv[max_args], p.args < min_args ? "" : "\"",
                (int)usage_line(usage), usage);
    call->argc = p.args;
    return err->status == FS_OK;
}

fs_status fs_option_int(const char *name, const char *text, int64_t min, int64_t max, int64_t *out,
                        fs_error *err) {
    char *end = NULL;
    errno = 0;
    if (text == NULL)
        return FS_OK;
    long long value = strtoll(text, &end, 10);
    bool digits = strspn(text, "+-0123456789") == strlen(text);
    if (end == text || *end != '\0' || !digits)
        return fs_fail(err, FS_INPUT, "--%s: expected an integer, found \"%s\"", name, text);
    if (errno == ERANGE || value < min || value > max)
        return fs_fail(err, FS_INPUT, "--%s: expected %lld to %lld, found %s", name, (long long)min,
                       (long long)max, text);
    *out = value;
    return FS_OK;
}

fs_status fs_option_real(const char *name, const char *text, double min, double max, double *out,
                         fs_error *err) {
    char *end = NULL;
    if (text == NULL)
        return FS_OK;
    bool decimal = strspn(text, "+-.0123456789eE") == strlen(text); /* no "inf", no hexadecimal */
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !decimal)
        return fs_fail(err, FS_INPUT, "--%s: expected a number, found \"%s\"", name, text);
    if (!(value >= min && value <= max)) {
        return fs_fail(err, FS_INPUT, "--%s: expected %s to %s, found %s", name, FS_REAL_WORD(min),
                       FS_REAL_WORD(max), text);
    }
    *out = value;
    return FS_OK;
}
