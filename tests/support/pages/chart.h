/* Charts of a page as numbers, in tests: what its script draws, from the JSON and the packed values that stand in the file. What they return is
 * freed behind the test; each fails it where the page has no such thing. */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* The chart under `id`. */
json_t *chart_of(const char *html, const char *id);
/* A panel's series by its label, the chart's. */
const json_t *chart_series(const json_t *chart, size_t panel, const char *label);
/* What the series says under `key` ("x", "y", "value"): [*count], NAN where there is no value. */
double *chart_values(const char *html, const json_t *series, const char *key, size_t *count);
/* The same of words: [*count] texts that end in NUL, one after the other. */
char *chart_words(const char *html, const json_t *series, const char *key, size_t *count);
