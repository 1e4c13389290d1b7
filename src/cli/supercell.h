/* supercell.h - copies of a cell, side by side. SPDX-License-Identifier: BSD-3-Clause */
#ifndef ENUF_CLI_SUPERCELL_H
#define ENUF_CLI_SUPERCELL_H

#include "structure.h"

/** Replaces the structure by cells x cells x cells copies of it, without ids, molecules, bonds. */
enuf_status cli_make_supercell(int64_t cells, enuf_structure *structure);

#endif
