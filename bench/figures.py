# Reads measurements from a folder: tables NAME_DAY.csv, whose first lines (#) give command, versions, machine and day.
# SPDX-License-Identifier: BSD-3-Clause
import csv
import glob
import os
import re


def read(folder, name):
    """The rows of one table."""
    with open(os.path.join(folder, name)) as file:
        return list(csv.DictReader(line for line in file if not line.startswith('#')))


def newest(folder, name):
    """Files of the tables NAME (with * for several) of the latest day; an empty list if there are none."""
    days = {}
    for path in glob.glob(os.path.join(folder, name + '_20*.csv')):
        days.setdefault(re.search(r'\d{4}-\d\d-\d\d', path).group(), []).append(os.path.basename(path))
    return sorted(days[max(days)]) if days else []


def second_line(folder, name):
    """The parts, between semicolons, of the second line of a table: versions and machine."""
    with open(os.path.join(folder, name)) as file:
        return [part.strip() for part in file.read().splitlines()[1].lstrip('# ').split(';')]


def transforms_beyond_3d(folder):
    """The rows of the newest tables of complex transforms of random points in 1D and 2D on a GPU, and its name."""
    names = [newest(folder, f'nufft_gpu_{dim}d_h*')[-1] for dim in '12']
    rows = [row for name in names for row in read(folder, name)
            if row['kind'] == 'complex' and row['points'] == 'rand' and row['ratio']]
    return rows, ', '.join(sorted({name.split('_')[3].upper() for name in names}))
