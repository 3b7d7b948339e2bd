/* What a validation shows: a page and a document for each paper, and an overview over several. */
#pragma once

#include "validation/cases/cases.h"

/* Writes FOLDER/validation.html, one file that holds all it shows. FS_INPUT when a stand-in's run is damaged; FS_IO. */
fs_status fs_validation_page(const fs_validation *v, const char *folder, fs_error *err);

/* Writes DOCS/DOCUMENT.md as the paper calls it, and its pictures as small PNGs into DOCS/DOCUMENT, where all
 * others that it showed are removed; they are drawn in FOLDER/pictures. The verdict, the scores and the paper's charts; all else is the page's. FS_INPUT
 * without gnuplot. */
fs_status fs_validation_document(const fs_validation *v, const char *folder, const char *docs, fs_error *err);

/* Writes FOLDER/validation.html over several papers, whose own pages are FOLDER/PAPER/validation.html. FS_IO. */
fs_status fs_validations_overview(const fs_validation *v, size_t count, const char *folder, fs_error *err);
