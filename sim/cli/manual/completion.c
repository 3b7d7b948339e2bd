/* A completion for bash: commands, words and options from the tables; names of parts from the program when a
 * key is pressed, so that they are those that are installed. */
#include "sim/cli/manual/manual.h"
#include "sim/workload/workload.h"

#include <string.h>

static void words_of(const fs_manual_entry *entry, bool with_value, FILE *out) {
    for (size_t i = 0; i < entry->told->count; i++)
        if (!with_value || entry->told->options[i].value != NULL)
            fprintf(out, " --%s", entry->told->options[i].name);
    for (size_t i = 0; i < entry->told->common_count; i++)
        if (!with_value || entry->told->common[i].value != NULL)
            fprintf(out, " --%s", entry->told->common[i].name);
}

/* Short names of options with a value, so that what follows them is one. */
static void letters_of(const fs_manual_entry *entry, FILE *out) {
    for (size_t i = 0; i < entry->told->count; i++)
        if (entry->told->options[i].value != NULL && entry->told->options[i].letter != '\0')
            fprintf(out, " -%c=%s", entry->told->options[i].letter, entry->told->options[i].name);
}

static void options(void *self, const fs_manual_entry *entry) {
    FILE *out = self;
    fprintf(out, "    '%s')\n        options='", entry->name);
    words_of(entry, false, out);
    fputs("'\n        valued='", out);
    words_of(entry, true, out);
    fputs("'\n        letters='", out);
    letters_of(entry, out);
    fputs("' ;;\n", out);
}

/* Every section, and every key of each kind of it once. */
static void keys(const fs_registry *registry, FILE *out) {
    fputs("_foamsim_keys='", out);
    for (size_t s = 0; s < registry->section_count; s++) {
        const fs_section *section = &registry->sections[s];
        if (section->folder != NULL)
            fprintf(out, "%s=\n", section->name);
        if (section->count > 1)
            fprintf(out, "%s.kind=\n", section->name);
        for (size_t k = 0; k < section->count; k++)
            for (size_t i = 0; i < section->kinds[k].table->count; i++) {
                const char *name = section->kinds[k].table->rows[i].name;
                bool known = false;
                for (size_t b = 0; b < k && !known; b++)
                    for (size_t j = 0; j < section->kinds[b].table->count && !known; j++)
                        known = strcmp(section->kinds[b].table->rows[j].name, name) == 0;
                if (!known)
                    fprintf(out, "%s.%s=\n", section->name, name);
            }
    }
    fputs("'\n\n", out);
}

/* The words that a key takes: kinds of a section, choices of a row; names of parts are asked of the program. */
static void values(const fs_registry *registry, FILE *out) {
    fputs("_foamsim_values() {\n    case $1 in\n", out);
    for (size_t s = 0; s < registry->section_count; s++) {
        const fs_section *section = &registry->sections[s];
        if (section->folder != NULL)
            fprintf(out, "    %s) _foamsim_names %s ;;\n", section->name, section->folder);
        if (section->count > 1) {
            fprintf(out, "    %s.kind) echo '", section->name);
            for (size_t k = 0; k < section->count; k++)
                fprintf(out, "%s%s", k > 0 ? " " : "", section->kinds[k].kind);
            fputs("' ;;\n", out);
        }
        for (size_t k = 0; k < section->count; k++)
            for (size_t i = 0; i < section->kinds[k].table->count; i++) {
                const fs_param *row = &section->kinds[k].table->rows[i];
                if (row->type != FS_TYPE_BOOL && row->choices == NULL)
                    continue;
                fprintf(out, "    %s.%s) echo '", section->name, row->name);
                for (size_t c = 0; row->choices != NULL && row->choices[c] != NULL; c++)
                    fprintf(out, "%s%s", c > 0 ? " " : "", row->choices[c]);
                fputs(row->choices == NULL ? "true false' ;;\n" : "' ;;\n", out);
            }
    }
    fputs("    esac\n}\n\n", out);
}

