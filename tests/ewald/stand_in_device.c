/* stand_in_device.c - see stand_in_device.h. SPDX-License-Identifier: BSD-3-Clause */
#include "stand_in_device.h"
#include "memory.h"

#include <math.h>
#include <string.h>

enum { ROOM = 100000 };

stand_in_counts stand_in_calls;
int stand_in_refuses_host;

static double memory[2 * ROOM]; /* arrays of the caller, and the room of floats */
static int64_t used;

static struct {
    const enuf_ewald_backend *cpu;
    enuf_ewald_backend table;
    double *q;                   /* the charges that are kept */
    enuf_charge_set lists, next; /* lists of exclusions in use, and of the charges summed last */
    enuf_charge_sums sums;
    enuf_status fault; /* of enqueued evaluations */
} device;

void *stand_in_array(int64_t n, const void *from)
{
    if (used + n > ROOM) used = 0;
    double *array = memory + used;
    used += n;
    memcpy(array, from, (size_t)n * sizeof *array);
    return array;
}

static enuf_status find_place(const enuf_ewald *ewald, const void *array, const char *name,
                              enuf_memory *place)
{
    (void)ewald, (void)name;
    const double *at = array;
    *place = at >= memory && at < memory + 2 * ROOM ? ENUF_DEVICE : ENUF_HOST;
    return ENUF_SUCCESS;
}

static enuf_status check_place(const enuf_ewald *ewald, const void *array, enuf_memory asked,
                               const char *name)
{
    enuf_memory place;
    ENUF_TRY(find_place(ewald, array, name, &place));
    if (!array || place == asked || !stand_in_refuses_host) return ENUF_SUCCESS;
    return enuf_fail(ENUF_BAD_MEMORY, "%s lives elsewhere", name);
}

static enuf_status to_host(enuf_ewald *ewald, int64_t n, const void *from, void *to)
{
    (void)ewald;
    memcpy(to, from, (size_t)n * sizeof(double));
    return ENUF_SUCCESS;
}

static int64_t in_units(double t, int64_t n, double largest)
{
    if (!(largest > 0) || !isfinite((double)n * largest)) return 0;
    return llrint(ldexp(t, -enuf_invariant_unit(n, largest)));
}

static int64_t bits_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void check_exclusions(int64_t n, const enuf_exclusions *x, enuf_charge_sums *s)
{
    for (int64_t k = x->n - 1; k >= 0; k--) {
        const int64_t *p = x->pairs + 2 * k;
        if (x->weights && !isfinite(x->weights[k])) {
            s->bad_weight = (uint64_t)k;
            s->detail[0] = bits_of(x->weights[k]);
        }
        if (p[0] >= 0 && p[0] < n && p[1] >= 0 && p[1] < n && p[0] != p[1]) continue;
        s->bad_pair = (uint64_t)k;
        memcpy(s->detail, p, sizeof s->detail);
    }
}

/* Lists exclusions without errors. */
static enuf_status list_exclusions(int64_t n, const enuf_exclusions *x, enuf_charge_sums *s)
{
    enuf_charge_set_release(&device.next);
    device.next = (enuf_charge_set){.n = n};
    check_exclusions(n, x, s);
    if (s->bad_pair != UINT64_MAX || s->bad_weight != UINT64_MAX) return ENUF_SUCCESS;
    const enuf_status status = enuf_charge_set_exclude(x, &device.next);
    if (status != ENUF_BAD_ARGUMENT) return status;
    s->repeated =
        (uint64_t)x->pairs[0] << 32 | (uint64_t)x->pairs[1]; /* the tests' repeated pair */
    return ENUF_SUCCESS;
}

static enuf_status sum_charges(enuf_ewald *ewald, int64_t n, const double *q,
                               const enuf_exclusions *exclusions)
{
    (void)ewald;
    enuf_charge_sums s = {.bad = UINT64_MAX,
                          .bad_pair = UINT64_MAX,
                          .bad_weight = UINT64_MAX,
                          .repeated = UINT64_MAX};
    stand_in_calls.sums++;
    if (exclusions) ENUF_TRY(list_exclusions(n, exclusions, &s));
    for (int64_t i = n - 1; i >= 0; i--) {
        if (!isfinite(q[i])) s.bad = (uint64_t)i, s.detail[0] = bits_of(q[i]);
        s.n_charged += q[i] != 0;
        s.largest = fmax(s.largest, fabs(q[i]));
    }
    const double square = s.largest * s.largest;
    for (int64_t i = 0; i < n && s.bad == UINT64_MAX; i++) {
        s.sum += in_units(q[i], n, s.largest);
        s.sum_abs += in_units(fabs(q[i]), n, s.largest);
        s.sum_q2 += in_units(q[i] * q[i], n, square);
    }
    const double sum_q2 = enuf_invariant_value(n, square, s.sum_q2);
    const double most = square / sum_q2;
    for (int64_t i = 0; i < n && s.bad == UINT64_MAX && sum_q2 > 0; i++) {
        const double share = q[i] * q[i] / sum_q2;
        s.concentration += in_units(share * share, n, most * most);
    }
    device.sums = s;
    return ENUF_SUCCESS;
}

static enuf_status read_charge_sums(enuf_ewald *ewald, enuf_charge_sums *sums)
{
    (void)ewald;
    stand_in_calls.waits++;
    *sums = device.sums;
    return ENUF_SUCCESS;
}

static enuf_status keep_charges(enuf_ewald *ewald, int64_t n, const double *charges, int with_lists)
{
    double *q = NULL;
    (void)ewald;
    ENUF_TRY(enuf_allocate(&q, n, sizeof *q, "charges"));
    memcpy(q, charges, (size_t)n * sizeof *q);
    enuf_release(&device.q);
    device.q = q;
    if (!with_lists) return ENUF_SUCCESS;
    enuf_charge_set_release(&device.lists);
    device.lists = device.next;
    device.next = (enuf_charge_set){.n = 0};
    return ENUF_SUCCESS;
}

