/* program_main.h - the program enuf in the library of the wheel. SPDX-License-Identifier:
 * BSD-3-Clause */
#ifndef ENUF_PROGRAM_MAIN_H
#define ENUF_PROGRAM_MAIN_H

#include "enuf/status.h"

/** The main function of the program; returns its exit status. */
ENUF_API int enuf_program_main(int argc, char **argv);

#endif
