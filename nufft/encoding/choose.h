/*
 * choose.h - which terms serve the tolerance. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef ENUF_ENCODING_CHOOSE_H
#define ENUF_ENCODING_CHOOSE_H

#include "choice.h"

/** Chooses. At least one sample and one pixel; all arrays are on the host. Free with
 * enuf_field_choice_free(), after an error too. */
enuf_status enuf_field_choose(const enuf_field_problem *problem, enuf_field_choice *choice);
void enuf_field_choice_free(enuf_field_choice *choice);

#endif
