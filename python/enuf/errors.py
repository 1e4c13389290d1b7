"""Exceptions: one class for each status of the library, and those of the package itself.

Each class derives from :class:`Error` and from the built-in exception that a caller expects, so that
``except ValueError`` catches an argument out of its range. SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations


class Error(Exception):
    """An error of enuf. ``status`` is the status of the library, None for errors of the package."""
    status: int | None = None


class BadArgument(Error, ValueError):
    """An argument is out of its range."""
    status = 1


class NotFinite(Error, ValueError):
    """An input value is NaN or infinite. The text names the first one."""
    status = 2


class OutOfMemory(Error, MemoryError):
    """Not enough memory."""
    status = 3


class NoPointsSet(Error, RuntimeError):
    """Points (or cell, charges) have to be set first."""
    status = 4


class UnreachableAccuracy(Error, ValueError):
    """The accuracy asked for cannot be reached. The text names what can."""
    status = 5


class Unsupported(Error, NotImplementedError):
    """This backend does not do that."""
    status = 6


class NoBackend(Error, RuntimeError):
    """The backend asked for is not built in or finds no device."""
    status = 7


class BadMemory(Error, ValueError):
    """An array lives on another device than the object works on."""
    status = 8


class Overflowed(Error, OverflowError):
    """A sum left the range of its fixed-point numbers."""
    status = 9


class OutsideBrick(Error, ValueError):
    """A point lies outside the brick and its halo."""
    status = 10


class FileError(Error, OSError):
    """A file could not be read or written."""
    status = 11


class BadFile(Error, ValueError):
    """A file holds something other than what its format asks for."""
    status = 12


class Internal(Error, RuntimeError):
    """A library below failed."""
    status = 13


class ArrayError(Error, TypeError):
    """An array of a kind, type, shape, order or device that cannot be used without a copy."""


class ForkError(Error, RuntimeError):
    """An object of the parent process that its child cannot use."""


class LibraryNotFound(Error, ImportError):
    """libenuf was not found, or is of another version than the package."""


BY_STATUS: dict[int, type[Error]] = {
    kind.status: kind for kind in Error.__subclasses__() if kind.status is not None}
