# Times of calls that a GPU may still work on when they return. SPDX-License-Identifier: BSD-3-Clause
import time

import numpy as np


def milliseconds(p, function):
    """(ms, result); p.wait() waits for the GPU."""
    begin = time.perf_counter()
    result = function()
    p.wait()
    return 1e3 * (time.perf_counter() - begin), result


def in_turns(p, functions, seconds):
    """The least time of each of {name: function}, by turns; in a turn each is called three times, since the others have
    emptied the caches."""
    least, end, turns = {name: np.inf for name in functions}, time.perf_counter() + seconds, 0
    while turns < 3 or time.perf_counter() < end and turns < 100:
        for name, function in functions.items():
            least[name] = min(least[name], *(milliseconds(p, function)[0] for _ in range(3)))
        turns += 1
    return least
