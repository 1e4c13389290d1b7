"""Pictures of the examples in Python. SPDX-License-Identifier: BSD-3-Clause"""
import os
import zlib

import numpy as np


def write_png(path, picture):
    """Gray levels [rows, columns], 0 black to 1 white. The file appears whole or not at all."""
    rows = np.clip(np.rint(255 * picture), 0, 255).astype(np.uint8)
    header = np.array(rows.shape[::-1], '>u4').tobytes() + bytes([8, 0, 0, 0, 0])
    chunks = (b'IHDR', header), (b'IDAT', zlib.compress(np.pad(rows, ((0, 0), (1, 0))).tobytes())), (b'IEND', b'')
    parts = [len(d).to_bytes(4, 'big') + n + d + zlib.crc32(n + d).to_bytes(4, 'big') for n, d in chunks]
    path.with_suffix('.part').write_bytes(b'\x89PNG\r\n\x1a\n' + b''.join(parts))
    os.replace(path.with_suffix('.part'), path)
