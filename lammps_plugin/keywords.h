/* keywords.h - what may follow the accuracy of kspace_style enuf, and, with enuf/ before it, be
 * said by kspace_modify. SPDX-License-Identifier: GPL-2.0-only */
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

/** GPUs that the tasks of a machine hand their atoms to: all of them, or the first. */
enum class Gather { automatic, none, first };

struct Keywords {
    enuf_backend backend = ENUF_BACKEND_AUTO;
    enuf_arithmetic arithmetic;
    enuf_split split = ENUF_SPLIT_GAUSSIAN;
    enuf_window window;
    int grid[3] = {0, 0, 0}; /* 0: by the accuracy */
    bool deterministic = false;
    bool calibrate = false;           /* choose by the positions at the start of a run */
    LAMMPS_NS::bigint measure = 0;    /* every so many steps; 0: never */
    Choice early = Choice::automatic; /* begin as soon as positions are known */
    Gather gather = Gather::automatic;

    Keywords(); /* the library's defaults */

    /**
     * Reads the keyword at args[0] and its values. Returns how many arguments that were. What it
     * does not know, or a value that is none, ends the run; `command` is what the message names.
     */
    int read(LAMMPS_NS::LAMMPS *lmp, const char *command, int narg, char **args);
};

} // namespace enuf
#endif
