#!/usr/bin/env python3
"""Writes the wheel: make_wheel.py VERSION LIBRARY PROGRAM DUCC0 FOLDER. Needs the standard library and binutils only.

The wheel holds the package, the library with its program, and the libraries that other systems may lack; it refuses
to hold FFTW.
SPDX-License-Identifier: BSD-3-Clause
"""
import glob
import os
import re
import sys

from wheel_file import check_versions, fail, needed, output, read, stripped, write

BROUGHT = {'libgomp.so.1', 'libcjson.so.1'}  # libraries that the wheel brings

version, library, program, ducc0, folder = sys.argv[1:]
source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

METADATA = f'''Metadata-Version: 2.1
Name: enuf
Version: {version}
Summary: Ewald electrostatics and non-uniform FFTs, on CPUs and NVIDIA GPUs
License: BSD-3-Clause
Requires-Python: >=3.9
Requires-Dist: numpy>=1.23
Provides-Extra: ase
Requires-Dist: ase; extra == 'ase'
Provides-Extra: torch
Requires-Dist: torch>=2.4; extra == 'torch'
Provides-Extra: jax
Requires-Dist: jax; extra == 'jax'
Description-Content-Type: text/markdown

'''

# pip replaces the first line. The program is started without the interpreter's import of the package.
SCRIPT = '''#!python
import os
import sys
from importlib.util import find_spec

program = os.path.join(os.path.dirname(find_spec('enuf').origin), 'bin', 'enuf')
os.execv(program, ['enuf', *sys.argv[1:]])
'''


def brought(file):
    """The paths of the libraries that the wheel brings for a file."""
    places = dict(re.findall(r'(\S+) => (/\S+)', output('ldd', file)))
    return [places[name] for name in sorted(needed(file, BROUGHT | {'libenuf.so.1'})) if name in BROUGHT]


def licence_of(path):
    """The text of a library's licence, where Debian keeps it."""
    name = re.sub(r'\.so\.\d+$', '', os.path.basename(path))
    for text in glob.glob(f'/usr/share/doc/{name}*/copyright') + glob.glob('/usr/share/doc/gcc-*-base/copyright'):
        if name in text or 'gcc' in text and name == 'libgomp':
            return text
    return None


def licence_of_ducc0():
    """The notice of its FFT, which a binary has to repeat: the comments before the code."""
    text = read(os.path.join(ducc0, 'src', 'ducc0', 'fft', 'fft1d_impl.h'))
    notice = re.match(rb'(/\*.*?\*/\s*){3}', text, re.S).group()
    if b'BSD-3-Clause' not in notice or b'Redistributions in binary form' not in notice:
        fail('the notice of DUCC0 is not where it was')
    return notice


def files():
    """(name in the wheel, bytes, executable)."""
    package = os.path.join(source, 'python', 'enuf')
    for path in sorted(glob.glob(f'{package}/**/*', recursive=True)):
        if path.endswith(('.py', 'py.typed')):
            yield 'enuf/' + os.path.relpath(path, package), read(path), False
    yield 'enuf/lib/libenuf.so.1', stripped(library, folder), True
    yield 'enuf/bin/enuf', stripped(program, folder), True
    for path in brought(library):
        yield f'enuf/lib/{os.path.basename(path)}', read(os.path.realpath(path)), True
        text = licence_of(path)
        if text:
            yield f'{{info}}/licenses/{os.path.basename(path)}.txt', read(text), False
    yield f'enuf-{version}.data/scripts/enuf', SCRIPT.encode(), True
    yield '{info}/licenses/ducc0.txt', licence_of_ducc0(), False
    yield '{info}/licenses/LICENSE', read(os.path.join(source, 'LICENSE')), False


for file in library, program:
    check_versions(file)
brought(program)
write(folder, 'enuf', version, METADATA.encode() + read(os.path.join(source, 'docs', 'python.md')), files())
