#!/usr/bin/env bash
# `mpirun -n P enuf energy FILE --backend cuda` on water gives energy, virial and forces of one process on a GPU to
# 1e-12, with one leader on each GPU and with every rank a leader. The report names the GPUs, the transport and the
# ions of each rank. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
command -v python3 >/dev/null || { echo 'skipped: no python3 to read JSON with'; exit 77; }
ranks=$1
run=$(dirname "${BASH_SOURCE[0]}")/../mpi/run_ranks.sh
mkdir -p "$SCRATCH"
cd "$SCRATCH"
rm -f ./*.xyz ./*.json
water=$EXAMPLES/water.data
# parameters depend on the number of GPUs, so they are given
options=(--exclude molecule --virial --backend cuda --precision double --json
    --accuracy 1e-4 --split gaussian --alpha 0.42 --cutoff 9 --kmax 9 --grid 32,32,32 --width 10)
if ! "$ENUF" energy "$water" "${options[@]}" --forces one.xyz >one.json 2>err; then
    grep -q 'no usable GPU' err || { cat err; exit 1; }
    echo "skipped: $(cat err)"
    exit 77
fi
for leaders in 1 "$ranks"; do
    ENUF_LEADERS_PER_DEVICE=$leaders "$run" "$ranks" "$ENUF" energy "$water" "${options[@]}" --forces many.xyz >many.json
    python3 - "$ranks" "$leaders" <<'END'
import json, sys

def ions(file):
    return [[float(x) for x in line.split()[1:]] for line in open(file).read().splitlines()[2:]]

ranks, leaders = int(sys.argv[1]), int(sys.argv[2])
one, many = json.load(open("one.json")), json.load(open("many.json"))
worst = abs(many["energy"] / one["energy"] - 1)
for key in one["virial"]:
    worst = max(worst, abs(many["virial"][key] - one["virial"][key]) / abs(one["energy"]))
a, b = ions("one.xyz"), ions("many.xyz")
largest = max(abs(x) for row in a for x in row[4:])
assert len(a) == len(b) == one["ions"]
worst = max(worst, max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p[4:], q[4:])) / largest)
mpi = many["mpi"]
print(f"{ranks} ranks on {mpi['devices']} GPUs, transport {mpi['transport']}: largest difference {worst:.2e}, bound 1e-12")
assert worst <= 1e-12
assert many["backend"] == "cuda" and 1 <= mpi["devices"] <= ranks, mpi
assert (mpi["transport"] == "none") == (mpi["devices"] == 1 and leaders == 1), mpi
assert sum(mpi["points_per_rank"]) == one["ions"], mpi
END
done
