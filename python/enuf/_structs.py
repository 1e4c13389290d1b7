"""The records of the public headers, for ctypes. tests/python/test_records.py compares them with the compiler's.

Needs nothing but the standard library: the tests of the LAMMPS plugin read it too.
SPDX-License-Identifier: BSD-3-Clause
"""
from ctypes import (CFUNCTYPE, Structure, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p)

HOST, DEVICE = 0, 1  # enuf_memory
DOUBLE, FLOAT = 0, 1  # enuf_precision
COMPLEX_STRENGTHS, REAL_STRENGTHS = 0, 1  # enuf_strengths
CENTRED, FFT_ORDER = 0, 1  # enuf_mode_order
REAL, COMPLEX = 0, 1  # enuf_multiplier

PAIR_PIECES, PAIR_COEFFICIENTS = 8, 24

#: enuf_log: receives a context and a line of text
Log = CFUNCTYPE(None, c_void_p, c_char_p)


class EwaldOptions(Structure):
    """enuf_ewald_options"""
    _fields_ = [
        ('struct_size', c_size_t), ('accuracy', c_double), ('force_error', c_double),
        ('lammps_accuracy', c_double), ('coulomb', c_double), ('split', c_int),
        ('cutoff', c_double), ('alpha', c_double), ('c', c_double), ('kmax', c_double),
        ('grid', c_int64 * 3), ('window', c_int), ('width', c_int), ('shape', c_double),
        ('surroundings', c_double), ('slab', c_double), ('keep_net_force', c_int),
        ('truncated', c_int), ('arithmetic', c_int), ('backend', c_int), ('isa', c_int),
        ('memory', c_int), ('device', c_int), ('stream', c_void_p), ('threads', c_int),
        ('deterministic', c_int), ('fft_effort', c_int), ('fft_wisdom', c_char_p),
        ('memory_limit', c_int64), ('calibration_file', c_char_p), ('log', Log),
        ('log_context', c_void_p), ('evaluations', c_int64), ('decomposition', c_int),
        ('fft', c_int)]


class Exclusions(Structure):
    """enuf_exclusions"""
    _fields_ = [('n', c_int64), ('pairs', c_void_p), ('weights', c_void_p)]


class EwaldParts(Structure):
    """enuf_ewald_parts"""
    _fields_ = [(name, c_double) for name in
                ('real', 'reciprocal', 'self', 'background', 'surface', 'excluded')]


class EwaldResult(Structure):
    """enuf_ewald_result"""
    _fields_ = [
        ('struct_size', c_size_t), ('add', c_int), ('energy', c_double), ('parts', EwaldParts),
        ('virial', c_double * 6), ('net_force', c_double * 3), ('forces', c_void_p),
        ('atom_energy', c_void_p), ('atom_virial', c_void_p), ('potential', c_void_p),
        ('field', c_void_p), ('totals', c_void_p)]


class EwaldResultF32(Structure):
    """enuf_ewald_result_f32"""
    _fields_ = EwaldResult._fields_


class EwaldDirection(Structure):
    """enuf_ewald_direction"""
    _fields_ = [('struct_size', c_size_t), ('positions', c_void_p), ('charges', c_void_p),
                ('cell', c_void_p)]


class EwaldSlopes(Structure):
    """enuf_ewald_slopes"""
    _fields_ = [
        ('struct_size', c_size_t), ('energy', c_double), ('virial', c_double * 6),
        ('cell', c_double * 9), ('forces', c_void_p), ('potential', c_void_p)]


class EwaldError(Structure):
    """enuf_ewald_error"""
    _fields_ = [
        ('struct_size', c_size_t), ('sample', c_int64), ('rms_force', c_double),
        ('worst_force', c_double), ('accuracy', c_double), ('rms_of_forces', c_double),
        ('energy', c_double), ('energy_scale', c_double), ('virial', c_double)]