static enuf_status charges_to_host(enuf_ewald *ewald, int64_t n, double *to)
{
    stand_in_calls.fetches++;
    return to_host(ewald, n, device.q, to);
}

static enuf_status lists_to_host(enuf_ewald *ewald, int64_t n, int64_t n_excluded, int64_t *first,
                                 int64_t *partner, double *removed)
{
    ENUF_TRY(to_host(ewald, n + 1, device.lists.first, first));
    ENUF_TRY(to_host(ewald, 2 * n_excluded, device.lists.partner, partner));
    return to_host(ewald, 2 * n_excluded, device.lists.removed, removed);
}

static enuf_status float_room(enuf_ewald *ewald, int64_t numbers, double **room)
{
    (void)ewald;
    if (numbers > ROOM) return enuf_fail(ENUF_OUT_OF_MEMORY, "no room for floats");
    *room = memory + ROOM;
    return ENUF_SUCCESS;
}

static enuf_status widen(enuf_ewald *ewald, int64_t n, int width, int64_t stride, const float *from,
                         double *to)
{
    (void)ewald;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < width; k++) to[width * i + k] = (double)from[stride * i + k];
    return ENUF_SUCCESS;
}

static enuf_status narrow(enuf_ewald *ewald, int64_t n, const double *from, float *to)
{
    (void)ewald;
    stand_in_calls.narrowed++;
    for (int64_t k = 0; k < n; k++) to[k] = (float)from[k];
    return ENUF_SUCCESS;
}

/* The kernels of the CPU read the charges and lists of the device. */
static enuf_status call_cpu(enuf_ewald *ewald, const enuf_evaluation *what,
                            enuf_status (*half)(enuf_ewald *, const enuf_evaluation *))
{
    enuf_charge_set *set = &ewald->charges;
    const enuf_charge_set host_copy = *set;
    if (set->on_device) set->q = device.q;
    if (set->lists_on_device) {
        set->first = device.lists.first;
        set->partner = device.lists.partner;
        set->removed = device.lists.removed;
    }
    const enuf_status status = half(ewald, what);
    *set = host_copy;
    return status;
}

static void put_totals(const enuf_ewald_result *from, enuf_ewald_totals *to)
{
    to->energy = from->energy;
    to->parts = from->parts;
    memcpy(to->virial, from->virial, sizeof to->virial);
    memcpy(to->net_force, from->net_force, sizeof to->net_force);
}

/* Computes at once, but keeps errors for the check. */
static enuf_status enqueue(enuf_ewald *ewald, const enuf_evaluation *what)
{
    enuf_ewald_result result = *what->result;
    enuf_evaluation now = *what;
    now.result = &result;
    enuf_status status = call_cpu(ewald, &now, device.cpu->start);
    if (status == ENUF_SUCCESS) status = call_cpu(ewald, &now, device.cpu->finish);
    if (status == ENUF_SUCCESS) put_totals(&result, what->result->totals);
    if (device.fault == ENUF_SUCCESS) device.fault = status;
    return ENUF_SUCCESS;
}

static enuf_status check(enuf_ewald *ewald)
{
    const enuf_status fault = device.fault;
    (void)ewald;
    device.fault = ENUF_SUCCESS;
    return fault == ENUF_SUCCESS ? fault : enuf_fail(fault, "the stand-in's error of the data");
}

static enuf_status start(enuf_ewald *ewald, const enuf_evaluation *what)
{
    stand_in_calls.starts++;
    if (what->result->totals) return enqueue(ewald, what);
    return call_cpu(ewald, what, device.cpu->start);
}

static enuf_status finish(enuf_ewald *ewald, const enuf_evaluation *what)
{
    return call_cpu(ewald, what, device.cpu->finish);
}

static void use(enuf_ewald *ewald)
{
    device.cpu = ewald->backend;
    device.table = *ewald->backend;
    device.table.find_place = find_place;
    device.table.check_place = check_place;
    device.table.to_host = to_host;
    device.table.sum_charges = sum_charges;
    device.table.read_charge_sums = read_charge_sums;
    device.table.keep_charges = keep_charges;
    device.table.charges_to_host = charges_to_host;
    device.table.lists_to_host = lists_to_host;
    device.table.float_room = float_room;
    device.table.widen = widen;
    device.table.narrow = narrow;
    device.table.start = start;
    device.table.finish = finish;
    device.table.check = check;
    ewald->backend = &device.table;
    ewald->options.memory = ENUF_DEVICE;
    memset(&stand_in_calls, 0, sizeof stand_in_calls);
}

enuf_ewald *stand_in_make(const enuf_ewald_options *options, const charge_system *system)
{
    enuf_ewald *ewald = NULL;
    enuf_ewald_options on_cpu = *options;
    on_cpu.backend = ENUF_BACKEND_CPU;
    CHECK_STATUS(enuf_ewald_create(&on_cpu, &ewald), ENUF_SUCCESS);
    CHECK_STATUS(enuf_ewald_set_cell(ewald, system->cell), ENUF_SUCCESS);
    use(ewald);
    return ewald;
}

void stand_in_destroy(enuf_ewald **ewald)
{
    (*ewald)->backend = device.cpu;
    enuf_release(&device.q);
    enuf_charge_set_release(&device.lists);
    enuf_charge_set_release(&device.next);
    enuf_ewald_destroy(ewald);
}

enuf_status stand_in_set(enuf_ewald *ewald, int64_t n, const double *charges)
{
    return enuf_ewald_set_charges(ewald, n, stand_in_array(n, charges), NULL);
}
