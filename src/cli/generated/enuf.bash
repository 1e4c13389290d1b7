# enuf.bash - completion of enuf(1) in bash. Written by `enuf --completion bash`.
# SPDX-License-Identifier: BSD-3-Clause

_enuf_files()
{
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$1"))
}

_enuf()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local command= options= words= files=
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = && $COMP_CWORD -gt 2 ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    [[ $COMP_CWORD -gt 1 ]] && command=${COMP_WORDS[1]}
    COMPREPLY=()
    case $command in
    '')
        words='energy madelung tune structure-factor plan bench info'
        options='--completion --help --man --version'
        ;;
    energy)
        options='--format --charge --cell --units --exclude --slab --surroundings --forces --per-atom --potential --virial --calibrate --wisdom --measure-error --accuracy --force-error --lammps-accuracy --split --cutoff --alpha --kmax --grid --window --width --precision --calibration --backend --deterministic --threads --decomposition --json --quiet --help'
        case $prev in
        --format) words='lammps-data lammps-dump extxyz poscar cif pdb gro' ;;
        --units) words='real metal si lj' ;;
        --exclude) words='none bonds molecule' ;;
        --forces) files=1 ;;
        --per-atom) files=1 ;;
        --potential) files=1 ;;
        --wisdom) files=1 ;;
        --split) words='auto gaussian prolate' ;;
        --window) words='prolate es kaiser_bessel gaussian bspline sinc_power' ;;
        --precision) words='auto double mixed by_accuracy' ;;
        --calibration) files=1 ;;
        --backend) words='auto cpu cuda' ;;
        --decomposition) words='auto replicated distributed' ;;
        --charge | --cell | --slab | --surroundings | --measure-error | --accuracy | --force-error | --lammps-accuracy | --cutoff | --alpha | --kmax | --grid | --width | --threads) return 0 ;;
        *) files=1 ;;
        esac
        ;;
    madelung)
        options='--list --cells --sweep-alpha --plot --format --charge --cell --units --accuracy --force-error --lammps-accuracy --split --cutoff --alpha --kmax --grid --window --width --precision --calibration --backend --deterministic --threads --json --quiet --help'
        case $prev in
        --plot) files=1 ;;
        --format) words='lammps-data lammps-dump extxyz poscar cif pdb gro' ;;
        --units) words='real metal si lj' ;;
        --split) words='auto gaussian prolate' ;;
        --window) words='prolate es kaiser_bessel gaussian bspline sinc_power' ;;
        --precision) words='auto double mixed by_accuracy' ;;
        --calibration) files=1 ;;
        --backend) words='auto cpu cuda' ;;
        --cells | --sweep-alpha | --charge | --cell | --accuracy | --force-error | --lammps-accuracy | --cutoff | --alpha | --kmax | --grid | --width | --threads) return 0 ;;
        *) words='fluorite antifluorite nacl cscl zincblende wurtzite perovskite rutile cuprite sc bcc fcc' files=1 ;;
        esac
        ;;
    tune)
        options='--dearest --candidates --measure --wisdom --uncorrelated --calibrate --ranks --cells --latency --bandwidth --format --charge --cell --units --exclude --slab --surroundings --accuracy --force-error --lammps-accuracy --split --cutoff --alpha --kmax --grid --window --width --precision --calibration --backend --deterministic --threads --json --quiet --help'
        case $prev in
        --wisdom) files=1 ;;
        --calibrate) files=1 ;;
        --format) words='lammps-data lammps-dump extxyz poscar cif pdb gro' ;;
        --units) words='real metal si lj' ;;
        --exclude) words='none bonds molecule' ;;
        --split) words='auto gaussian prolate' ;;
        --window) words='prolate es kaiser_bessel gaussian bspline sinc_power' ;;
        --precision) words='auto double mixed by_accuracy' ;;
        --calibration) files=1 ;;
        --backend) words='auto cpu cuda' ;;
        --dearest | --candidates | --ranks | --cells | --latency | --bandwidth | --charge | --cell | --slab | --surroundings | --accuracy | --force-error | --lammps-accuracy | --cutoff | --alpha | --kmax | --grid | --width | --threads) return 0 ;;
        *) files=1 ;;
        esac
        ;;
    structure-factor)
        options='--q --q-file --sphere --cartesian --weights --plot --backend --threads --format --charge --cell --units --json --quiet --help'
        case $prev in
        --q-file) files=1 ;;
        --weights) words='charges unit numbers' ;;
        --plot) files=1 ;;
        --backend) words='auto cpu cuda' ;;
        --format) words='lammps-data lammps-dump extxyz poscar cif pdb gro' ;;
        --units) words='real metal si lj' ;;
        --q | --sphere | --threads | --charge | --cell) return 0 ;;
        *) files=1 ;;
        esac
        ;;
    plan)
        options='--modes --points --tol --repeats --type1 --type2 --gram --float --memory --effort --wisdom --backend --threads --json --quiet --help'
        case $prev in
        --points) words='radial stack_of_stars cones random cluster cartesian' files=1 ;;
        --effort) words='estimate measure exhaustive wisdom_only' ;;
        --wisdom) files=1 ;;
        --backend) words='auto cpu cuda' ;;
        --modes | --tol | --repeats | --type1 | --type2 | --gram | --memory | --threads) return 0 ;;
        *) ;;
        esac
        ;;
    bench)
        options='--threads --quick --json --quiet --help'
        case $prev in
        --threads) return 0 ;;
        *) words=$options ;;
        esac
        ;;
    info)
        options='--json --help'
        case $prev in
        *) words=$options ;;
        esac
        ;;
    --completion) [[ $COMP_CWORD -eq 2 ]] && words='bash zsh fish' ;;
    esac
    [[ $cur == -* && $cur != - ]] && words=$options
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    [[ -n $files && $cur != -* ]] && _enuf_files "$cur"
    return 0
}

complete -F _enuf enuf
