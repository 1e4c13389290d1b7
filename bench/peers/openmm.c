/*
 * openmm.c - see openmm.h. It calls functions of OpenMM 8's documented C interface.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "openmm.h"
#include "stopwatch.h"
#include "symbol.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vector {
    double x, y, z;
} vector;

enum {
    PME = 4,
    POSITIONS = 1,
    FORCES = 4,
    DIRECT_GROUP = 0,
    RECIPROCAL_GROUP = 1,
    EMPTY_GROUP = 2
};

/* X(result, name, arguments) */
#define CALLS(X)                                                                                   \
    X(void *, Platform_getOpenMMVersion, (void))                                                   \
    X(void, Platform_loadPluginLibrary, (const char *))                                            \
    X(void *, Platform_getPlatformByName, (const char *))                                          \
    X(void, Platform_setPropertyDefaultValue, (void *, const char *, const char *))                \
    X(void *, System_create, (void))                                                               \
    X(void, System_destroy, (void *))                                                              \
    X(int, System_addParticle, (void *, double))                                                   \
    X(int, System_addForce, (void *, void *))                                                      \
    X(void, System_setDefaultPeriodicBoxVectors,                                                   \
      (void *, const vector *, const vector *, const vector *))                                    \
    X(void *, NonbondedForce_create, (void))                                                       \
    X(void, NonbondedForce_setNonbondedMethod, (void *, int))                                      \
    X(void, NonbondedForce_setCutoffDistance, (void *, double))                                    \
    X(void, NonbondedForce_setEwaldErrorTolerance, (void *, double))                               \
    X(void, NonbondedForce_setPMEParameters, (void *, double, int, int, int))                      \
    X(void, NonbondedForce_getPMEParametersInContext,                                              \
      (const void *, const void *, double *, int *, int *, int *))                                 \
    X(void, NonbondedForce_setUseDispersionCorrection, (void *, int))                              \
    X(void, NonbondedForce_setReciprocalSpaceForceGroup, (void *, int))                            \
    X(int, NonbondedForce_addParticle, (void *, double, double, double))                           \
    X(void, Force_setForceGroup, (void *, int))                                                    \
    X(void *, VerletIntegrator_create, (double))                                                   \
    X(void, Integrator_setIntegrationForceGroups, (void *, int))                                   \
    X(void, Integrator_step, (void *, int))                                                        \
    X(void, Integrator_destroy, (void *))                                                          \
    X(void *, Context_create_2, (const void *, void *, void *))                                    \
    X(void, Context_setPositions, (void *, const void *))                                          \
    X(void *, Context_getState, (const void *, int, int))                                          \
    X(void, Context_destroy, (void *))                                                             \
    X(const void *, State_getForces, (const void *))                                               \
    X(void, State_destroy, (void *))                                                               \
    X(void *, Vec3Array_create, (int))                                                             \
    X(void, Vec3Array_set, (void *, int, vector))                                                  \
    X(const vector *, Vec3Array_get, (const void *, int))                                          \
    X(void, Vec3Array_destroy, (void *))

static struct {
#define X(result, name, arguments) result(*name) arguments;
    CALLS(X)
#undef X
    void *platform;
    char version[64];
} peer;

/* e^2 N_A / (4 pi eps0) in kJ/mol nm, from the SI's exact constants and CODATA 2018, as OpenMM 8.
 */
static const double COULOMB = 138.93545764498225;
static const double NM = 0.1; /* of an angstrom */

/* Loads the plugin of the platform from the library's folder, or from its folder plugins. */
static int load_plugin(const char *library, const char *platform)
{
    char folder[PATH_MAX], plugin[PATH_MAX + 64];
    snprintf(folder, sizeof folder, "%s", library);
    const char *places[] = {"", "plugins/"};
    const char *beside = dirname(folder);
    for (int k = 0; k < 2; k++) {
        snprintf(plugin, sizeof plugin, "%s/%slibOpenMM%s.so", beside, places[k], platform);
        void *found = dlopen(plugin, RTLD_NOW | RTLD_GLOBAL);
        if (!found) continue;
        peer.Platform_loadPluginLibrary(plugin);
        return 1;
    }
    return 0;
}

