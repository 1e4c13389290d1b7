"""Writes wheels: what the wheels of this project have in common. Needs the standard library and binutils only.

Its format: https://packaging.python.org/en/latest/specifications/binary-distribution-format.
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
TAG = f'py3-none-manylinux_{GLIBC[0]}_{GLIBC[1]}_{platform.machine()}'
# libraries that every such system has (PEP 600)
SYSTEM = {'libc.so.6', 'libm.so.6', 'libdl.so.2', 'librt.so.1', 'libpthread.so.0', 'libstdc++.so.6', 'libgcc_s.so.1',
          'ld-linux-x86-64.so.2', 'ld-linux-aarch64.so.1'}


def fail(text):
    sys.exit(f'enuf: no wheel: {text}')


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def check_versions(file):
    """The code runs on systems of the tag."""
    for symbol, newest in ('GLIBC', GLIBC), ('GLIBCXX', GLIBCXX):
        asked = {tuple(map(int, number.split('.'))) for number in
                 re.findall(rf'\b{symbol}_([0-9.]+)\b', output('objdump', '-T', file))}
        if asked and max(asked) > newest:
            fail(f'{os.path.basename(file)} asks for {symbol} {max(asked)}, and {TAG} promises {newest}: build it on '
                 'an older system')


def needed(file, brought):
    """The libraries that a file needs, but for those of the system; refuses what is not in `brought`."""
    names = set(re.findall(r'NEEDED +(\S+)', output('objdump', '-p', file))) - SYSTEM
    strange = names - set(brought)
    if strange:
        fail(f'{os.path.basename(file)} needs {", ".join(sorted(strange))}, which a wheel does not bring')
    return names


def stripped(file, folder):
    """The bytes of a file without symbols that the loader does not need."""
    copy = os.path.join(folder, 'stripped')
    subprocess.run(['strip', '--strip-unneeded', '-o', copy, file], check=True)
    data = read(copy)
    os.remove(copy)
    return data


def write(folder, name, version, metadata, files):
    """Writes FOLDER/NAME-VERSION-TAG.whl in place of older ones of this name.

    files  (name in the wheel, bytes, executable), without the metadata; names with {info} go into its folder
    """
    info = f'{name}-{version}.dist-info'
    for old in glob.glob(os.path.join(folder, f'{name}-*.whl')):
        os.remove(old)
    wheel = os.path.join(folder, f'{name}-{version}-{TAG}.whl')
    record = []
    with zipfile.ZipFile(wheel + '.part', 'w', zipfile.ZIP_DEFLATED) as archive:
        def add(entry_name, data, executable=False):
            entry = zipfile.ZipInfo(entry_name, (1980, 1, 1, 0, 0, 0))  # the same bytes from the same files
            entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
            record.append(f'{entry_name},sha256={digest},{len(data)}')
        for entry_name, data, executable in files:
            add(entry_name.replace('{info}', info), data, executable)
        add(f'{info}/METADATA', metadata)
        add(f'{info}/WHEEL', f'Wheel-Version: 1.0\nGenerator: enuf\nRoot-Is-Purelib: false\nTag: {TAG}\n'.encode())
        add(f'{info}/RECORD', '\n'.join([*record, f'{info}/RECORD,,', '']).encode())
    os.replace(wheel + '.part', wheel)
    print(f'{wheel}: {os.path.getsize(wheel) / 1e6:.1f} MB')