class EwaldReport(Structure):
    """enuf_ewald_report"""
    _fields_ = [
        ('struct_size', c_size_t), ('backend', c_int), ('arithmetic', c_int), ('split', c_int),
        ('alpha', c_double), ('c', c_double), ('cutoff', c_double), ('kmax', c_double),
        ('modes', c_int64 * 3), ('grid', c_int64 * 3), ('window', c_int), ('width', c_int),
        ('shape', c_double), ('f_ref', c_double), ('requested', c_double),
        ('predicted', c_double), ('predicted_real', c_double),
        ('predicted_truncation', c_double), ('predicted_mesh', c_double),
        ('predicted_rounding', c_double), ('measured', c_double), ('net_charge', c_double),
        ('threads', c_int), ('seconds_real', c_double), ('seconds_reciprocal', c_double),
        ('bytes', c_int64), ('energy_tail', c_double), ('virial_tail', c_double * 6),
        ('energy_bias', c_double), ('virial_bias', c_double), ('basis', c_double * 9),
        ('calibrated', c_int), ('verified', c_double)]


class EwaldCandidate(Structure):
    """enuf_ewald_candidate"""
    _fields_ = [
        ('struct_size', c_size_t), ('chosen', c_int), ('split', c_int), ('alpha', c_double),
        ('c', c_double), ('cutoff', c_double), ('kmax', c_double), ('modes', c_int64 * 3),
        ('grid', c_int64 * 3), ('window', c_int), ('width', c_int), ('shape', c_double),
        ('predicted', c_double), ('seconds_real', c_double), ('seconds_reciprocal', c_double)]


class PairFunctions(Structure):
    """enuf_pair_functions"""
    _fields_ = [
        ('struct_size', c_size_t), ('cutoff', c_double), ('n_energy', c_int), ('n_force', c_int),
        ('energy', c_double * PAIR_PIECES * PAIR_COEFFICIENTS),
        ('force', c_double * PAIR_PIECES * PAIR_COEFFICIENTS)]


class ExactOptions(Structure):
    """enuf_exact_options"""
    _fields_ = [
        ('struct_size', c_size_t), ('alpha', c_double), ('cutoff', c_double),
        ('kmax', c_double), ('coulomb', c_double), ('surroundings', c_double),
        ('slab', c_double), ('threads', c_int), ('isa', c_int), ('log', Log),
        ('log_context', c_void_p), ('backend', c_int), ('device', c_int)]


class ExactResult(Structure):
    """enuf_exact_result"""
    _fields_ = [('energy', c_double), ('parts', EwaldParts), ('virial', c_double * 6),
                ('forces', c_void_p), ('potential', c_void_p)]


class BatchOptions(Structure):
    """enuf_ewald_batch_options"""
    _fields_ = [
        ('struct_size', c_size_t), ('precision', c_int), ('arithmetic', c_int),
        ('tolerance', c_double), ('coulomb', c_double), ('surroundings', c_double),
        ('backend', c_int), ('isa', c_int), ('memory', c_int), ('device', c_int),
        ('stream', c_void_p), ('threads', c_int)]


class NufftOptions(Structure):
    """enuf_nufft_options"""
    _fields_ = [
        ('struct_size', c_size_t), ('dim', c_int), ('modes', c_int64 * 3), ('precision', c_int),
        ('strengths', c_int), ('sign', c_int), ('type2_sign', c_int), ('batch', c_int),
        ('mode_order', c_int), ('period', c_double), ('tolerance', c_double),
        ('gradients', c_int), ('point_sets', c_int), ('type3', c_int), ('window', c_int),
        ('width', c_int), ('shape', c_double), ('upsampling', c_double),
        ('fine_grid', c_int64 * 3), ('density', c_double), ('backend', c_int), ('isa', c_int),
        ('memory', c_int), ('device', c_int), ('stream', c_void_p), ('threads', c_int),
        ('deterministic', c_int), ('strength_bound', c_double), ('fft_effort', c_int),
        ('fft_wisdom', c_char_p), ('memory_limit', c_int64), ('no_grid', c_int),
        ('point_storage', c_int), ('fft', c_int), ('level', c_int), ('spreading', c_int),
        ('interpolation', c_int), ('window_table', c_int)]


class Brick(Structure):
    """enuf_brick"""
    _fields_ = [(name, c_int64 * 3) for name in ('global', 'lo', 'n', 'halo_lo', 'halo_hi', 'stride')]


class NufftReport(Structure):
    """enuf_nufft_report"""
    _fields_ = [
        ('struct_size', c_size_t), ('backend', c_int), ('window', c_int), ('width', c_int),
        ('shape', c_double), ('upsampling', c_double), ('fine_grid', c_int64 * 3),
        ('error', c_double), ('gradient_error', c_double), ('bytes', c_int64),
        ('point_storage', c_int)]


