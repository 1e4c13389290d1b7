#!/usr/bin/env python3
# Names in the documents exist in the code: files and folders, functions and constants of the interface, options of
# the program, keywords of the kspace style, lines of its log and its messages.
# SPDX-License-Identifier: BSD-3-Clause
import glob
import os
import re
import sys

os.chdir(os.environ['SOURCE'])
failures = 0


def expect(holds, what):
    global failures
    if not holds:
        failures += 1
        print(f'FAILED: {what}')


def text_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def code_of(*patterns):
    """The text of sources; strings that go on in the next line are joined."""
    paths = [path for pattern in patterns for path in sorted(glob.glob(pattern, recursive=True))]
    return re.sub(r'"\s*\n\s*"', '', '\n'.join(text_of(path) for path in paths))


def spans(text):
    return re.findall(r'`([^`\n]+)`', re.sub(r'^```.*?^```', '', text, flags=re.M | re.S))


pages = ['README.md', 'CONTRIBUTING.md', 'lammps_plugin/README.md'] + [
    f'docs/{name}.md' for name in
    ('benchmarks', 'cli', 'conventions', 'decisions', 'glossary', 'images', 'lammps', 'lammps_kokkos', 'library', 'python',
     'theory', 'tuning', 'tutorial')]

# files: `ewald/choose/budget.c`, `tests/nufft/test_predicted_error`, `plugin.cpp` beside its page
files = 0
styles = ('ewald/dipole', 'ewald/dipole/spin') # of LAMMPS
for page in pages:
    for name in spans(text_of(page)):
        if not re.fullmatch(r'(?:src|nufft|ewald|tests|bench|examples|scripts|lammps_plugin|python|docs)/[\w./*-]+|'
                            r'[\w*]+\.(?:c|cpp|h|sh|py)', name) or '/NAME' in name or name in styles:
            continue
        files += 1
        places = ['', os.path.dirname(page) + '/', 'ewald/', 'ewald/include/enuf/', 'nufft/include/enuf/', 'examples/*/']
        expect(any(glob.glob(place.lstrip('/') + name + end) for place in places for end in ('', '.*')),
               f'{page}: {name} is no file')

# the interface, and the variables of environment and build
code = code_of('src/**/*.[ch]', 'nufft/**/*.[ch]', 'ewald/**/*.[ch]', 'lammps_plugin/*.[ch]pp', 'python/enuf/*.py',
               'tests/python/*.py', 'cmake/*', 'CMakeLists.txt')
listed = {f'ENUF_{prefix}_{name}' for prefix, macro in
          (('WINDOW', 'WINDOWS'), ('SPLIT', 'SPLITS'), ('ARITHMETIC', 'ARITHMETICS'), ('BACKEND', 'BACKENDS'),
           ('DECOMPOSITION', 'DECOMPOSITIONS'))
          for body in re.findall(rf'#define ENUF_{macro}\(X\)((?:.*\\\n)*.*)', code)
          for name in re.findall(r'X\((\w+),', body)}
listed |= {f'ENUF_{name}' for body in re.findall(r'#define ENUF_STATUSES\(X\)((?:.*\\\n)*.*)', code)
           for name in re.findall(r'X\((\w+),', body)}
names = 0


def of_today(text):
    """Without the first column of a table of old names."""
    return re.sub(r'^\| 0\.1\.0 \|.*\n(?:\|.*\n)*', lambda table: re.sub(r'^\|[^|]*', '', table[0], flags=re.M),
                  text, flags=re.M)


for page in pages:
    for name in set(re.findall(r'\b(?:enuf_\w+|ENUF_\w+)', of_today(text_of(page)))):
        names += 1
        expect(name in listed or re.search(rf'\b{name}', code), f'{page}: {name} is no name of the code')

# options of the program
options = {'--' + name for name in re.findall(r' -l ([a-z-]+)', text_of('src/cli/generated/enuf.fish'))}
others = {'--allow-run-as-root', '--oversubscribe', '--NAME', '--name', '--cflags', '--libs', '--man', '--completion'}
given = 0
for page in ('README.md', 'docs/cli.md', 'docs/tutorial.md', 'docs/glossary.md'):
    for option in set(re.findall(r'(?<![\w-])--[a-z][a-z-]*', text_of(page))) - others:
        given += 1
        expect(option in options, f'{page}: {option} is no option of enuf')
for option in options:
    expect(option in text_of('docs/cli.md'), f'docs/cli.md does not name {option}')

# LAMMPS: keywords, the log, the messages
guide = text_of('docs/lammps.md')
plugin = code_of('lammps_plugin/*.cpp')
table = guide[guide.index('| keyword | values | default |'):]
documented = set(re.findall(r'^\| `(\w+)', table[:table.index('\n\n')], flags=re.M))
known = set(re.findall(r'\{"(\w+)", \d, read_', plugin))
expect(documented == known and known, f'keywords of docs/lammps.md {sorted(documented)} and of the code {sorted(known)}')
table = guide[guide.index('| line | meaning |'):]
phrases = re.findall(r'^\| `([^`]+)`', table[:table.index('\n\n')], flags=re.M)
phrases += [message for message in re.findall(r'\*([a-z][^*]+)\*', guide)
            if message.startswith(('enufplugin', 'the force', 'the grid'))]
for phrase in phrases:
    words = [part.strip(' .,') for part in re.split(r'\.\.\.|(?<=splitting), |, (?=arithmetic)', phrase)]
    expect(all(word in plugin for word in words), f'docs/lammps.md: the plugin does not say "{phrase}"')

print(f'{files} files, {names} names, {given} options, {len(known)} keywords, {len(phrases)} lines and messages')
sys.exit(failures > 0 or min(files, names, given, len(phrases)) < 8)
