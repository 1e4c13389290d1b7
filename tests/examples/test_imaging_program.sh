#!/usr/bin/env bash
# The program of examples/imaging: good files give an image, as an array and as a picture; wrong ones give one line
# with the array, its shape and what would be right, and no image.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SUPPORT/expect.sh"
folder=$SCRATCH/imaging_program
rm -rf "$folder"
mkdir -p "$folder/good" "$folder/other"
simulate() { # folder, option...
    local where=$1
    shift
    "$IMAGING" simulate "$where" --phantom heart --trajectory golden --side 32 --frames 2 --coils 2 "$@"
}
expect 'simulate succeeds' simulate "$folder/good" >/dev/null
simulate "$folder/other" --reduction 2 --coils 3 >/dev/null

# Good files
for way in '' '--method cg --iterations 4' '--backend cpu' '--density iterative --iterations 4' \
    '--window gaussian --width 4 --upsampling 2'; do
    rm -f "$folder"/good/image.*
    # shellcheck disable=SC2086 # words of options
    expect "reconstruct $way" "$IMAGING" reconstruct "$folder/good" $way >"$folder/out" 2>"$folder/err"
    expect 'it is quiet in a pipe: one line, no progress' test "$(grep -c 'relative error' "$folder/out")" -eq 1 -a ! -s "$folder/err"
    # 128 bytes of header; 2 frames of 32 x 32 complex doubles
    expect 'image.npy has its size' test "$(stat -c %s "$folder/good/image.npy")" -eq $((128 + 2 * 32 * 32 * 16))
    expect 'image.png has its signature' test "$(head -c 8 "$folder/good/image.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a
    expect 'no part of a file is left' test -z "$(find "$folder" -name '*.part')"
done
if command -v python3 >/dev/null; then
    expect 'the picture unpacks to 2 images of 32 x 32, with light and dark pixels' python3 - "$folder/good/image.png" <<'PNG'
import struct, sys, zlib
data, at, stream = open(sys.argv[1], 'rb').read(), 8, b''
while at < len(data):
    length, kind = struct.unpack('>I4s', data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
    if kind == b'IHDR':
        assert struct.unpack('>IIBBBBB', body) == (64, 32, 8, 0, 0, 0, 0)
    if kind == b'IDAT':
        stream += body
    at += 12 + length
rows = zlib.decompress(stream)
assert len(rows) == 32 * 65 and max(rows) == 255 and sorted(rows)[len(rows) // 2] < 64
PNG
fi
if command -v script >/dev/null; then
    script -qec "$IMAGING reconstruct $folder/good --method cg --iterations 4" /dev/null </dev/null >"$folder/terminal" || true
    expect 'a terminal sees the steps' grep -q 'conjugate gradients 3/4' "$folder/terminal"
fi

# Wrong files: the first word names the array, the others stand in the line
bad=$folder/bad
begin() {
    rm -rf "$bad"
    cp -r "$folder/good" "$bad"
    rm -f "$bad"/image.*
}
refused() { # what, pattern of the line, option...
    local what=$1 pattern=$2
    shift 2
    if "$IMAGING" reconstruct "$bad" "$@" >"$folder/out" 2>"$folder/err"; then
        echo "FAILED: $what is taken"
        status=1
    fi
    expect "$what: one line" test "$(wc -l <"$folder/err")" -eq 1
    expect "$what: says $pattern" grep -qE -- "$pattern" "$folder/err"
    expect "$what: no image" test -z "$(find "$bad" -name 'image*')"
    cat "$folder/err"
}
begin
cp "$folder/other/weights.npy" "$bad"
refused 'weights of another length' '/weights\.npy has the shape \(2, 832\): trajectory\.npy needs \(2, 1632\)'
begin
{ head -c 128 "$folder/good/weights.npy" && head -c $((2 * 1632 * 8)) /dev/zero; } >"$bad/weights.npy"
refused 'weights of zero' '/weights\.npy, shape \(2, 1632\): all weights are 0.*--density iterative'
begin
cp "$folder/other/maps.npy" "$bad"
refused 'more coils than data' '/maps\.npy has the shape \(3, 32, 32\), with 3 coils, but data\.npy has 2'
begin
head -c 5000 "$folder/good/data.npy" >"$bad/data.npy"
refused 'truncated data' '/data\.npy, shape \(2, 2, 1632\) of complex128, has 4872 bytes .* of 104448: .*copy it again'
begin
head -c 60 "$folder/good/data.npy" >"$bad/data.npy"
refused 'a truncated header' '/data\.npy is no array of NumPy, or its header is cut off'
begin
sed "1s/'<c16'/'>c16'/" "$folder/good/data.npy" >"$bad/data.npy"
refused 'swapped bytes' "/data\.npy holds numbers of type '>c16', whose bytes are swapped: write '<c16'"
begin
sed "1s/'<f8'/'<f4'/" "$folder/good/trajectory.npy" >"$bad/trajectory.npy"
refused 'float coordinates' "/trajectory\.npy holds numbers of type '<f4': write '<f8'"
begin
sed '1s/False/True /' "$folder/good/data.npy" >"$bad/data.npy"
refused 'Fortran order' '/data\.npy, shape \(2, 2, 1632\), is in Fortran order'
begin
{ head -c 128 "$folder/good/data.npy" && yes $'\xff' | tr -d '\n' | head -c $((4 * 1632 * 16)) || true; } >"$bad/data.npy"
refused 'data of NaN' '/data\.npy, shape \(2, 2, 1632\): element 0 is not finite'
begin
cp "$folder/other/trajectory.npy" "$bad"
refused 'samples without data' '/trajectory\.npy has the shape \(2, 832, 2\): data\.npy needs \(1632, 2\) or \(2, 1632, 2\)'
begin
rm "$bad/maps.npy"
refused 'an unknown side' 'has no maps\.npy, .*: give --side'
refused 'samples outside' '/trajectory\.npy, shape \(2, 1632, 2\): sample .* than side / 2 = 10: give --side 32' --side 20
begin
refused 'another side' '/maps\.npy has the shape \(2, 32, 32\): --side 40 needs \(2, 40, 40\)' --side 40
refused 'an option of another command' '^imaging: --noise is no option of reconstruct' --noise 1
refused 'an unknown choice' "^imaging: --method 'fft': use gridding or cg" --method fft
refused 'half of a method' 'give --width and --upsampling together' --width 4
refused 'an unknown backend' "^imaging: --backend 'gpu': use auto, cpu or cuda" --backend gpu
if ! "$IMAGING" reconstruct "$bad" --backend cuda >/dev/null 2>&1; then
    refused 'a GPU that is not there' '^imaging: --backend cuda: .*; without one use --backend cpu' --backend cuda
fi
rm -f "$bad"/image.*
refused 'a number out of range' "^imaging: --iterations '0': use a whole number from 1 to 10000" --iterations 0
begin
rm "$bad/data.npy"
refused 'no data' '/data\.npy could not be read: No such file'

begin
cp "$folder/other/maps.npy" "$bad/truth.npy"
refused 'a truth of complex numbers' "/truth\.npy holds numbers of type '<c16': write '<f8'"

# A file that cannot take its name leaves no part
begin
mkdir "$bad/image.npy"
if "$IMAGING" reconstruct "$bad" >/dev/null 2>"$folder/err"; then status=1; fi
expect 'a folder in the way is named' grep -qE '/image\.npy could not be written: ' "$folder/err"
expect 'no part is left' test -z "$(find "$bad" -name '*.part')" -a ! -e "$bad/image.png"

expect 'help' grep -q '^Usage: imaging COMMAND FOLDER' <("$IMAGING" --help)
exit $status
