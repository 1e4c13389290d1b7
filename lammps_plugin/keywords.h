/* keywords.h - the keywords of kspace_style enuf after the accuracy; kspace_modify takes them with
 * enuf/ in front. SPDX-License-Identifier: GPL-2.0-only */
#ifndef ENUF_KEYWORDS_H
#define ENUF_KEYWORDS_H

#include "enuf/ewald.h"
#include <lmptype.h>

namespace LAMMPS_NS
{
class LAMMPS;
}

namespace enuf
{

enum class Choice { automatic, yes, no };

/** GPUs in use of a machine: all, or the first. */
enum class Gather { automatic, none, first };

struct Keywords {
    enuf_backend backend = ENUF_BACKEND_AUTO;
    enuf_arithmetic arithmetic = ENUF_ARITHMETIC_BY_ACCURACY; /* what `auto` means here */
    enuf_split split = ENUF_SPLIT_AUTO;
    enuf_window window;
    int grid[3] = {0, 0, 0}; /* 0: by the accuracy */
    bool deterministic = false;
    Choice calibrate = Choice::automatic; /* choose by the positions at the start of a run */
    LAMMPS_NS::bigint measure = 0;        /* every so many steps; 0: never */
    Choice early = Choice::automatic;     /* begin as soon as positions are known */
    Gather gather = Gather::automatic;

    Keywords(); /* the library's defaults */

    /**
     * Reads the keyword at args[0] and its values. Returns their number. An unknown keyword or a
     * bad value ends the run with a message that names `command`.
     */
    int read(LAMMPS_NS::LAMMPS *lmp, const char *command, int narg, char **args);
};

} // namespace enuf
#endif
