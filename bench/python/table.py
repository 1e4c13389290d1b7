# A table of measurements: to the screen, and to a CSV file whose first lines name the machine and its load.
# SPDX-License-Identifier: BSD-3-Clause
import csv
import datetime
import os
import platform

import enuf


def machine():
    """The processor, its usable cores, and how busy it is."""
    model = platform.processor() or platform.machine()
    if os.path.exists('/proc/cpuinfo'):
        with open('/proc/cpuinfo', encoding='utf-8') as file:
            model = next((line.partition(':')[2].strip() for line in file if line.startswith('model name')), model)
    load = ' '.join(f'{value:.1f}' for value in os.getloadavg())
    return f'{model}, {os.cpu_count()} cores, shared with other work: load before {load}'


class Table:
    """Rows appear as they come, so that a run that ends early leaves what it has measured."""

    def __init__(self, path, columns, what):
        notes = [what, f'{machine()}; enuf {enuf.__version__}, Python {platform.python_version()}; '
                       f'{datetime.date.today()}']
        self.file = open(path, 'w', newline='', encoding='utf-8') if path else None
        self.rows = csv.writer(self.file, lineterminator='\n') if path else None
        for note in notes:
            self._write(f'# {note}')
        self.add(*columns)

    def _write(self, text):
        print(text, flush=True)
        if self.file:
            self.file.write(text + '\n')
            self.file.flush()

    def note(self, text):
        """A line about what was left out."""
        self._write(f'# {text}')

    def add(self, *row):
        print(*row, sep=',', flush=True)
        if self.rows:
            self.rows.writerow(row)
            self.file.flush()
