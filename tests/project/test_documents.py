#!/usr/bin/env python3
# The documents are complete and consistent. Links lead to files and headings that exist; lines have 120 columns at
# most, the README 120 lines; a decision has five lines; the site has every page; the plots are drawn from the figures
# in bench/results; docs/benchmarks.md names every file of figures.
# SPDX-License-Identifier: BSD-3-Clause
import csv
import glob
import os
import re
import subprocess
import sys

source, scratch = os.environ['SOURCE'], os.environ['SCRATCH']
os.chdir(source)
failures = 0


def expect(holds, what):
    global failures
    if not holds:
        failures += 1
        print(f'FAILED: {what}')


def text_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def without_code(text):
    """Blocks and spans of code hold no links."""
    text = re.sub(r'^```.*?^```', '', text, flags=re.M | re.S)
    text = re.sub(r'(?<=\n\n)(?:    .*\n|\n)+', '\n', text)
    return re.sub(r'`[^`\n]*`', lambda span: 'x' * len(span.group()), text)


def anchors(path):
    """The headings as GitHub and mkdocs name them: lower case, words joined by hyphens."""
    headings = re.findall(r'^#+ +(.*)$', re.sub(r'^```.*?^```', '', text_of(path), flags=re.M | re.S), flags=re.M)
    return {re.sub(r'[^\w\- ]', '', heading.lower()).strip().replace(' ', '-') for heading in headings}


pages = sorted(glob.glob('*.md') + glob.glob('docs/*.md') + glob.glob('*/README.md') + glob.glob('examples/*/README.md'))
links = 0
for page in pages:
    body = without_code(text_of(page))
    for target in re.findall(r'\]\(([^()\s]+)\)', body):
        if re.match(r'[a-z]+:', target):
            continue
        links += 1
        path, _, anchor = target.partition('#')
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        expect(os.path.exists(path), f'{page}: the link {target} leads to no file')
        if anchor and os.path.exists(path):
            expect(anchor in anchors(path), f'{page}: the link {target} leads to no heading')
print(f'{links} links in {len(pages)} pages')
expect(links > 30, 'there are more than 30 links: the test has found them')

wrapped = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'lammps_plugin/README.md'] + [
    f'docs/{name}.md' for name in
    ('benchmarks', 'cli', 'conventions', 'decisions', 'glossary', 'images', 'lammps', 'lammps_kokkos', 'library',
     'migration', 'python', 'theory', 'tuning', 'tutorial')]
for page in wrapped:
    for number, line in enumerate(text_of(page).split('\n'), 1):
        expect(len(line) <= 120, f'{page}:{number}: {len(line)} columns, 120 at most')
for page, most in (('README.md', 120), ('docs/benchmarks.md', 150), ('docs/tuning.md', 120)):
    lines = text_of(page).count('\n')
    print(f'{page}: {lines} lines, {most} at most')
    expect(lines <= most, f'{page} has at most {most} lines')

decisions = re.split(r'^### ', text_of('docs/decisions.md'), flags=re.M)[1:]
for decision in decisions:
    title, _, body = decision.partition('\n')
    lines = [line for line in body.split('\n') if line and not line.startswith('## ')]
    parts = [re.match(r'(?:- \*\*(\w+):\*\* )?', line).group(1) for line in lines]
    expect(parts == ['What', 'Why', 'Instead', 'Cost', 'Code'], f'docs/decisions.md: "{title}" has the lines {parts}')
print(f'{len(decisions)} decisions, 31 at most')
expect(10 <= len(decisions) <= 31, 'docs/decisions.md has 10 to 31 decisions')

version = re.search(r'VERSION (\d+\.\d+\.\d+)', text_of('CMakeLists.txt')).group(1)
expect(f'\nversion: {version}\n' in text_of('CITATION.cff'), f'CITATION.cff names the version {version}')

site = text_of('mkdocs.yml')
for page in sorted(glob.glob('docs/*.md')):
    expect(f' {os.path.basename(page)}\n' in site, f'{page} stands in mkdocs.yml')

# a title that a comment cites from docs/theory.md is a heading there, or begins a paragraph
titles = {title.rstrip('.,') for title in
          re.findall(r'^(?:#+ (?:\d+\. )?|\*\*)([^*\n]+)', text_of('docs/theory.md'), flags=re.M)}
