# The library's exact Ewald sums (enuf_exact_ewald), called through ctypes. They are the reference; they share no code
# with the styles under test. SPDX-License-Identifier: BSD-3-Clause
import ctypes
import math
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p


class Options(Structure):
    _fields_ = [('struct_size', c_size_t), ('alpha', c_double), ('cutoff', c_double),
                ('kmax', c_double), ('coulomb', c_double), ('surroundings', c_double),
                ('slab', c_double), ('threads', c_int), ('isa', c_int), ('log', c_void_p),
                ('log_context', c_void_p), ('backend', c_int), ('device', c_int)]


class Parts(Structure):
    _fields_ = [(name, c_double) for name in ('real', 'reciprocal', 'self_', 'background',
                                              'surface', 'excluded')]


class Sums(Structure):
    _fields_ = [('energy', c_double), ('parts', Parts), ('virial', c_double * 6),
                ('forces', POINTER(c_double)), ('potential', POINTER(c_double))]


class Exclusions(Structure):
    _fields_ = [('n', c_int64), ('pairs', POINTER(c_int64)), ('weights', POINTER(c_double))]


class Exact:
    """Exact energy, virial (xx, yy, zz, xy, xz, yz), forces and atom_energy of charges in a cell."""

    def __init__(self, library, cell, positions, charges, coulomb, slab=0.0, exclusions=()):
        lib = ctypes.CDLL(library)
        lib.enuf_last_error.restype = c_char_p
        options = Options()
        lib.enuf_exact_options_init(byref(options))
        if options.struct_size != ctypes.sizeof(Options):
            raise RuntimeError('enuf_exact_options has changed: exact_sums.py has to follow')
        options.coulomb, options.slab, options.threads = coulomb, slab, 1
        n = len(charges)
        forces, potential = (c_double * (3 * n))(), (c_double * n)()
        sums = Sums(forces=forces, potential=potential)
        flat = [v for row in cell for v in row]
        pairs = (c_int64 * (2 * len(exclusions)))(*[i for e in exclusions for i in e[:2]])
        weights = (c_double * len(exclusions))(*[e[2] for e in exclusions])
        excluded = Exclusions(len(exclusions), pairs, weights)
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
