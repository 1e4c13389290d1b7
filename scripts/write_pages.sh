#!/usr/bin/env bash
# Writes what the program enuf tells of its options into a folder: the manual page, and what shells
# complete its words by. `make pages` does so for src/cli/generated.
#
#     scripts/write_pages.sh ENUF FOLDER
#
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
enuf=$1 folder=$2
mkdir -p "$folder"
"$enuf" --man >"$folder/enuf.1"
"$enuf" --completion bash >"$folder/enuf.bash"
"$enuf" --completion zsh >"$folder/_enuf"
"$enuf" --completion fish >"$folder/enuf.fish"
