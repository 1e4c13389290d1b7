"""cuFFT of PyPI is found beside the wheel without LD_LIBRARY_PATH: of enuf[cuda12] (nvidia-cufft-cu12) and of
enuf[cuda13] (nvidia-cufft). A library of their names stands in for each. The copy of the wheel's library looks for the
folder of the CUDA that built it in vain, as on other machines.
SPDX-License-Identifier: BSD-3-Clause
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import zipfile

source, build, scratch, cuda = (os.environ[name] for name in ('SOURCE', 'BUILD', 'SCRATCH', 'CUDA_FOLDER'))
# the folders and names in these packages
PACKAGES = {'cuda12': 'nvidia/cufft/lib/libcufft.so.11', 'cuda13': 'nvidia/cu13/lib/libcufft.so.12'}
LOADER = (glob.glob('/lib64/ld-linux-*.so.2') + glob.glob('/lib/ld-linux-*.so.1'))[0]
LOAD = '''
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
reason = ctypes.c_char_p()
if not hasattr(library, 'enuf_cufft_load'):
    sys.exit(77)
loaded = library.enuf_cufft_load(ctypes.byref(reason))
print(loaded, reason.value)
print({line.split()[-1] for line in open('/proc/self/maps') if 'libcufft' in line})
'''

wheels = glob.glob(f'{build}/python/enuf-*.whl')
if not wheels:
    print('skipped: there is no wheel: `make wheel` makes it')
    sys.exit(77)
with open(f'{source}/src/common/cuda/cufft_library.h') as header:
    functions = re.findall(r'X\((cufft\w+)\)', header.read())
failures = 0
with zipfile.ZipFile(wheels[0]) as wheel:
    metadata = wheel.read(next(name for name in wheel.namelist() if name.endswith('/METADATA'))).decode()
    for extra, library in PACKAGES.items():
        site = os.path.join(scratch, extra)
        shutil.rmtree(site, ignore_errors=True)
        wheel.extractall(site)
        with open(f'{site}/enuf/lib/libenuf.so.1', 'r+b') as file:
            data, folder = file.read(), cuda.encode() + b'\0'
            if cuda and folder not in data:
                print(f'FAILED: the library does not name {cuda}')
                failures += 1
            file.seek(0)
            file.write(data.replace(folder, b'/nowhere'.ljust(len(folder), b'\0')) if cuda else data)
        path = os.path.join(site, library)
        os.makedirs(os.path.dirname(path))
        compiler = [os.environ['CC'], '-shared', '-fPIC', '-x', 'c', '-', '-o', path]
        subprocess.run(compiler, check=True, text=True,
                       input='\n'.join(f'int {name}(void) {{ return 0; }}' for name in functions))
        environment = {key: value for key, value in os.environ.items() if key != 'LD_LIBRARY_PATH'}
        # --inhibit-cache: as on a system without a cuFFT of its own
        command = [LOADER, '--inhibit-cache', sys.executable, '-c', LOAD, f'{site}/enuf/lib/libenuf.so.1']
        run = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if run.returncode == 77:
            print('skipped: this wheel has no GPU backend')
            sys.exit(77)
        good = run.returncode == 0 and run.stdout.startswith('1 ') and f"{{'{path}'}}" in run.stdout
        named = re.search(rf"^Requires-Dist: nvidia-cufft\S*; extra == '{extra}'$", metadata, re.M)
        for what, passed in (f'{library} is loaded: {run.stdout.strip()}', good), (f'the extra {extra}', named):
            print('ok:' if passed else 'FAILED:', what)
            failures += not passed
sys.exit(failures > 0)
