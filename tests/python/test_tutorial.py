# The blocks of docs/python.md run, one after the other. A block whose package is not installed is named and left out.
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import tempfile

from systems import SOURCE
from expect import expect_true, finish

with open(os.path.join(SOURCE, 'docs', 'python.md'), encoding='utf-8') as file:
    text = file.read()
folder = tempfile.TemporaryDirectory()  # blocks write files
os.chdir(folder.name)
os.symlink(os.path.join(SOURCE, 'examples'), 'examples')
names = {}
run = 0
for found in re.finditer(r'^```python\n(.*?)^```', text, flags=re.M | re.S):
    line = text[:found.start()].count('\n') + 2
    try:
        exec(compile('\n' * (line - 1) + found.group(1), 'docs/python.md', 'exec'), names)
    except (ModuleNotFoundError, NameError) as error:
        left_out = re.search(r"'(torch|x|jax)'", str(error))  # x: of a block with torch before
        if not left_out or 'torch' in names:
            raise
        print(f'left out: the block in line {line}: {error}')
        continue
    run += 1
    print(f'the block in line {line} ran')
expect_true(f'{run} blocks ran', run >= 8)
os.chdir(SOURCE)
folder.cleanup()
finish()
