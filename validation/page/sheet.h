/* Private to validation/page: the page of a validation while it is written. */
#ifndef FOAMSIM_VALIDATION_PAGE_SHEET_H
#define FOAMSIM_VALIDATION_PAGE_SHEET_H

#include "reports/page/page.h"
#include "validation/page/pictures.h"

typedef struct fs_validation_sheet {
    const fs_validation *v;
    fs_arena *arena;
    fs_page *page;
    fs_validation_drawing *d;
} fs_validation_sheet;

/* All of a kind, two side by side. */
fs_status fs_validation_put_grid(fs_validation_sheet *p, fs_picture_kind kind, size_t *count, fs_error *err);

/* Sections, in page_scenes.c and page_tables.c. */
fs_status fs_validation_put_scenes(fs_validation_sheet *p, fs_error *err);
fs_status fs_validation_put_maps(fs_validation_sheet *p, fs_error *err);
void fs_validation_put_pace(fs_validation_sheet *p);
void fs_validation_put_behaviours(fs_validation_sheet *p);
fs_status fs_validation_put_checks(fs_validation_sheet *p, fs_error *err);
void fs_validation_put_claims(fs_validation_sheet *p);

#endif