class NufftMethod(Structure):
    """enuf_nufft_method"""
    _fields_ = [('struct_size', c_size_t), ('window', c_int), ('width', c_int), ('shape', c_double),
                ('upsampling', c_double), ('fine_grid', c_int64 * 3), ('level', c_int), ('spreading', c_int),
                ('interpolation', c_int)]


class NufftCandidate(Structure):
    """enuf_candidate"""
    _fields_ = [
        ('struct_size', c_size_t), ('method', NufftMethod), ('state', c_int), ('error', c_double),
        ('bytes', c_int64), ('predicted_seconds', c_double), ('measured_seconds', c_double),
        ('timings', c_int)]


class TuningRequest(Structure):
    """enuf_tuning_request"""
    _fields_ = [
        ('struct_size', c_size_t), ('effort', c_int), ('type1', c_double), ('type2', c_double),
        ('trials', c_int), ('time_limit', c_double), ('any_window', c_int), ('wisdom', c_void_p),
        ('timer', c_void_p), ('timer_context', c_void_p), ('any_level', c_int), ('gram', c_double)]


class EwaldTuningRequest(Structure):
    """enuf_ewald_tuning_request"""
    _fields_ = [
        ('struct_size', c_size_t), ('effort', c_int), ('keep', c_int), ('with_virial', c_int),
        ('uncorrelated', c_int), ('trials', c_int), ('time_limit', c_double), ('memory_limit', c_int64),
        ('dearest', c_double), ('wisdom', c_void_p), ('timer', c_void_p), ('timer_context', c_void_p)]


class EwaldTimed(Structure):
    """enuf_ewald_timed"""
    _fields_ = [
        ('struct_size', c_size_t), ('parameters', EwaldCandidate), ('state', c_int), ('measured_error', c_double),
        ('bytes', c_int64), ('predicted_seconds', c_double), ('measured_seconds', c_double), ('timings', c_int)]


class TrajectoryOptions(Structure):
    """enuf_trajectory_options"""
    _fields_ = [
        ('struct_size', c_size_t), ('kind', c_int), ('dim', c_int), ('modes', c_int64 * 3),
        ('reduction', c_double), ('period', c_double), ('seed', c_uint64)]


class GramReportRecord(Structure):
    """enuf_gram_report"""
    _fields_ = [('struct_size', c_size_t), ('backend', c_int), ('length', c_int64 * 3), ('error', c_double),
                ('bytes', c_int64)]


class DirectOptions(Structure):
    """enuf_direct_options"""
    _fields_ = [
        ('struct_size', c_size_t), ('dim', c_int), ('precision', c_int), ('sign', c_int),
        ('batch', c_int), ('backend', c_int), ('isa', c_int), ('memory', c_int),
        ('device', c_int), ('stream', c_void_p), ('threads', c_int)]


class EncodingOptions(Structure):
    """enuf_encoding_options"""
    _fields_ = [
        ('struct_size', c_size_t), ('dim', c_int), ('pixels', c_int64 * 3), ('precision', c_int),
        ('sign', c_int), ('batch', c_int), ('mode_order', c_int), ('tolerance', c_double),
        ('separation', c_int), ('backend', c_int), ('isa', c_int), ('fft', c_int),
        ('memory', c_int), ('device', c_int), ('stream', c_void_p), ('threads', c_int),
        ('memory_limit', c_int64), ('normal', c_int)]


class EncodingReportRecord(Structure):
    """enuf_encoding_report"""
    _fields_ = [
        ('struct_size', c_size_t), ('backend', c_int), ('separation', c_int),
        ('interpolators', c_int), ('at_once', c_int), ('error', c_double),
        ('separation_error', c_double), ('transform_error', c_double), ('bytes', c_int64),
        ('normal', c_int), ('normal_terms', c_int), ('normal_error', c_double), ('normal_bytes', c_int64)]


class EncodingSolveOptions(Structure):
    """enuf_encoding_solve_options"""
    _fields_ = [('struct_size', c_size_t), ('lambda', c_double), ('iterations', c_int),
                ('tolerance', c_double), ('start', c_int)]


class EncodingSolutionRecord(Structure):
    """enuf_encoding_solution"""
    _fields_ = [('struct_size', c_size_t), ('iterations', c_int), ('residual', c_double)]
