#include "reports/read/run_folder.h"

typedef struct known {
    const fs_folder *run;
    fs_number_lookup *lookup;
    void *self;
} known;

static bool look_up(void *of, const char *name, fs_number_value *out) {
    const known *k = of;
    if (name[0] == '@')
        return k->lookup != NULL && k->lookup(k->self, name + 1, out);
    const fs_figure *f = fs_folder_figure(k->run, name);
    if (f == NULL)
        return false;
    *out = (fs_number_value){f->value, f->kind == FS_FIGURE_NUMBER ? NULL : f->text, f->unit, f->whole};
    return true;
}

const char *fs_fill(fs_arena *arena, const fs_folder *run, const char *text, fs_number_lookup *lookup,
                    void *self) {
    known k = {run, lookup, self};
    return fs_number_fill(arena, text, look_up, &k);
}
