#!/usr/bin/env bash
# The top of the repository is a list: what a test or a tool leaves there is none of it.
set -eu
cd "$(dirname "$0")/../.."
git rev-parse --git-dir >/dev/null 2>&1 || exit 77
known=".clang-format .clang-tidy .editorconfig .gitignore ARCHITECTURE.md CHANGELOG.md CITATION.cff CONTRIBUTING.md Containerfile LICENSE pyproject.toml setup.py"
for file in $(git ls-files | grep -v /); do
    case " $known Makefile README.md " in
    *" $file "*) ;;
    *)
        echo "$file is no file of the top"
        exit 1
        ;;
    esac
done
