/* foamsim-experiment(5): what an experiment file may say, of the tables that check it. */
#include "sim/base/version.h"
#include "sim/cli/manual/manual.h"
#include "sim/workload/workload.h"

#include <string.h>

static void row(const fs_section *section, const fs_param *p, FILE *out) {
    fputs(".TP\n.B ", out);
    fs_roff_text(section->name, out);
    fputc('.', out);
    fs_roff_text(p->name, out);
    fputc('\n', out);
    fs_roff_text(p->doc, out);
    if (p->choices != NULL) {
        fputs(": ", out);
        for (size_t i = 0; p->choices[i] != NULL; i++) {
            fputs(i > 0 ? ", " : "", out);
            fs_roff_text(p->choices[i], out);
        }
    }
    if (p->def == NULL)
        fputs(" (required)", out);
    else if (p->def[0] != '\0') {
        fputs(" (default ", out);
        fs_roff_text(p->def, out);
        fputc(')', out);
    }
    fputc('\n', out);
}

static void kind(const fs_section *section, const fs_section_kind *k, FILE *out) {
    if (k->table->count == 0)
        return;
    fputs(".SS ", out);
    fs_roff_text(section->name, out);
    if (k->kind[0] != '\0') {
        fputs(", kind ", out);
        fs_roff_text(k->kind, out);
        if (section->default_kind != NULL && strcmp(section->default_kind, k->kind) == 0)
            fputs(" (the default)", out);
    }
    fputc('\n', out);
    fs_roff_text(k->table->doc, out);
    fputc('\n', out);
    for (size_t i = 0; i < k->table->count; i++)
        row(section, &k->table->rows[i], out);
}

void fs_manual_experiment(const fs_registry *registry, FILE *out) {
    fprintf(out,
            ".\\\" Made by `foamsim manual` of the tables in the program.\n.TH FOAMSIM\\-EXPERIMENT 5 \"\" "
            "\"foamsim %s\" \"foamsim manual\"\n.nh\n.ad l\n",
            FS_VERSION);
    fputs(".SH NAME\nfoamsim\\-experiment \\- experiment files of foamsim\n.SH DESCRIPTION\nAn experiment is "
          "a YAML "
          "mapping with\n.BR name ,\n.B base\n(another experiment, which it changes) and a mapping for each "
          "section. "
          "A section may be a word, which names a file of the folder of its parts, or a path. Dots in the "
          "names "
          "below are nested mappings, and what\n.B \\-\\-set\ntakes. Quantities carry their unit.\n.SH "
          "SECTIONS\n",
          out);
    for (size_t i = 0; i < registry->section_count; i++)
        for (size_t k = 0; k < registry->sections[i].count; k++)
            kind(&registry->sections[i], &registry->sections[i].kinds[k], out);
    fputs(".SH SEE ALSO\n.BR foamsim\\-run (1),\n.BR foamsim\\-params (1),\n.BR foamsim\\-config (1)\n", out);
}
