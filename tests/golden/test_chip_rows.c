/* Nothing that was measured is kept back: each number from 1,000 on in the tables of
 * docs/facts/measurements.md 1 to 3 is a published figure of the paper `chip`, or sections 4 to 7 say what it
 * is or why it is left out. */
#include "registry/registry.h"
#include "sim/base/alloc.h"
#include "tests/support/facts.h"
#include "tests/support/test.h"
#include "validation/cases/cases.h"

#include <ctype.h>

enum { MOST = 1024 };

typedef struct numbers {
    double value[MOST];
    size_t count;
} numbers;

static void add(numbers *n, double value) {
    assert_true(n->count < MOST);
    n->value[n->count++] = value;
}

static bool has(const numbers *n, double value) {
    for (size_t i = 0; i < n->count; i++)
        if (fabs(n->value[i] - value) < 1e-9 * value)
            return true;
    return false;
}

/* The number at `at`: 7,140; 49 k; 1.69 M. *end: behind it. */
static double number(const char *at, const char **end) {
    char digits[64];
    size_t count = 0;
    const char *p = at;
    for (; count + 1 < sizeof digits &&
           (isdigit((unsigned char)*p) || ((*p == ',' || *p == '.') && isdigit((unsigned char)p[1])));
         p++)
        if (*p != ',')
            digits[count++] = *p;
    digits[count] = '\0';
    *end = p;
    const double scale = strncmp(p, " k", 2) == 0 ? 1e3 : strncmp(p, " M", 2) == 0 ? 1e6 : 1;
    return strtod(digits, NULL) * scale;
}

/* Adds the numbers of a text that are 1,000 at least; a digit in a word ("2026_09_09", "f16") begins none. */
static void add_text(numbers *n, const char *at, const char *stop) {
    while (at < stop) {
        const bool word = isalpha((unsigned char)*at) || *at == '_';
        if (word) {
            while (at < stop && (isalnum((unsigned char)*at) || *at == '_'))
                at++;
        } else if (isdigit((unsigned char)*at)) {
            const double value = number(at, &at);
            if (value >= 1000)
                add(n, value);
        } else {
            at++;
        }
    }
}

/* Where section `index` of the page begins. */
static const char *section(const char *page, int index) {
    char head[16];
    snprintf(head, sizeof head, "\n## %d. ", index);
    const char *at = strstr(page, head);
    assert_non_null(at);
    return at;
}

static numbers published(fs_arena *arena) {
    static const fs_validation_wants wants = {.paper = "chip"};
    fs_error err = {0};
    fs_validation *chip = NULL;
    size_t count = 0;
    numbers n = {.count = 0};
    if (fs_validations_read(arena, &fs_registry_all, "configs/validation", &wants, &chip, &count, &err) !=
            FS_OK ||
        count != 1)
        fail_msg("%s", err.text);
    for (size_t c = 0; c < chip->case_count; c++)
        for (size_t i = 0; i < chip->cases[c].claim_count; i++) {
            const fs_claim *claim = &chip->cases[c].claims[i];
            add(&n, claim->published);
            add_text(&n, claim->name, claim->name + strlen(claim->name));
        }
    return n;
}

TEST(each_measured_number_is_held_or_said) {
    fs_arena *arena = test_arena();
    char *page = facts_text("docs/facts/measurements.md");
    assert_non_null(page);
    numbers known = published(arena), measured = {.count = 0};
    add_text(&known, section(page, 4), section(page, 8));
    size_t rows = 0, missing = 0;
    for (const char *line = section(page, 1) + 1; line < section(page, 4); line += strcspn(line, "\n") + 1) {
        const char *what = line[0] == '|' ? strchr(line + 1, '|') : NULL;
        if (what == NULL || line[2] == '-' || strncmp(line, "| what", 6) == 0)
            continue;
        numbers row = {.count = 0};
        add_text(&row, what, what + 1 + strcspn(what + 1, "|\n"));
        for (size_t i = 0; i < row.count; i++) {
            add(&measured, row.value[i]);
            if (!has(&known, row.value[i])) {
                print_error("%.*s: %.0f is neither held nor left out\n", (int)(what - line - 2), line + 2,
                            row.value[i]);
                missing++;
            }
        }
        rows++;
    }
    assert_int_equal(missing, 0);
    assert_true(rows >= 14 && measured.count >= 80);
}

/* And what a case calls published is what the page has. */
TEST(each_published_number_is_on_the_page) {
    static const fs_validation_wants wants = {.paper = "chip"};
    fs_arena *arena = test_arena();
    fs_error err = {0};
    fs_validation *chip = NULL;
    size_t count = 0;
    char *page = facts_text("docs/facts/measurements.md");
    numbers there = {.count = 0};
    assert_non_null(page);
    add_text(&there, page, section(page, 7));
    assert_int_equal(
        fs_validations_read(arena, &fs_registry_all, "configs/validation", &wants, &chip, &count, &err),
        FS_OK);
    for (size_t c = 0; c < chip->case_count; c++)
        for (size_t i = 0; i < chip->cases[c].claim_count; i++) {
            const fs_claim *claim = &chip->cases[c].claims[i];
            if (claim->published >= 1000 && !has(&there, claim->published))
                fail_msg("%s: %s: %.0f", chip->cases[c].name, claim->name, claim->published);
        }
}

RUN_TESTS(NULL, NULL)
