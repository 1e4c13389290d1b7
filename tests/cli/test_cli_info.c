/*
 * test_cli_info.c - `enuf info` prints version, libraries and backends, and agrees with
 * enuf_backend_usable() and enuf_fft_usable() on which backends and libraries of FFTs are usable.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "program.h"

#include <string.h>

int main(void)
{
    program_run run;
    program_enter_directory();
    RUN(&run, "info");
    CHECK(run.status == 0);
    CHECK(strstr(run.out, enuf_version()) && strstr(run.out, "cpu") && strstr(run.out, "cuda"));
    program_free(&run);

    cJSON *report = JSON("info");
    CHECK(strcmp(json_text(report, "version"), enuf_version()) == 0);
    const cJSON *backends = json_at(report, "backends");
    CHECK(cJSON_GetArraySize(backends) == 2);
    for (int b = 0; b < 2; ++b) {
        const cJSON *backend = cJSON_GetArrayItem(backends, b);
        enuf_backend kind;
        const char *reason = "";
        CHECK_STATUS(enuf_backend_parse(json_text(backend, "name"), &kind), ENUF_SUCCESS);
        CHECK(cJSON_IsTrue(json_at(backend, "usable")) == enuf_backend_usable(kind, &reason));
        CHECK(strcmp(json_text(backend, "detail"), reason) == 0);
    }
    const cJSON *ffts = json_at(report, "ffts");
    CHECK(cJSON_GetArraySize(ffts) == 3);
    for (int f = 0; f < 3; ++f) {
        const cJSON *library = cJSON_GetArrayItem(ffts, f);
        enuf_fft fft;
        const char *detail = "";
        CHECK_STATUS(enuf_fft_parse(json_text(library, "name"), &fft), ENUF_SUCCESS);
        CHECK(cJSON_IsTrue(json_at(library, "usable")) == enuf_fft_usable(fft, &detail));
        CHECK(*detail && strcmp(json_text(library, "detail"), detail) == 0);
    }
    enuf_fft in_use;
    CHECK_STATUS(enuf_fft_find(ENUF_FFT_AUTO, &in_use), ENUF_SUCCESS);
    CHECK(strcmp(json_text(report, "fft"), enuf_fft_name(in_use)) == 0);
    CHECK(*json_text(report, "cpu") && *json_text(report, "compiler"));
    CHECK(*json_text(report, "gemmi"));
    cJSON_Delete(report);
    program_leave_directory();
    return check_result();
}
