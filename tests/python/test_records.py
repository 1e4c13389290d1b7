# Records, functions and statuses of the Python package are those of the public headers: the compiler tells sizes and
# offsets, the headers tell prototypes. Needs no NumPy. SPDX-License-Identifier: BSD-3-Clause
import ctypes
import glob
import os
import re
import subprocess
import sys

source, scratch = os.environ['SOURCE'], os.environ['SCRATCH']
os.makedirs(scratch, exist_ok=True)
sys.path[:0] = [os.path.join(source, 'tests', 'support')]
sys.path.append(os.path.join(source, 'python', 'enuf'))
import _structs  # noqa: E402
import errors  # noqa: E402
from _functions import FUNCTIONS  # noqa: E402
from expect import expect_true, run_laws  # noqa: E402

FOLDERS = [os.path.join(source, *parts, 'include') for parts in (('src', 'common'), ('nufft',), ('ewald',))]
HEADERS = [path for folder in FOLDERS for path in sorted(glob.glob(f'{folder}/enuf/*.h'))]
RECORDS = [kind for kind in vars(_structs).values()
           if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and kind is not ctypes.Structure]


def text_of(path):
    with open(path, encoding='utf-8') as file:
        return re.sub(r'/\*.*?\*/', ' ', file.read(), flags=re.S)


def law_records_are_the_compilers():
    lines = []
    for record in RECORDS:
        name = record.__doc__
        lines.append(f'printf("%zu\\n", sizeof({name}));')
        lines += [f'printf("%zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));'
                  for field, *_ in record._fields_]
    program = os.path.join(scratch, 'records')
    includes = ''.join(f'#include <enuf/{os.path.basename(path)}>\n' for path in HEADERS)
    with open(program + '.c', 'w', encoding='utf-8') as file:
        file.write(f'{includes}#include <stdio.h>\nint main(void)\n{{\n' + '\n'.join(lines) + '\n}\n')
    subprocess.run(
        [os.environ['CC'], '-std=c11', *(f'-I{folder}' for folder in FOLDERS), '-o', program, program + '.c'],
        check=True)
    compiled = iter(subprocess.run([program], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines())
    for record in RECORDS:
        size = int(next(compiled))
        expect_true(f'{record.__doc__}: {size} bytes', ctypes.sizeof(record) == size, ctypes.sizeof(record))
        for name, *_ in record._fields_:
            offset, length = map(int, next(compiled).split())
            field = getattr(record, name)
            if (field.offset, field.size) != (offset, length):
                expect_true(f'{record.__doc__}.{name}: offset {offset}, {length} bytes', False,
                            f'{field.offset}, {field.size}')


def law_every_record_names_every_field():
    """Equal sizes allow a field in the padding, or two swapped ones."""
    text = ' '.join(text_of(path) for path in HEADERS)
    for record in RECORDS:
        body = re.search(r'typedef struct \w+ \{([^{}]*)\} ' + record.__doc__ + ';', text).group(1)
        declared = [re.search(r'(\w+)(?:\s*\[\w+\])*$', part.strip()).group(1)
                    for line in body.split(';') for part in line.split(',') if part.strip()]
        mine = [name for name, *_ in record._fields_]
        expect_true(f'{record.__doc__}: {len(declared)} fields', mine == declared, f'{mine} and {declared}')


def kind_of(argument):
    """P pointer, D double, L int64_t, U uint64_t, I int or enumeration, of a parameter in a header."""
    if '*' in argument or '[' in argument:
        return ctypes.c_void_p
    first = argument.replace('const ', '').split()[0]
    return {'double': ctypes.c_double, 'int64_t': ctypes.c_int64, 'uint64_t': ctypes.c_uint64}.get(first, ctypes.c_int)


def law_functions_are_the_headers():
    text = ' '.join(text_of(path) for path in HEADERS)
    prototypes = {name: (returned.strip(), arguments) for returned, name, arguments in
                  re.findall(r'ENUF_API ([\w ]+?[ *]+)(enuf_\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\);', text)}
    for name, (result, arguments) in FUNCTIONS.items():
        returned, declared = prototypes[name]
        declared = [] if declared.strip() == 'void' else [kind_of(part.strip()) for part in declared.split(',')]
        mine = [ctypes.c_void_p if kind is ctypes.c_char_p else kind for kind in arguments]
        returns = {'void': None, 'const char *': ctypes.c_char_p}.get(returned, ctypes.c_int)
        if not (declared == mine and returns is result):
            expect_true(f'{name} takes and returns what its header says', False, f'{mine} and {declared}')
    expect_true(f'{len(FUNCTIONS)} of {len(prototypes)} functions', 40 < len(FUNCTIONS) <= len(prototypes))


def law_every_status_is_an_exception():
    text = ' '.join(text_of(path) for path in HEADERS)
    listed = re.search(r'#define ENUF_STATUSES\(X\)((?:.*\\\n)*.*)', text).group(1)
    statuses = {int(value) for _, value, _ in re.findall(r'X\((\w+), (\d+), ("[^"]*")\)', listed)} - {0}
    expect_true(f'{len(statuses)} statuses have a class each', statuses == set(errors.BY_STATUS),
                f'{statuses ^ set(errors.BY_STATUS)}')


def law_constants_are_the_headers():
    text = ' '.join(text_of(path) for path in HEADERS)
    for name in ('HOST', 'DEVICE', 'DOUBLE', 'FLOAT', 'COMPLEX_STRENGTHS', 'REAL_STRENGTHS', 'CENTRED', 'FFT_ORDER',
                 'REAL', 'COMPLEX', 'PAIR_PIECES', 'PAIR_COEFFICIENTS'):
        value = int(re.search(rf'\bENUF_{name} = (\d+)', text).group(1))
        expect_true(f'ENUF_{name} is {value}', getattr(_structs, name) == value)


run_laws(globals())
