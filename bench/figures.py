# The measurements in a folder: tables NAME_DAY.csv, with lines of # at the head that tell command, versions, machine
# and day. SPDX-License-Identifier: BSD-3-Clause
import csv
import glob
import os
import re


def read(folder, name):
    """Rows of one table."""
    with open(os.path.join(folder, name)) as file:
        return list(csv.DictReader(line for line in file if not line.startswith('#')))


def newest(folder, name):
    """Names of the tables of a name, or of several by *, that the latest day brought; none where there are none."""
    days = {}
    for path in glob.glob(os.path.join(folder, name + '_20*.csv')):
        days.setdefault(re.search(r'\d{4}-\d\d-\d\d', path).group(), []).append(os.path.basename(path))
    return sorted(days[max(days)]) if days else []


def second_line(folder, name):
    """Versions and machine as the second line of a table tells them: its parts between semicolons."""
    with open(os.path.join(folder, name)) as file:
        return [part.strip() for part in file.read().splitlines()[1].lstrip('# ').split(';')]


def transforms_beyond_3d(folder):
    """Rows of the newest table of complex transforms in 1D and 2D on a GPU, and the GPU."""
    name = newest(folder, 'nufft_gpu_2d_1d_*')[-1]
    return [row for row in read(folder, name)
            if row.get('kind', 'complex') == 'complex' and row['ratio']], name.split('_')[4].upper()
