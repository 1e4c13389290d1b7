"""`python -m enuf`: the program enuf of the wheel. SPDX-License-Identifier: BSD-3-Clause"""
import os
import sys

program = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'bin', 'enuf')
if not os.path.exists(program):
    sys.exit('enuf: the program is in the wheel, and this package is not installed from one')
os.execv(program, ['enuf', *sys.argv[1:]])
