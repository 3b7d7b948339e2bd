#!/bin/sh
# What the counts of docs/facts/compiler.md assume of the public codelets' loops holds of stand-ins (codelets/*.c), as a compiler of
# the vendor's age leaves them for 32-bit targets: loops are neither unrolled nor vectorised, constants divide in line, copies of aligned
# words are in line and others calls or small stores, floats outnumber eight registers. Skipped where there is no such clang.
set -eu
cc=${CODELETS_CC:-clang}
skip() {
    echo "skipped: $1"
    exit 77
}
command -v "$cc" >/dev/null || skip "$cc is not installed"
version=$("$cc" -dumpversion)
case ${version%%.*} in
14 | 15) ;;
*) skip "the vendor's compiler is of the age of LLVM 14 to 15, this clang is $version" ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
foam=${1:-tests/component/codelets/foam.c}
paint=${2:-tests/component/codelets/paint.c}
walks=${3:-tests/component/codelets/walks.c}
flags='-std=c17 -O3 -funroll-loops -ffreestanding -w'

# compile NAME SOURCE FLAGS...: $work/NAME
compile() {
    out=$work/$1
    source=$2
    shift 2
    # shellcheck disable=SC2086 # words on purpose
    "$cc" $flags "$@" -S -o "$out" "$source" || skip "clang $version does not know the target of $*"
}
compile words.ll "$foam" --target=riscv32 -march=rv32imf -mabi=ilp32f -emit-llvm
compile words.s "$foam" --target=riscv32 -march=rv32imf -mabi=ilp32f
compile eight.s "$foam" --target=i386 -msse2 -mfpmath=sse
compile pairs.ll "$foam" --target=armv7a-none-eabi -mfpu=neon -mfloat-abi=hard -mllvm -slp-max-reg-size=64 -emit-llvm
compile paint.ll "$paint" --target=riscv32 -march=rv32imf -mabi=ilp32f -emit-llvm
compile paint.s "$paint" --target=riscv32 -march=rv32imf -mabi=ilp32f
compile walks.ll "$walks" --target=riscv32 -march=rv32imf -mabi=ilp32f -fno-math-errno -emit-llvm
compile walks.s "$walks" --target=riscv32 -march=rv32imf -mabi=ilp32f -fno-math-errno
sed '/^define.*@rays(/,/^}/!d; / = phi /,$d' "$work/paint.ll" >"$work/before.ll"

faults=0
# holds FILE FUNCTION PATTERN WANTED WHAT: so many lines of the function match, or at least so many with "5+"
holds() {
    case $1 in
    *.ll) body=$(sed -n "/^define.*@$2(/,/^}/p" "$work/$1") ;;
    *) body=$(sed -n "/^$2:/,/^\.Lfunc_end/p" "$work/$1") ;;
    esac
    [ -n "$body" ] || { echo "$1: no function $2"; faults=$((faults + 1)); return; }
    found=$(printf '%s\n' "$body" | grep -cE -- "$3" || true)
    case $4 in
    *+) [ "$found" -ge "${4%+}" ] && return ;;
    *) [ "$found" -eq "$4" ] && return ;;
    esac
    echo "$2 ($1): $5: \"$3\" in $found lines, expected $4"
    faults=$((faults + 1))
}
library='call[[:space:]].*(mem(cpy|move)|__)'

