#!/usr/bin/env bash
# `mpirun -n P enuf energy FILE` on water and on a trajectory gives the energies, forces and per-atom values of one
# process to 1e-12, one report, and files in the order of the input, with both decompositions. `mpirun -n P enuf tune`
# predicts and times both. An error gives one line on stderr and the same exit status on all ranks.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
command -v python3 >/dev/null || { echo 'skipped: no python3 to read JSON with'; exit 77; }
ranks=$1
run=$(dirname "${BASH_SOURCE[0]}")/../mpi/run_ranks.sh
mkdir -p "$SCRATCH"
cd "$SCRATCH"
rm -f ./*.xyz ./*.json
fail() {
    echo "FAILED: $*"
    exit 1
}

water=$EXAMPLES/water.data
"$ENUF" energy "$water" --exclude molecule --virial --forces one.xyz --per-atom atoms_one.xyz --json >one.json
for decomposition in replicated distributed; do
    "$run" "$ranks" "$ENUF" energy "$water" --exclude molecule --virial --forces many.xyz \
        --per-atom atoms_many.xyz --json --decomposition $decomposition >many.json
    python3 - "$ranks" $decomposition <<'END'
import json, sys

def ions(file):
    lines = open(file).read().splitlines()
    return lines[0], [line.split() for line in lines[2:]]

ranks, decomposition = int(sys.argv[1]), sys.argv[2]
one, many = json.load(open("one.json")), json.load(open("many.json"))
worst = abs(many["energy"] / one["energy"] - 1)
for key in one["virial"]:
    worst = max(worst, abs(many["virial"][key] - one["virial"][key]) / abs(one["energy"]))
for pair in ("one.xyz", "many.xyz"), ("atoms_one.xyz", "atoms_many.xyz"):
    (n, a), (m, b) = ions(pair[0]), ions(pair[1])
    assert n == m and len(a) == len(b) == one["ions"], (n, m)
    largest = max(abs(float(x)) for row in a for x in row[5:])
    for p, q in zip(a, b):
        assert p[:5] == q[:5], (p, q)  # species, place and charge: the order of the input
        worst = max(worst, max(abs(float(x) - float(y)) for x, y in zip(p[5:], q[5:])) / largest)
print(f"{decomposition}, {ranks} ranks: largest difference {worst:.2e}, bound 1e-12")
assert worst <= 1e-12
mpi = many["mpi"]
assert mpi["decomposition"] == decomposition and mpi["ranks"] == ranks and one["mpi"] is None, mpi
assert len(mpi["points_per_rank"]) == len(mpi["grid_cells_per_rank"]) == len(mpi["bytes_sent"]) == ranks
assert sum(mpi["points_per_rank"]) == one["ions"]
assert ranks == 1 or max(mpi["points_per_rank"]) < one["ions"], mpi  # they share the work
assert (sum(mpi["bytes_sent"]) > 0) == (ranks > 1)
for key in one["parameters"]:  # only the number of threads may differ
    assert key == "threads" or one["parameters"][key] == many["parameters"][key], key
END
done

# a trajectory, whose parameters are chosen for its first frame, then a file with another number of ions
python3 - "$EXAMPLES/molten_nacl.xyz" >frames.xyz <<'END'
import random, sys
random.seed(5)
lines = open(sys.argv[1]).read().splitlines()
for frame in range(3):
    scale = 1 + 0.002 * frame
    print(lines[0])
    print(lines[1].replace("31.862", repr(31.862 * scale)))
    for line in lines[2 : 2 + int(lines[0])]:
        words = line.split()
        words[1:4] = [repr(scale * float(x) + random.uniform(-0.3, 0.3) * frame) for x in words[1:4]]
        print(" ".join(words))
END
"$ENUF" energy frames.xyz "$water" --json --forces one.xyz >one.json
"$run" "$ranks" "$ENUF" energy frames.xyz "$water" --json --forces many.xyz >many.json
python3 - <<'END'
import json
one, many = ([json.loads(line) for line in open(name)] for name in ("one.json", "many.json"))
assert len(one) == len(many) == 4
for a, b in zip(one, many):
    assert abs(b["energy"] / a["energy"] - 1) < 1e-12, (a["energy"], b["energy"])
    a["parameters"]["threads"] = b["parameters"]["threads"]
    assert a["parameters"] == b["parameters"], (a["frame"], a["parameters"], b["parameters"])
    assert a["accuracy"]["predicted"] == b["accuracy"]["predicted"], (a["frame"], a["accuracy"], b["accuracy"])
END
paste -d ' ' one.xyz many.xyz | awk 'NF == 16 { for (i = 6; i <= 8; i++) if (($i - $(i + 8))^2 > 1e-20) exit 1 }' ||
    fail "other forces in a trajectory"

# tune: times of both decompositions, predicted and measured; it names the one with the smaller prediction
"$run" "$ranks" "$ENUF" tune "$water" --candidates 2 --json >tuned.json
"$run" "$ranks" "$ENUF" tune "$water" --candidates 2 --ranks 64 --json >tuned_64.json
python3 - "$ranks" <<'END'
import json, sys
ranks, tuned, more = int(sys.argv[1]), json.load(open("tuned.json")), json.load(open("tuned_64.json"))["mpi"]
mpi = tuned["mpi"]
assert more["ranks"] == 64 and more["replicated"]["seconds"] is None, more
if ranks == 1:
    assert mpi is None
    sys.exit()
assert mpi["ranks"] == ranks and mpi["threads"] == 1 and mpi["charges"] == 300, mpi
cheaper = min(("replicated", "distributed"), key=lambda name: mpi[name]["predicted_seconds"])
assert mpi["decomposition"] == cheaper, mpi
for name in "pairs", "replicated", "distributed":
    cost = mpi[name]
    assert cost["predicted_seconds"] > cost["work_seconds"] > 0 and cost["seconds"] > 0, (name, cost)
    assert cost["bytes_sent"] > 0 and cost["messages"] > 0 and cost["bytes_held"] > 0, (name, cost)
print("tune:", {name: mpi[name]["seconds"] for name in ("pairs", "replicated", "distributed")})
END

status=0
"$run" "$ranks" "$ENUF" tune missing.data >out 2>err || status=$?
[ $status -eq 2 ] || fail "exit status $status for a file that is missing"
[ "$(grep -c '^enuf tune: cannot open' err)" -eq 1 ] || fail "not one line on stderr: $(cat err)"
status=0
"$run" "$ranks" "$ENUF" energy missing.data >out 2>err || status=$?
[ $status -eq 2 ] || fail "exit status $status for a file that is missing"
[ "$(grep -c '^enuf energy: cannot open' err)" -eq 1 ] || fail "not one line on stderr: $(cat err)"
[ ! -s out ] || fail "a report after an error"
status=0
"$run" "$ranks" "$ENUF" energy "$water" --accuracy 7 >out 2>err || status=$?
[ $status -eq 2 ] || fail "exit status $status for a bad option"
[ "$(grep -c '^enuf energy: ' err)" -eq 1 ] || fail "not one line on stderr: $(cat err)"
# several files: a line of JSON for each, one line on stderr for the missing file
status=0
"$run" "$ranks" "$ENUF" energy "$water" missing.data "$water" --json >out 2>err || status=$?
[ $status -eq 2 ] || fail "exit status $status for a file among others that is missing"
[ "$(grep -c '^{"input":' out)" -eq 2 ] || fail "not a line for each of two files: $(cat out)"
[ "$(grep -c '^enuf energy: cannot open missing.data' err)" -eq 1 ] || fail "stderr: $(cat err)"
# the program asks MPI for MPI_THREAD_FUNNELED, and refuses an MPI that does not provide it
if [ -n "${MPI_LEVELS:-}" ]; then
    LD_PRELOAD=$MPI_LEVELS "$run" "$ranks" "$ENUF" info >out 2>err || fail "exit status $?: $(cat err)"
    status=0
    LD_PRELOAD=$MPI_LEVELS ENUF_TEST_NO_THREADS=1 "$run" "$ranks" "$ENUF" info >out 2>err || status=$?
    [ $status -ne 0 ] || fail 'an MPI without threads was accepted'
    grep -q 'MPI_THREAD_FUNNELED' err || fail "stderr does not name MPI_THREAD_FUNNELED: $(cat err)"
fi
# all other commands run on rank 0 only
[ "$("$run" "$ranks" "$ENUF" --version | grep -c '^enuf ')" -eq 1 ] || fail "--version from every rank"
