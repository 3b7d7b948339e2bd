#!/bin/sh
# README's table of the papers is the one that their documents give; another document makes it another table.
set -eu
holds() { case $(cat "$1/README.md") in *"$("$1"/tools/standing)"*) ;; *) return 1 ;; esac; }
holds . || { echo "test_headline: README's table is not that of docs/validation*.md: tools/standing --write"; exit 1; }
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/docs" "$copy/tools"
cp README.md "$copy" && cp docs/validation*.md "$copy/docs" && cp tools/standing "$copy/tools"
sed -i 's/^| failed figures | [0-9]*/| failed figures | 99/' "$copy/docs/validation.md"
! holds "$copy" || { echo "test_headline: a document that changed is not noticed"; exit 1; }
"$copy/tools/standing" --write
holds "$copy" || { echo "test_headline: --write does not write it"; exit 1; }
[ "$(diff README.md "$copy/README.md" | grep -c '^[<>]')" = 2 ] || { echo "test_headline: one row changed, and more than one is new"; exit 1; }
echo "headline: ok"