const char *openmm_open(void)
{
    const char *path = getenv("OPENMM_LIBRARY"), *platform = getenv("OPENMM_PLATFORM");
    void *library = dlopen(path ? path : "libOpenMM.so", RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return "OpenMM is not installed: pip install openmm==8.6.1 openmm-cuda-13==8.6.1, then set "
               "OPENMM_LIBRARY to its libOpenMM.so";
#define X(result, name, arguments)                                                                 \
    if (!peer_symbol(library, "OpenMM_" #name, &peer.name))                                        \
        return "this libOpenMM.so lacks OpenMM_" #name;
    CALLS(X)
#undef X
    if (!platform) platform = "CUDA";
    if (strcmp(platform, "Reference") != 0 && !load_plugin(path ? path : "libOpenMM.so", platform))
        return dlerror() ? "the platform's plugin of OpenMM does not load" : "no plugin of OpenMM";
    peer.platform = peer.Platform_getPlatformByName(platform);
    snprintf(peer.version, sizeof peer.version, "OpenMM %s",
             (const char *)peer.Platform_getOpenMMVersion());
    return NULL;
}

const char *openmm_version_text(void)
{
    return peer.version;
}

static void *make_force(const openmm_ions *ions, const openmm_settings *s)
{
    void *force = peer.NonbondedForce_create();
    peer.NonbondedForce_setNonbondedMethod(force, PME);
    peer.NonbondedForce_setCutoffDistance(force, s->cutoff * NM);
    if (s->tolerance > 0)
        peer.NonbondedForce_setEwaldErrorTolerance(force, s->tolerance);
    else
        peer.NonbondedForce_setPMEParameters(force, s->alpha / NM, s->grid, s->grid, s->grid);
    peer.NonbondedForce_setUseDispersionCorrection(force, 0);
    for (int64_t i = 0; i < ions->n; i++) peer.NonbondedForce_addParticle(force, ions->q[i], 1, 0);
    peer.Force_setForceGroup(force, DIRECT_GROUP);
    peer.NonbondedForce_setReciprocalSpaceForceGroup(force, RECIPROCAL_GROUP);
    return force;
}

static void set_positions(void *context, const openmm_ions *ions)
{
    void *positions = peer.Vec3Array_create((int)ions->n);
    for (int64_t i = 0; i < ions->n; i++) {
        const double *x = ions->x + 3 * i;
        peer.Vec3Array_set(positions, (int)i, (vector){x[0] * NM, x[1] * NM, x[2] * NM});
    }
    peer.Context_setPositions(context, positions);
    peer.Vec3Array_destroy(positions);
}

static void get_forces(void *context, int64_t n, double *forces)
{
    void *state = peer.Context_getState(context, FORCES, 0);
    const void *array = peer.State_getForces(state);
    const double unit = NM * NM / COULOMB; /* of 1/nm^2 to 1/angstrom^2, without C */
    for (int64_t i = 0; i < n; i++) {
        const vector *f = peer.Vec3Array_get(array, (int)i);
        forces[3 * i] = f->x * unit;
        forces[3 * i + 1] = f->y * unit;
        forces[3 * i + 2] = f->z * unit;
    }
    peer.State_destroy(state);
}

/* Seconds of a step: the mean over `steps` in a row. Getting the state waits for the steps. */
static double time_row(void *context, void *integrator, int steps)
{
    double start = bench_seconds();
    peer.Integrator_step(integrator, steps);
    peer.State_destroy(peer.Context_getState(context, POSITIONS, 0));
    return (bench_seconds() - start) / steps;
}

/* Seconds of a step that computes this group of forces. */
static double time_steps(void *context, void *integrator, int group, const openmm_settings *s)
{
    int steps = s->steps;
    peer.Integrator_setIntegrationForceGroups(integrator, 1 << group);
    time_row(context, integrator, 3); /* loads and warms up */
    if (s->longest_row > 0) {
        const double fit = s->longest_row / time_row(context, integrator, 3);
        if (fit < steps) steps = fit < 3 ? 3 : (int)fit;
    }
    double best = 1e30;
    for (int k = 0; k < s->repeats; k++) {
        double seconds = time_row(context, integrator, steps);
        if (seconds < best) best = seconds;
    }
    return best;
}

void openmm_measure(const openmm_ions *ions, const openmm_settings *s, openmm_result *result)
{
    const double edge = ions->edge * NM;
    const vector a = {edge, 0, 0}, b = {0, edge, 0}, c = {0, 0, edge};
    const char *platform = getenv("OPENMM_PLATFORM");
    if (!platform || strcmp(platform, "CUDA") == 0)
        peer.Platform_setPropertyDefaultValue(peer.platform, "Precision", s->precision);
    void *system = peer.System_create(), *force = make_force(ions, s);
    /* masses so large that the ions do not move */
    for (int64_t i = 0; i < ions->n; i++) peer.System_addParticle(system, 1e12);
    peer.System_setDefaultPeriodicBoxVectors(system, &a, &b, &c);
    peer.System_addForce(system, force);
    void *integrator = peer.VerletIntegrator_create(1e-9);
    void *context = peer.Context_create_2(system, integrator, peer.platform);
    set_positions(context, ions);
    if (result->forces) get_forces(context, ions->n, result->forces);
    double none = time_steps(context, integrator, EMPTY_GROUP, s);
    result->reciprocal = time_steps(context, integrator, RECIPROCAL_GROUP, s) - none;
    result->direct = time_steps(context, integrator, DIRECT_GROUP, s) - none;
    int *grid = result->grid;
    peer.NonbondedForce_getPMEParametersInContext(force, context, &result->alpha, &grid[0],
                                                  &grid[1], &grid[2]);
    result->alpha *= NM;
    peer.Context_destroy(context);
    peer.Integrator_destroy(integrator);
    peer.System_destroy(system);
}
