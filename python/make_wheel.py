#!/usr/bin/env python3
"""Writes the wheel: make_wheel.py VERSION LIBRARY PROGRAM DUCC0 FOLDER. Needs the standard library and binutils only.

The wheel holds the package, the library with its program, and the libraries that other systems may lack; it refuses
to hold FFTW. Its format: https://packaging.python.org/en/latest/specifications/binary-distribution-format.
SPDX-License-Identifier: BSD-3-Clause
"""
import base64
import glob
import hashlib
import os
import platform
import re
import stat
import subprocess
import sys
import zipfile

GLIBC = (2, 35)  # the newest that the code may ask for: manylinux_2_35 (PEP 600)
GLIBCXX = (3, 4, 30)  # of gcc 12, which such systems have
# libraries that every such system has (PEP 600), and those that the wheel brings
SYSTEM = {'libc.so.6', 'libm.so.6', 'libdl.so.2', 'librt.so.1', 'libpthread.so.0', 'libstdc++.so.6', 'libgcc_s.so.1',
          'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'}
BROUGHT = {'libgomp.so.1', 'libcjson.so.1'}

version, library, program, ducc0, folder = sys.argv[1:]
source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
tag = f'py3-none-manylinux_{GLIBC[0]}_{GLIBC[1]}_{platform.machine()}'
info = f'enuf-{version}.dist-info'

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


def fail(text):
    sys.exit(f'enuf: no wheel: {text}')


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def check_versions(file):
    """The code runs on systems of the tag."""
    for symbol, newest in ('GLIBC', GLIBC), ('GLIBCXX', GLIBCXX):
        asked = {tuple(map(int, number.split('.'))) for number in
                 re.findall(rf'\b{symbol}_([0-9.]+)\b', output('objdump', '-T', file))}
        if asked and max(asked) > newest:
            fail(f'{os.path.basename(file)} asks for {symbol} {max(asked)}, and {tag} promises {newest}: build it on '
                 'an older system')


def brought(file):
    """The paths of the libraries that the wheel brings for a file."""
    needed = set(re.findall(r'NEEDED +(\S+)', output('objdump', '-p', file))) - {os.path.basename(library)}
    needed -= {os.path.basename(os.path.realpath(library)), 'libenuf.so.1'}
    strange = needed - SYSTEM - BROUGHT
    if strange:
        fail(f'{os.path.basename(file)} needs {", ".join(sorted(strange))}, which a wheel does not bring')
    places = dict(re.findall(r'(\S+) => (/\S+)', output('ldd', file)))
    return [places[name] for name in sorted(needed & BROUGHT)]


def licence_of(path):
    """The text of a library's licence, where Debian keeps it."""
    name = re.sub(r'\.so\.\d+$', '', os.path.basename(path))
    for text in glob.glob(f'/usr/share/doc/{name}*/copyright') + glob.glob('/usr/share/doc/gcc-*-base/copyright'):
        if name in text or 'gcc' in text and name == 'libgomp':
            return text
    return None


def stripped(file):
    """The bytes of a file without symbols that the loader does not need."""
    copy = os.path.join(folder, 'stripped')
    subprocess.run(['strip', '--strip-unneeded', '-o', copy, file], check=True)
    data = read(copy)
    os.remove(copy)
    return data


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
    yield 'enuf/lib/libenuf.so.1', stripped(library), True
    yield 'enuf/bin/enuf', stripped(program), True
    for path in brought(library):
        yield f'enuf/lib/{os.path.basename(path)}', read(os.path.realpath(path)), True
        text = licence_of(path)
        if text:
            yield f'{info}/licenses/{os.path.basename(path)}.txt', read(text), False
    yield f'enuf-{version}.data/scripts/enuf', SCRIPT.encode(), True
    yield f'{info}/licenses/ducc0.txt', licence_of_ducc0(), False
    yield f'{info}/licenses/LICENSE', read(os.path.join(source, 'LICENSE')), False
    yield f'{info}/METADATA', METADATA.encode() + read(os.path.join(source, 'docs', 'python.md')), False
    yield f'{info}/WHEEL', f'Wheel-Version: 1.0\nGenerator: enuf\nRoot-Is-Purelib: false\nTag: {tag}\n'.encode(), False


def read(path):
    with open(path, 'rb') as file:
        return file.read()


for file in library, program:
    check_versions(file)
brought(program)
for old in glob.glob(os.path.join(folder, 'enuf-*.whl')):
    os.remove(old)
wheel = os.path.join(folder, f'enuf-{version}-{tag}.whl')
record = []
with zipfile.ZipFile(wheel + '.part', 'w', zipfile.ZIP_DEFLATED) as archive:
    def add(name, data, executable=False):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes from the same files
        entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
        record.append(f'{name},sha256={digest},{len(data)}')
    for name, data, executable in files():
        add(name, data, executable)
    add(f'{info}/RECORD', '\n'.join([*record, f'{info}/RECORD,,', '']).encode())
os.replace(wheel + '.part', wheel)
print(f'{wheel}: {os.path.getsize(wheel) / 1e6:.1f} MB')
