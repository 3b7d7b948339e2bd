#!/bin/sh
# What README says of the validation's error stands in its document, word for word.
set -eu
line() { tr '\n' ' ' <"$1" | tr -s ' '; }
said=$(line README.md | grep -o 'The former reading of the Radiant Foam tables.*off\. \|The average error of predicted times, iterations[^.]*\(\.[0-9][^.]*\)*\.' | head -1)
said=${said%% }
said=${said%%\[docs*}
[ -n "$said" ] || { echo "test_headline: README has no sentence of it"; exit 1; }
case $(line docs/validation.md) in
*"${said% }"*) echo "headline: ok" ;;
*) echo "test_headline: not in docs/validation.md: $said"; exit 1 ;;
esac