cited = 0
for folder in ('src', 'nufft', 'ewald', 'lammps_plugin', 'python', 'tests', 'examples', 'bench'):
    for path in glob.glob(f'{folder}/**/*.*', recursive=True):
        if not re.search(r'\.(c|h|cu|cuh|cpp|py|sh)$', path):
            continue
        code = re.sub(r'\s*\n[ *#/]*', ' ', text_of(path))
        for title in re.findall(r'docs/theory\.md,? \\?"([^"\\]+)', code):
            cited += 1
            expect(title in titles, f'{path}: docs/theory.md has no "{title}"')
print(f'{cited} citations of the theory')
expect(cited > 10, 'there are more than 10 citations of the theory: the test has found them')

for script, plot in (('draw_peers.py', 'speed.svg'), ('draw_scaling.py', 'scaling.svg'), ('draw_tuning.py', 'tuning.svg'),
                     ('draw_figures.py', 'cufinufft.svg')):
    drawn = os.path.join(scratch, plot)
    command = [f'bench/{script}', 'bench/results']
    subprocess.run([sys.executable, '-B', *command, drawn], check=True)
    expect(text_of(drawn) == text_of(f'docs/{plot}'),
           f'docs/{plot} is what it draws: python3 {" ".join(command)} docs/{plot}')

# the table of docs/images.md has the numbers of the newest measurement
measured = sorted(glob.glob('bench/results/imaging_2*.csv'))[-1]
shown = re.findall(r'^\| (\d) \| (\d) \| (\S+) \| (\S*) ?\| (\S+) \|$', text_of('docs/images.md'), flags=re.M)
rows = [line.split(',') for line in text_of(measured).split('\n') if line.startswith('radial,')]
expect(rows and shown == [(row[2], row[3], row[6], row[7], row[8]) for row in rows],
       f'the table of docs/images.md is that of {measured}')

# so have its tables of times; a row of times names side and direction, one of frames side alone
measured = sorted(glob.glob('bench/results/imaging_tables_2*.csv'))[-1]
with open(measured, encoding='utf-8') as file:
    entries = [row for row in csv.DictReader(line for line in file if not line.startswith('#'))
               if row['trajectory'] == 'radial']
found = {(row['side'], row['direction'], row['method'], row['layout'], row['window']): row for row in entries}


def shown_as(row, *names):
    return [f'{float(format(float(row[name]), ".3g")):g}' for name in names]


times, frames = [], []
for side in ('128', '256', '512'):
    for direction in ('forward', 'adjoint'):
        source, own, nfft3, finufft = (found[side, direction, *words] for words in (
            ('enuf', '2/4', 'gaussian'), ('enuf', 'error', 'prolate'), ('nfft3', '2/4', 'kaiser_bessel'),
            ('finufft', 'error', '')))
        times.append((side, direction, *shown_as(source, 'convolution_ms', 'fft_ms', 'deapodisation_ms', 'total_ms'),
                      *(shown_as(row, 'total_ms')[0] for row in (own, finufft, nfft3))))
    frames.append((side, *shown_as(own, *(f'{kind}_s_{coils}' for kind in ('images', 'moving') for coils in (1, 8, 32)))))
page = text_of('docs/images.md')
row_of = r'^\| (\d+) \| '
shown = re.findall(row_of + r'(forward|adjoint) \| ' + r' \| '.join(7 * [r'(\S+)']) + r' \|$', page, flags=re.M)
expect(shown == times, f'the times of docs/images.md are those of {measured}: {times}')
shown = re.findall(row_of + r' \| '.join(6 * [r'(\S+)']) + r' \|$', page, flags=re.M)
expect(shown == frames, f'the frames of docs/images.md are those of {measured}: {frames}')

# the index names every file of figures, and the head of the file names the day of the measurement
index = text_of('docs/benchmarks.md').partition('| files in `bench/results` |')[2]
patterns = re.findall(r'`(\w+\*)`', index)
results = sorted(glob.glob('bench/results/*'))
named = {pattern: glob.glob(f'bench/results/{pattern}.csv') for pattern in patterns}
for pattern, files in named.items():
    expect(files, f'docs/benchmarks.md: {pattern} names no file of bench/results')
for path in results:
    expect(any(path in files for files in named.values()), f'docs/benchmarks.md does not name {path}')
    head = '\n'.join(line for line in text_of(path).split('\n')[:4] if line.startswith('#'))
    expect(re.search(r'\b20\d\d-\d\d-\d\d\b', head), f'{path}: its head names no day')
print(f'{len(results)} files of figures, {len(patterns)} names of them')
expect(min(len(results), len(patterns)) > 5, 'there are more than 5 files of figures and names: the test has found them')
sys.exit(failures > 0)