# The tracer: one copy of the loop over faces, one value at a time, branches on compares, no call but the exponential.
holds words.ll march ' fdiv ' 4 'faces: one division, colours: three; a second copy would have its own'
holds words.ll march ' fcmp ' 4 'one compare by face, two in front, one by cell'
holds words.ll march '<[0-9]+ x float>' 0 'no vectors of more than a pair'
holds words.ll march 'br i1' 5+ 'compares end in branches'
holds words.ll march 'select i1 .*float' 1 'the nearest distance is chosen'
holds words.s march 'call' 1 'the exponential alone'
holds eight.s march '(ss|ps)[[:space:]].*-byte (Folded )?Reload' 4+ 'floats outnumber eight registers'
holds pairs.ll march '<2 x float>' 1+ 'neighbouring floats come in pairs'
# Routers: a division in line, no unrolled copies of the passes, words in line.
holds words.ll count ' load i32,' 1 'one copy of the pass: a count is read at one place'
holds words.s count 'mulhu' 1 'slots of 20 bytes by a multiplication'
holds words.s count "$library" 0 'no call'
holds words.s forward '[[:space:]]sw[[:space:]]' 5 'five words'
holds words.s forward_long '[[:space:]]sw[[:space:]]' 6 'six words'
holds words.s forward "$library|tail" 0 'no call'
holds words.s forward_long "$library|tail" 0 'no call'
holds words.s forward_two '(call|tail)[[:space:]].*memcpy' 1 'ten words are a call'
# The generator: small stores without alignment for a new ray, a call for bytes.
holds words.ll new_ray 'store i16 .*align 1$' 6 'halves one by one'
holds words.ll new_ray 'store i32 .*align 1$' 2 'words without alignment'
holds words.ll new_ray 'mem(cpy|move)' 0 'no copy is left'
holds words.s ring_ray '(call|tail)[[:space:]].*mem(cpy|move)' 1 'bytes are a call'
# Divisions and doubles.
holds words.s word_by_constant 'mulhu' 1 'a multiplication'
holds words.s word_by_constant "divu|$library" 0 'neither division nor call'
holds words.s half_by_constant "mulhu|divu|$library" 0 'neither a long one nor a call'
holds words.s half_by_constant '[[:space:]]mul[[:space:]]' 1 'a short multiplication'
holds words.s word_by_variable 'remu' 1 'a division'
holds words.s passes_half '(call|tail)[[:space:]].*__(extendsfdf2|gtdf2)' 2 'a double: two calls'
# The path tracer's rays, its tests of objects; a stencil.
holds before.ll rays 'call float @tangent' 1 'the tangent stands before the loops'
holds paint.ll rays 'call float @tangent' 1 'and nowhere else'
holds paint.ll rays 'store i16 .*align 2' 3 'three halves do not merge'
holds paint.ll rays ' fdiv ' 3 'a division a ray, one a row, one before'
holds paint.ll nearest ' fcmp ' 2 'one copy of the loop, a branch for each compare'
holds paint.ll nearest 'store i8 ' 1 'a byte is stored for each nearer hit'
holds paint.s blur '[[:space:]]flw[[:space:]]' 39 'nine loads a number and three constants: nothing read again'
holds paint.s blur '[[:space:]]fsw[[:space:]]' 4 'a store a number'
holds paint.s blur '[[:space:]]lw[[:space:]]' 2 'the size is read before the loops'
# The neural path tracer's walks: an interval in memory, compares that stay compares, calls of what is in other files.
holds walks.ll box ' fcmp ' 12 'four compares a slab'
holds walks.ll box 'select i1 .*float' 9 'three choices of a float a slab, each a branch on the tile'
holds walks.ll box 'f(min|max)num|(min|max)imum' 0 'floats are not reordered: no minimum'
holds walks.ll box 'store float' 6 'both ends of the interval are stored at each slab'
holds walks.ll box 'load (float|half)' 19 'six loads a slab, and one more at the first'
holds walks.s walk 'call[[:space:]].*test_node' 1 'the test of a node is a call'
holds walks.s walk 'call[[:space:]].*look_up' 1 'so is the primitive'
holds walks.s walk 'jalr' 1 'and its test, over a table'
holds walks.ll walk ' fdiv ' 3 'three reciprocals a segment'
holds walks.ll unit ' fdiv ' 1 'one over a root'
[ "$faults" -eq 0 ] || exit 1
echo "ok: loops, divisions and copies of the stand-ins are as counted"
