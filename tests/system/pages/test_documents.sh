#!/bin/sh
# Every `foamsim ...` command line in the documents and in the comments of configs/ names a command and options that exist, and
# files of the repository that exist; every document that a document links to exists.
set -eu
FOAMSIM=$(realpath "${FOAMSIM:-build/foamsim}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
documents=$(git ls-files '*.md' 2>/dev/null || find . -name '*.md' | sed 's|^\./||')

# One command a line, "FILE:LINE<TAB>words": in code blocks and between backticks; a line that ends in \ goes on.
# shellcheck disable=SC2086 # a list of files
awk '
    function put(words) {
        sub(/[ \t]+#.*$/, "", words); sub(/^.*foamsim /, "", words); gsub(/[`,;:]+$/, "", words)
        print FILENAME ":" FNR "\t" words
    }
    FNR == 1 { open = ""; fence = 0 }
    open != "" { open = open " " $0; if ($0 !~ /\\$/) { put(open); open = "" } else sub(/\\$/, "", open); next }
    /^```/ { fence = !fence; next }
    (fence || /^    /) && /^ *(build\/)?foamsim [a-z]/ {
        if ($0 ~ /\\$/) { open = $0; sub(/\\$/, "", open) } else put($0)
        next
    }
    FILENAME ~ /\.yaml$/ && /^# *(build\/)?foamsim [a-z]/ { put($0); next }
    {
        text = $0
        while (match(text, /`(build\/)?foamsim [a-z][^`]*`/)) { put(substr(text, RSTART + 1, RLENGTH - 2)); text = substr(text, RSTART + RLENGTH) }
    }' $documents configs/*/*.yaml >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 60 ] || { echo "only $(wc -l <"$work/commands") command lines found"; exit 1; }

# A command's own help, asked for once; foamsim scene has commands of its own.
help_of() {
    if ! [ -f "$work/help.$1$2" ]; then
        # shellcheck disable=SC2086 # no word where $2 is empty
        "$FOAMSIM" $1 $2 --help >"$work/help.$1$2" 2>&1 </dev/null || return 1
    fi
}
wrong=0
complain() { echo "$1"; wrong=1; }
while IFS="$(printf '\t')" read -r place words; do
    set -f
    # shellcheck disable=SC2086 # words on purpose
    set -- $words
    set +f
    command=$1 sub=
    shift
    if [ "$command" = scene ] && [ $# -gt 0 ]; then sub=$1 && shift; fi
    case $sub in ... | [A-Z]*) sub= ;; esac
    help_of "$command" "$sub" || { complain "$place: foamsim $command $sub: no such command"; continue; }
    for word; do
        case $word in
        --[a-z]*)
            option=${word%%=*}
            grep -q -e "^ .*$option\([ ,=]\|\$\)" "$work/help.$command$sub" ||
                complain "$place: foamsim $command $sub knows no $option"
            ;;
        -[a-z])
            grep -q -e "^ *$word," "$work/help.$command$sub" || complain "$place: foamsim $command $sub knows no $word"
            ;;
        configs/*) [ -e "$word" ] || complain "$place: there is no $word" ;;
        esac
    done
    # What is set must be a parameter of the experiment that is named, unless the value is only spoken of.
    experiment=configs/experiments/demo.yaml
    for word; do
        case $word in configs/experiments/*.yaml) [ ! -e "$word" ] || experiment=$word ;; esac
    done
    for word; do
        case $word in
        machine.*=* | run.*=* | overlay=* | workload.payload=*) ;;
        *) continue ;;
        esac
        "$FOAMSIM" config check "$experiment" --set "$word" >"$work/check" 2>&1 </dev/null ||
            complain "$place: --set $word: $(head -n 1 "$work/check")"
    done
done <"$work/commands"

# Links to files: [text](path#heading)
for document in $documents; do
    # shellcheck disable=SC2016 # backticks of Markdown
    sed 's/`[^`]*`//g' "$document" | grep -o '](\([^)#]*\)[)#]' | sed 's/^](//; s/[)#]$//' | while read -r link; do
        case $link in http*: | http* | '') continue ;; esac
        [ -e "$(dirname "$document")/$link" ] || echo "$document: there is no $link"
    done
done >"$work/links"
if [ -s "$work/links" ]; then
    cat "$work/links"
    wrong=1
fi
exit $wrong