static void commands(const fs_cli *cli, FILE *out) {
    fputs("_foamsim_commands='", out);
    for (const fs_command *const *c = cli->commands; *c != NULL; c++)
        if ((*c)->summary != NULL)
            fprintf(out, "%s ", (*c)->name);
    fputs("help --help --version'\n\n_foamsim_words() {\n    case $1 in\n", out);
    for (const fs_command_words *w = cli->words; w->command != NULL; w++) {
        fprintf(out, "    %s%d) echo '", w->command, w->at);
        for (size_t i = 0; w->word(i, NULL) != NULL; i++)
            fprintf(out, "%s%s", i > 0 ? " " : "", w->word(i, NULL));
        fputs("' ;;\n", out);
    }
    fputs("    list1) echo '", out);
    for (size_t i = 0; i < cli->listing_count; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", cli->listings[i].what);
    fputs("' ;;\n    esac\n}\n\n", out);
}

static const char names[] = "_foamsim_names() {\n"
                            "    \"${_foamsim_program:-foamsim}\" list \"$1\" 2>/dev/null | cut -d ' ' -f 1\n"
                            "}\n\n";

/* bash breaks words at "=", readline replaces what stands behind the last break: so the word is taken from
 * the line itself, and what is offered loses the part before its last "=". */
static const char function[] =
    "_foamsim() {\n"
    "    local line=${COMP_LINE:0:COMP_POINT} word=() cur prev command options= valued= letters= offered= "
    "place=0 i key\n"
    "    _foamsim_program=${COMP_WORDS[0]}\n"
    "    COMPREPLY=()\n"
    "    read -ra word <<<\"$line\"\n"
    "    case $line in *' ') word+=('') ;; esac\n"
    "    cur=${word[-1]}\n"
    "    if [ ${#word[@]} -le 2 ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$_foamsim_commands\" -- \"$cur\")\n"
    "        return\n"
    "    fi\n"
    "    command=${word[1]} prev=${word[-2]}\n"
    "    if [ \"$command\" = help ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$_foamsim_commands\" -- \"$cur\")\n"
    "        return\n"
    "    fi\n"
    "    _foamsim_options \"$command\" || _foamsim_options \"$command ${word[2]}\"\n"
    "    if [[ $cur == --*=* ]]; then\n"
    "        prev=${cur%%=*} cur=${cur#*=}\n"
    "    fi\n"
    "    for i in $letters; do [ \"${i%%=*}\" = \"$prev\" ] && prev=--${i#*=}; done\n"
    "    case \" $valued \" in\n"
    "    *\" $prev \"*)\n"
    "        case $prev in\n"
    "        --set)\n"
    "            if [[ $cur == *=* ]]; then\n"
    "                key=${cur%%=*} cur=${cur#*=}\n"
    "                offered=$(_foamsim_values \"$key\")\n"
    "            else\n"
    "                offered=$_foamsim_keys\n"
    "                compopt -o nospace 2>/dev/null\n"
    "            fi ;;\n"
    "        --part) offered='machine overlay scene workload views run' ;;\n"
    "        *) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ; compopt -o filenames 2>/dev/null; return "
    ";;\n"
    "        esac\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$offered\" -- \"$cur\")\n"
    "        return ;;\n"
    "    esac\n"
    "    if [[ $cur == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
    "        return\n"
    "    fi\n"
    "    for ((i = 2; i < ${#word[@]}; i++)); do\n"
    "        [[ ${word[i]} == -* || \" $valued \" == *\" ${word[i - 1]} \"* ]] || place=$((place + 1))\n"
    "    done\n"
    "    offered=$(_foamsim_words \"$command$place\")\n"
    "    case $command$place in\n"
    "    run1 | config2 | price1) offered=$(_foamsim_names experiments) ;;\n"
    "    scene2) offered=$(_foamsim_names scenes) ;;\n"
    "    esac\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$offered\" -- \"$cur\"; compgen -f -- \"$cur\")\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "complete -F _foamsim foamsim\n";

fs_status fs_manual_completion(const fs_cli *cli, FILE *out, fs_error *err) {
    fputs("# bash completion for foamsim, made by `foamsim manual` of the tables in the program.\n"
          "# shellcheck shell=bash disable=SC2034\n",
          out);
    commands(cli, out);
    keys(cli->registry, out);
    fputs(names, out);
    values(cli->registry, out);
    fputs("_foamsim_options() {\n    case $1 in\n", out);
    fs_status status = fs_manual_each(cli, options, out, err);
    fputs("    *) return 1 ;;\n    esac\n}\n\n", out);
    fputs(function, out);
    return status;
}
