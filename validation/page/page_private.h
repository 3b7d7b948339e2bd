/* Private to validation/page: sections of the page, in page_scenes.c and page_tables.c. */
#pragma once

#include "validation/page/charts.h"

/* All charts of a kind, two side by side. */
fs_status fs_validation_put_grid(fs_validation_sheet *p, fs_validation_kind kind, size_t *count,
                                 fs_error *err);

fs_status fs_validation_put_scenes(fs_validation_sheet *p, fs_error *err);
fs_status fs_validation_put_maps(fs_validation_sheet *p, fs_error *err);
void fs_validation_put_pace(fs_validation_sheet *p);
void fs_validation_put_behaviours(fs_validation_sheet *p);
fs_status fs_validation_put_checks(fs_validation_sheet *p, fs_error *err);
void fs_validation_put_claims(fs_validation_sheet *p);
