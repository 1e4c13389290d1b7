"""The functions of the public headers that the package calls: what they return and take.

P is any pointer. tests/python/test_records.py compares this with the headers.
SPDX-License-Identifier: BSD-3-Clause
"""
from ctypes import c_char_p as S
from ctypes import c_double as D
from ctypes import c_int as I
from ctypes import c_int64 as L
from ctypes import c_uint64 as U
from ctypes import c_void_p as P

_NAMED = ('backend', 'isa', 'fft', 'window', 'split', 'arithmetic', 'separation', 'normal', 'level',
          'strategy')

FUNCTIONS = {
    # src/common/include/enuf/status.h
    'enuf_status_text': (S, [I]),
    'enuf_last_error': (S, []),
    'enuf_version': (S, []),
    'enuf_backend_usable': (I, [I, P]),
    'enuf_fft_usable': (I, [I, P]),
    **{f'enuf_{kind}_name': (S, [I]) for kind in _NAMED},
    **{f'enuf_{kind}_parse': (I, [S, P]) for kind in _NAMED},
    # ewald/include/enuf/ewald.h
    'enuf_ewald_options_init': (None, [P]),
    'enuf_ewald_create': (I, [P, P]),
    'enuf_ewald_destroy': (None, [P]),
    'enuf_ewald_set_cell': (I, [P, P]),
    'enuf_ewald_set_charges': (I, [P, L, P, P]),
    'enuf_ewald_tune': (I, [P, P, L]),
    'enuf_ewald_verify': (I, [P, P, L]),
    'enuf_ewald_measure_tail': (I, [P, P, L]),
    'enuf_ewald_list_candidates': (I, [P, D, L, P, P]),
    'enuf_ewald_calibrate_machine': (I, [P, S]),
    'enuf_ewald_compute': (I, [P, P, L, I, P]),
    'enuf_ewald_real': (I, [P, P, L, I, P]),
    'enuf_ewald_reciprocal': (I, [P, P, L, I, P]),
    'enuf_ewald_begin': (I, [P, P, L, I, P]),
    'enuf_ewald_finish': (I, [P]),
    'enuf_ewald_measure_error': (I, [P, P, L, L, U, P]),
    'enuf_ewald_get_report': (I, [P, P]),
    'enuf_exact_options_init': (None, [P]),
    'enuf_exact_ewald': (I, [P, P, L, P, L, P, P, L, P, P]),
    # ewald/include/enuf/ewald_f32.h
    **{f'enuf_ewald_{name}_f32': (I, [P, P, L, I, P]) for name in ('compute', 'real', 'reciprocal', 'begin')},
    # ewald/include/enuf/ewald_batch.h
    'enuf_ewald_batch_options_init': (None, [P]),
    'enuf_ewald_batch_create': (I, [P, P]),
    'enuf_ewald_batch_destroy': (None, [P]),
    'enuf_ewald_batch_set_systems': (I, [P, L, P, P]),
    'enuf_ewald_batch_set_cells': (I, [P, P]),
    'enuf_ewald_batch_compute': (I, [P, P, L, P, P, P, P, P]),
    'enuf_ewald_batch_check': (I, [P, P]),
    # ewald/include/enuf/ewald_derivatives.h
    'enuf_ewald_differentiate': (I, [P, P, L, P, I, P]),
    'enuf_ewald_hold': (I, [P, P, L]),
    'enuf_ewald_apply': (I, [P, L, P, P]),
    # ewald/include/enuf/ewald_tuning.h
    'enuf_ewald_tuning_request_init': (None, [P]),
    'enuf_ewald_tune_with': (I, [P, P, P, L, P]),
    'enuf_ewald_tuning_count': (I, [P]),
    'enuf_ewald_tuning_from_wisdom': (I, [P]),
    'enuf_ewald_tuning_get': (I, [P, I, P]),
    'enuf_ewald_tuning_destroy': (None, [P]),
    # nufft/include/enuf/nufft.h
    'enuf_nufft_options_init': (None, [P]),
    'enuf_nufft_create': (I, [P, P]),
    'enuf_nufft_destroy': (None, [P]),
    'enuf_nufft_get_report': (I, [P, P]),
    'enuf_nufft_set_frame': (I, [P, P, P]),
    'enuf_nufft_set_points': (I, [P, L, P, P, P, L]),
    'enuf_nufft_set_points_f32': (I, [P, L, P, P, P, L]),
    'enuf_nufft_set_runs': (I, [P, L, P, P, P]),
    'enuf_nufft_set_targets': (I, [P, L, P, P, P, L]),
    'enuf_nufft_set_targets_f32': (I, [P, L, P, P, P, L]),
    'enuf_nufft_set_point_weights': (I, [P, I, I, P]),
    'enuf_nufft_set_mode_weights': (I, [P, I, I, P]),
    'enuf_nufft_type1': (I, [P, P, P]),
    'enuf_nufft_type1_adjoint': (I, [P, P, P]),
    'enuf_nufft_type2': (I, [P, P, P, P]),
    'enuf_nufft_type2_adjoint': (I, [P, P, P]),
    'enuf_nufft_type3': (I, [P, P, P]),
    'enuf_nufft_type3_adjoint': (I, [P, P, P]),
    'enuf_nufft_check': (I, [P, P]),
    # nufft/include/enuf/nufft_stages.h
    'enuf_stage_spread': (I, [P, P, P, P, P, I]),
    'enuf_stage_interpolate': (I, [P, P, P, P, P, P, I]),
    # nufft/include/enuf/nufft_tuning.h
    'enuf_tune_effort_parse': (I, [S, P]),
    'enuf_tuning_request_init': (None, [P]),
    'enuf_nufft_tune': (I, [P, P, L, P, P, P, L, P]),
    'enuf_tuning_count': (I, [P]),
    'enuf_tuning_from_wisdom': (I, [P]),
    'enuf_tuning_get': (I, [P, I, P]),
    'enuf_tuning_destroy': (None, [P]),
    'enuf_candidate_state_text': (S, [I]),
    'enuf_nufft_aliasing': (I, [P, P, P]),
    'enuf_wisdom_create': (I, [P]),
    'enuf_wisdom_destroy': (None, [P]),
    'enuf_wisdom_load': (I, [P, S, P]),
    'enuf_wisdom_save': (I, [P, S]),
    # nufft/include/enuf/trajectories.h
    'enuf_trajectory_kind_parse': (I, [S, P]),
    'enuf_trajectory_options_init': (None, [P]),
    'enuf_trajectory_count': (I, [P, P, P]),
    'enuf_trajectory_fill': (I, [P, L, P, P, P, L]),
    # nufft/include/enuf/gram.h
    'enuf_gram_create': (I, [P, P]),
    'enuf_gram_destroy': (None, [P]),
    'enuf_gram_set_points': (I, [P, L, P, P, P, L, P]),
    'enuf_gram_set_points_f32': (I, [P, L, P, P, P, L, P]),
    'enuf_gram_apply': (I, [P, P, P]),
    'enuf_gram_check': (I, [P]),
    'enuf_gram_get_report': (I, [P, P]),
    'enuf_nufft_gram': (I, [P, P, P]),
    # nufft/include/enuf/direct.h
    'enuf_direct_type1': (I, [P, P, P, L, P, P, P, L, P, P]),
    'enuf_direct_type2': (I, [P, P, P, L, P, P, P, L, P, P, P]),
    'enuf_direct_sum': (I, [I, I, I, L, P, P, L, P, P, P]),
    'enuf_direct_options_init': (None, [P]),
    'enuf_direct_create': (I, [P, P]),
    'enuf_direct_destroy': (None, [P]),
    'enuf_direct_set_samples': (I, [P, L, P, P, P, L, P]),
    'enuf_direct_set_pixels': (I, [P, L, P, P, P, L]),
    'enuf_direct_set_pixel_grid': (I, [P, P, P, P]),
    'enuf_direct_set_field': (I, [P, L, P, P, P, P]),
    'enuf_direct_forward': (I, [P, P, P, P]),
    'enuf_direct_adjoint': (I, [P, P, P]),
    'enuf_direct_check': (I, [P, P]),
    # nufft/include/enuf/encoding.h
    'enuf_encoding_options_init': (None, [P]),
    'enuf_encoding_create': (I, [P, P]),
    'enuf_encoding_destroy': (None, [P]),
    'enuf_encoding_set_samples': (I, [P, L, P, P, P, L, P]),
    'enuf_encoding_set_field': (I, [P, L, P, P, P, P]),
    'enuf_encoding_set_sensitivities': (I, [P, P]),
    'enuf_encoding_forward': (I, [P, P, P]),
    'enuf_encoding_adjoint': (I, [P, P, P]),
    'enuf_encoding_normal': (I, [P, P, P, P]),
    'enuf_encoding_solve_options_init': (None, [P]),
    'enuf_encoding_solve': (I, [P, P, P, P, P, P]),
    'enuf_encoding_get_report': (I, [P, P]),
    'enuf_encoding_check': (I, [P]),
}
