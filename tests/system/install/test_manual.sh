#!/bin/sh
# The manual follows from the tables of --help: every option of every command stands on its page, the pages are roff that nobody
# complains of, and the completion for bash offers commands, options, words, keys, their values and the parts that are installed.
set -u
LC_ALL=C.UTF-8
export LC_ALL
program=${FOAMSIM:-build/foamsim}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/manual.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
wrong=0
complain() {
    echo "$*"
    wrong=1
}
$program manual "$scratch" || exit 1

# ---- pages ----

# options_of COMMAND...: what its --help lists, without dashes.
options_of() { "$program" "$@" --help | sed -n '/^Options:/,$s/^  \(-., \|    \)--\([a-z-]*\).*/\2/p'; }
pages=0
commands=$($program --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -gt 10 ] || complain "few commands: $commands"
for command in $commands; do
    words=$command
    [ "$command" != scene ] || words=$($program scene --help | sed -n 's/^  \([a-z]*\) .*/scene-\1/p')
    for word in $words; do
        page=$scratch/foamsim-$word.1
        [ -f "$page" ] || { complain "no page: $word"; continue; }
        pages=$((pages + 1))
        # shellcheck disable=SC2046 # words on purpose
        options=$(options_of $(echo "$word" | tr - ' '))
        [ -n "$options" ] || complain "$word: no options in --help"
        for option in $options; do
            grep -qF "\\-\\-$(echo "$option" | sed 's/-/\\-/g')\\fR" "$page" || complain "$word: --$option is not on its page"
        done
    done
    grep -qF "foamsim\\-$command (1)" "$scratch/foamsim.1" || complain "foamsim(1) does not name $command"
done
[ "$pages" -gt 14 ] || complain "only $pages pages"
for key in machine.clock overlay.router_buffer workload.batching.per_batch run.detail; do
    grep -qF ".B $key" "$scratch/foamsim-experiment.5" || complain "foamsim-experiment(5): no $key"
done
if command -v groff >/dev/null; then
    for page in "$scratch"/*.[15]; do
        groff -man -Tutf8 -ww -z "$page" >"$scratch/words" 2>&1
        [ ! -s "$scratch/words" ] || complain "$(cat "$scratch/words")"
    done
fi
if command -v lexgrog >/dev/null; then
    lexgrog "$scratch"/*.[15] >"$scratch/words" 2>&1 || complain "lexgrog: $(grep -v '": "\|: "' "$scratch/words")"
fi

# ---- completion ----

bash -n "$scratch/foamsim.bash" || complain "the completion is no bash"
# offers LINE: what bash would offer behind it, one a line.
offers() {
    bash -c '. "$1"; COMP_LINE=$3; COMP_POINT=${#COMP_LINE}; COMP_WORDS=("$2"); _foamsim; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$scratch/foamsim.bash" "$program" "$1"
}
# must LINE WORD...: all of them are offered; mustnt: none is.
must() {
    line=$1
    shift
    offers "$line" >"$scratch/offered"
    for word; do grep -qxF -- "$word" "$scratch/offered" || complain "\"$line\" does not offer $word: $(head -5 "$scratch/offered" | tr '\n' ' ')"; done
}
mustnt() {
    offers "$1" >"$scratch/offered"
    ! grep -qxF -- "$2" "$scratch/offered" || complain "\"$1\" offers $2"
}
must "foamsim " run sweep compare query help --version
must "foamsim co" config compare
mustnt "foamsim co" run
mustnt "foamsim " manual
must "foamsim run --" --set --output --quiet --help --check
must "foamsim run --re" --record --record-activity --replay
must "foamsim run " demo first-look
must "foamsim run de" demo decoupled
must "foamsim run demo --set " overlay= overlay.kind= machine.clock= workload.batching.per_batch=
must "foamsim run demo -s machine.cl" machine.clock=
must "foamsim run demo --set overlay=" fat-tree quadtree
must "foamsim run demo --set overlay.kind=" mesh quadtree
must "foamsim run demo --set run.detail=" phase event
must "foamsim run demo --set machine=" gc200 bow
must "foamsim scene " generate import render
must "foamsim scene generate --" --help
must "foamsim config " check show
must "foamsim query store.db " best diff export
must "foamsim list " overlays machines experiments
must "foamsim help sw" sweep
exit $wrong
