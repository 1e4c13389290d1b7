# The library's exact Ewald sums (enuf_exact_ewald), called through ctypes. They are the reference; they share no code
# with the styles under test. SPDX-License-Identifier: BSD-3-Clause
import ctypes
import math
import os
import sys
from ctypes import byref, c_char_p, c_double, c_int64, cast, c_void_p

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'python', 'enuf'))
from _structs import ExactOptions, ExactResult, Exclusions  # noqa: E402: the file alone, which needs no NumPy


class Exact:
    """Exact energy, virial (xx, yy, zz, xy, xz, yz), forces and atom_energy of charges in a cell."""

    def __init__(self, library, cell, positions, charges, coulomb, slab=0.0, exclusions=()):
        lib = ctypes.CDLL(library)
        lib.enuf_last_error.restype = c_char_p
        options = ExactOptions()
        lib.enuf_exact_options_init(byref(options))
        if options.struct_size != ctypes.sizeof(ExactOptions):
            raise RuntimeError('enuf_exact_options has changed: python/enuf/_structs.py has to follow')
        options.coulomb, options.slab, options.threads = coulomb, slab, 1
        n = len(charges)
        forces, potential = (c_double * (3 * n))(), (c_double * n)()
        sums = ExactResult(forces=cast(forces, c_void_p), potential=cast(potential, c_void_p))
        flat = [v for row in cell for v in row]
        pairs = (c_int64 * (2 * len(exclusions)))(*[i for e in exclusions for i in e[:2]])
        weights = (c_double * len(exclusions))(*[e[2] for e in exclusions])
        excluded = Exclusions(len(exclusions), cast(pairs, c_void_p), cast(weights, c_void_p))
        status = lib.enuf_exact_ewald(
            byref(options), (c_double * 9)(*flat), c_int64(n),
            (c_double * (3 * n))(*[v for x in positions for v in x]), c_int64(3),
            (c_double * n)(*charges), byref(excluded) if exclusions else None, c_int64(n), None,
            byref(sums))
        if status:
            raise RuntimeError(lib.enuf_last_error().decode())
        self.energy = sums.energy
        self.virial = list(sums.virial)
        self.forces = [list(forces[3 * i:3 * i + 3]) for i in range(n)]
        self.atom_energy = [0.5 * q * potential[i] for i, q in enumerate(charges)]
        if not math.isfinite(self.energy):
            raise RuntimeError('the exact energy is not finite')
