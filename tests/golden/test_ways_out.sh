#!/bin/sh
# docs/security.md lists every way out of the program, each with its test. Every file that the list names exists; and calls that lead
# out - processes, SQL, files that are made, renamed or removed, markup that is not escaped, scripts - stand only in files that it names.
set -u
LC_ALL=C
page=docs/security.md
sources="sim formats models workloads reports validation explore registry"
wrong=0
complain() {
    echo "$*"
    wrong=1
}
list=$(sed -n '/^## Every way out/,/^## /p' $page)
rows=$(echo "$list" | grep -c '^| ' || true)
[ "$rows" -ge 13 ] || complain "$page: only $rows rows in the list of ways out"

# Files between backticks: by their path, or by their name where it is plain which one is meant.
# shellcheck disable=SC2016 # backticks are the page's
echo "$list" | grep -o '`[A-Za-z0-9_./-]*\.\(c\|sh\)`' | tr -d '`' | sort -u >"${TMPDIR:-/tmp}/ways.$$"
trap 'rm -f "${TMPDIR:-/tmp}/ways.$$"' EXIT
while read -r file; do
    # shellcheck disable=SC2086 # folders
    [ -f "$file" ] || [ "$(find tests $sources -name "$file" | wc -l)" -eq 1 ] || complain "$page names $file, which does not exist"
done <"${TMPDIR:-/tmp}/ways.$$"
echo "$list" | grep '^| ' | sed '1,2d' | while IFS= read -r row; do
    test=${row%|}
    test=${test##*|}
    case $test in *tests/* | *test_* | *"the same"* | *"links at"*) ;; *) echo "$page: no test for: $row" ;; esac
done | grep . && wrong=1

# way CALLS: the files that hold such a call are named in the list.
way() {
    # shellcheck disable=SC2086 # folders
    grep -rlE --include='*.c' --include='*.cpp' "$1" $sources | while read -r file; do
        echo "$list" | grep -qF "$file" || echo "$file: a way out that $page does not list: $1"
    done | grep . && wrong=1
}
way '\b(system|popen|posix_spawnp?|exec[lv]p?e?)\('
way 'sqlite3_(exec|prepare_v3|prepare_v2|prepare|mprintf)\('
way 'fopen\([^)]*"[wa]|O_CREAT|\bmkstemp\(|mkdtemp\('
way '(^|[^.:a-z_])(rename|renameat|unlink|unlinkat|rmdir|remove|symlink|link|truncate|ftruncate|chmod)\('
way 'fs_page_markup\('
way '"[^"]*\\033'
way '#include <dlfcn.h>|dlopen\('
exit $wrong
