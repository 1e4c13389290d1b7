/* sweep_picture.c - see sweep_picture.h. SPDX-License-Identifier: BSD-3-Clause */
#include "sweep_picture.h"

#include "safe_text.h"

typedef struct sweep_picture {
    const cli_settings *settings;
    const cli_alpha_sweep *sweep;
    const cli_lattice_constant *constant;
    const char *length;
} sweep_picture;

static void write_numbers(const void *context, FILE *stream)
{
    const sweep_picture *p = context;
    cli_sweep_write(p->sweep, stream);
}

static void write_title(const sweep_picture *p, FILE *script)
{
    char title[CLI_SHOWN_NAME];
    snprintf(title, sizeof title,
             "%.3000s: Madelung constant %s, cutoff %.4g %s, modes |k| ≤ 2π %.4g/V^(1/3)",
             p->constant->crystal ? p->constant->crystal->name : p->settings->input,
             p->constant->symbol, p->sweep->rows[0].cutoff, cli_picture_length(p->length),
             p->sweep->rows[0].kmax);
    cli_picture_title(title, script);
}

/* Two plots: the constant and its two parts above, the deviation from the reference below. */
static void write_script(const void *context, FILE *script)
{
    const sweep_picture *p = context;
    fprintf(script,
            "set multiplot layout 2,1\nset xlabel 'splitting parameter α (1/%s)'\nset grid\n"
            "set key autotitle columnhead right center\nset ylabel 'Madelung constant %s'\n",
            cli_picture_length(p->length), p->constant->symbol);
    write_title(p, script);
    fprintf(script,
            "plot $numbers using 1:2 with linespoints pt 7 ps 0.6 title 'constant', "
            "'' using 1:3 with lines title 'real', "
            "'' using 1:4 with lines title 'reciprocal and self', "
            "%.17g with lines dt 2 title '%s'\n",
            p->constant->reference, p->constant->converged ? "converged" : "reference");
    fputs("unset title\nset logscale y\nset format y '10^{%T}'\nset ylabel '|relative deviation|'\n"
          "plot $numbers using 1:(abs($5) > 1e-17 ? abs($5) : 1e-17) with linespoints "
          "pt 7 ps 0.6 notitle\nunset multiplot\n",
          script);
}

enuf_status cli_sweep_draw(const cli_settings *settings, const cli_alpha_sweep *sweep,
                           const cli_lattice_constant *constant, const char *length,
                           cli_picture *files)
{
    const sweep_picture picture = {settings, sweep, constant, length};
    const cli_drawing drawing = {&picture, write_numbers, write_script};
    return cli_picture_draw(settings, &drawing, files);
}
