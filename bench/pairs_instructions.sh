#!/bin/sh
# Counts the instructions of the pair kernel's loops (energy and forces) in an object, as input of pairs_roof.
# Needs objdump; reads the kernels for AVX-512 only. The loops:
#   find         finds which neighbours of a vector are inside the cutoff
#   function     once for a vector of packed pairs
#   coefficient  for each coefficient of the polynomials and a vector of packed pairs
#   add          adds to the sums of a vector of neighbours of which some are inside the cutoff
# SPDX-License-Identifier: BSD-3-Clause
#
#   bench/pairs_instructions.sh build/release/ewald/enuf_ewald_cpu_x86_64_v4.o
#
# Classes: multiply (fused multiply-adds, minima, comparisons: Zen's pipes 0 and 1), rsqrt, add (additions, conversions,
# masked moves: pipes 2 and 3), shuffle, pack (compress, expand). load and store count operands in memory, so that an
# instruction may be in two classes. total is all instructions, with masks and loop counters.
set -eu
objdump -d --no-show-raw-insn "$1" | awk -F '\t' '
function class_of(text,    name) {
    name = text
    sub(/[ \t].*/, "", name)
    if (name ~ /^vrsqrt/) return "rsqrt"
    if (name ~ /^v(fm|fn|mul|min|max|cmp)/) return "multiply"
    if (name ~ /^vperm/) return "shuffle"
    if (name ~ /^v(compress|expand)/) return "pack"
    if (name ~ /^v(add|sub|psub|padd|cvt)/) return "add"
    if (name ~ /^vmov/ && text ~ /\{%k/) return "add"
    return "other"
}
function count(first, last, skip_first, skip_last,    k) {
    split("", n)
    for (k = first; k <= last; k++) {
        if (k >= skip_first && k <= skip_last) continue
        n["total"]++
        n[class_of(code[k])]++
        if (code[k] !~ /^(v|kmov)/ || code[k] !~ /\(%r/) continue
        n[code[k] ~ /\)$/ ? "store" : "load"]++
    }
}
function print_counts(loop) {
    printf "%s %s multiply %d rsqrt %d add %d shuffle %d pack %d load %d store %d total %d\n",
        precision, loop, n["multiply"], n["rsqrt"], n["add"], n["shuffle"], n["pack"], n["load"],
        n["store"], n["total"]
}
# The smallest loop (backward jump) around the lines first to last that holds `what`.
function find_loop(what, first, last,    k, begin, held, m) {
    loop_first = 0
    for (k = 1; k <= lines; k++) {
        if (code[k] !~ /^j/) continue
        split(code[k], word, /[ \t]+/)
        begin = at[word[2]]
        if (!begin || begin > k || (first && (begin >= first || k <= last))) continue
        if (loop_first && k - begin >= loop_last - loop_first) continue
        held = 0
        for (m = begin; m <= k; m++) held += code[m] ~ what
        if (!held) continue
        loop_first = begin
        loop_last = k
    }
    return loop_first
}
function count_around(what, loop) {
    if (!find_loop(what, 0, 0)) return
    count(loop_first, loop_last, 0, -1)
    print_counts(loop)
}
function finish(    inner_first, inner_last, k) {
    if (!find_loop("^vperm(pd|ps)", 0, 0)) return
    inner_first = loop_first
    inner_last = loop_last
    precision = "double"
    for (k = inner_first; k <= inner_last; k++)
        if (code[k] ~ /^vpermps/) precision = "float"
    count(inner_first, inner_last, 0, -1)
    print_counts("coefficient")
    if (!find_loop("^vperm(pd|ps)", inner_first, inner_last)) return
    count(loop_first, loop_last, inner_first, inner_last)
    print_counts("function")
    count_around("^vcmple", "find")
    count_around("^vexpand", "add")
}
/^[0-9a-f]+ <.*>:$/ { if (inside) finish(); inside = /<both>:$/; lines = 0; split("", at); next }
inside && NF >= 2 {
    sub(/^ +/, "", $1)
    sub(/:$/, "", $1)
    code[++lines] = $2
    at[$1] = lines
}
END { if (inside) finish() }
'
