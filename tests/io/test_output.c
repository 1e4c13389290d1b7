/*
 * test_output.c - enuf_output writes a file whole or leaves the old one, also several files
 * together, links, and on file systems that lack renameat2() or /proc. A place that cannot be
 * written is refused when it is opened; a full disk is reported.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* renameat2 */
#endif
#include "check.h"
#include "output.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* 1: the function below fails, as on some file systems. The linker takes these functions instead of
 * those of the C library. */
static int no_exchange, no_names_through_proc;

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    if (!no_exchange) return (int)syscall(SYS_renameat2, from, old, to, new, flags);
    errno = EINVAL;
    return -1;
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    if (!no_names_through_proc) return (int)syscall(SYS_linkat, from, old, to, new, flags);
    errno = EACCES;
    return -1;
}

static char folder[] = "/tmp/enuf_output_XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int entries(void)
{
    int n = -2; /* . and .. */
    DIR *directory = opendir(folder);
    if (!CHECK(directory != NULL)) return -1;
    while (readdir(directory)) ++n;
    closedir(directory);
    return n;
}

static int holds(const char *name, const char *content)
{
    enuf_text text;
    if (enuf_text_load(in_folder(name), &text) != ENUF_SUCCESS) return 0;
    int same = strcmp(text.bytes, content) == 0;
    enuf_text_free(&text);
    return same;
}

static void write_whole(const char *name, const char *content)
{
    enuf_output *output;
    if (!CHECK_STATUS(enuf_output_open(in_folder(name), &output), ENUF_SUCCESS)) return;
    fputs(content, enuf_output_stream(output));
    CHECK_STATUS(enuf_output_commit(&output), ENUF_SUCCESS);
    CHECK(output == NULL);
}

static void old_file_stays_until_the_new_one_is_whole(void)
{
    enuf_output *output;
    write_whole("a.xyz", "old\n");
    CHECK_STATUS(enuf_output_open(in_folder("a.xyz"), &output), ENUF_SUCCESS);
    fputs("half", enuf_output_stream(output));
    fflush(enuf_output_stream(output));
    CHECK(holds("a.xyz", "old\n"));
    enuf_output_discard(&output);
    CHECK(output == NULL && holds("a.xyz", "old\n") && entries() == 1);
    enuf_output_discard(&output);
    write_whole("a.xyz", "new\n");
    CHECK(holds("a.xyz", "new\n") && entries() == 1);
}

static void nothing_is_left_of_a_discarded_file(void)
{
    enuf_output *output;
    CHECK_STATUS(enuf_output_open(in_folder("b.xyz"), &output), ENUF_SUCCESS);
    enuf_output_discard(&output);
    CHECK(entries() == 1);
}

static void links_stay_links_and_modes_follow_the_umask(void)
{
    struct stat status;
    char target[256];
    snprintf(target, sizeof target, "%s", in_folder("a.xyz"));
    CHECK(symlink(target, in_folder("link.xyz")) == 0);
    write_whole("link.xyz", "through\n");
    CHECK(holds("a.xyz", "through\n"));
    CHECK(lstat(in_folder("link.xyz"), &status) == 0 && S_ISLNK(status.st_mode));
    mode_t mask = umask(0);
    umask(mask);
    CHECK(stat(target, &status) == 0 && (status.st_mode & 0777) == (0666 & ~mask));
    unlink(in_folder("link.xyz"));
}

/* A chain of links is followed to its end, where no file need exist yet. */
static void links_to_new_files_are_followed(void)
{
    struct stat status;
    CHECK(symlink("new.xyz", in_folder("second.xyz")) == 0);
    CHECK(symlink("second.xyz", in_folder("first.xyz")) == 0);
    write_whole("first.xyz", "far\n");
    CHECK(holds("new.xyz", "far\n"));
    CHECK(lstat(in_folder("first.xyz"), &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(lstat(in_folder("second.xyz"), &status) == 0 && S_ISLNK(status.st_mode));
    unlink(in_folder("first.xyz"));
    unlink(in_folder("second.xyz"));
    unlink(in_folder("new.xyz"));
}

/* As root the owner stays, too; another user cannot give a file away. */
static void permissions_stay_those_of_the_old_file(void)
{
    static const mode_t modes[] = {0600, 0640, 0644, 0666, 0604};
    struct stat status;
    const int root = geteuid() == 0;
    for (size_t k = 0; k < sizeof modes / sizeof *modes; ++k) {
        write_whole("m.xyz", "old\n");
        CHECK(chmod(in_folder("m.xyz"), modes[k]) == 0);
        if (root) CHECK(chown(in_folder("m.xyz"), 12, 34) == 0);
        write_whole("m.xyz", "new\n");
        CHECK(stat(in_folder("m.xyz"), &status) == 0 && holds("m.xyz", "new\n"));
        printf("mode %o: %o after replacing\n", (unsigned)modes[k],
               (unsigned)(status.st_mode & 0777));
        CHECK((status.st_mode & 0777) == modes[k]);
        if (root) CHECK(status.st_uid == 12 && status.st_gid == 34);
    }
    unlink(in_folder("m.xyz"));
}

/* The second file cannot get the name of a folder, so the first one, renamed before, is undone. */
static void files_that_belong_together_appear_together(void)
{
    enuf_output *first, *second;
    enuf_output **const both[] = {&first, &second};
    for (int old = 0; old < 2; ++old) {
        if (old) write_whole("p.png", "old\n");
        CHECK_STATUS(enuf_output_open(in_folder("p.png"), &first), ENUF_SUCCESS);
        CHECK_STATUS(enuf_output_open(in_folder("p.csv"), &second), ENUF_SUCCESS);
        fputs("new picture\n", enuf_output_stream(first));
        fputs("new numbers\n", enuf_output_stream(second));
        CHECK(mkdir(in_folder("p.csv"), 0777) == 0);
        CHECK_STATUS(enuf_output_commit_all(2, both), ENUF_IO);
        CHECK_TEXT("Is a directory");
        CHECK(!first && !second);
        CHECK(old ? holds("p.png", "old\n") : access(in_folder("p.png"), F_OK) != 0);
        CHECK(rmdir(in_folder("p.csv")) == 0);
        CHECK(entries() == 1 + old);
    }
    CHECK_STATUS(enuf_output_open(in_folder("p.png"), &first), ENUF_SUCCESS);
    CHECK_STATUS(enuf_output_open(in_folder("p.csv"), &second), ENUF_SUCCESS);
    fputs("new picture\n", enuf_output_stream(first));
    fputs("new numbers\n", enuf_output_stream(second));
    CHECK_STATUS(enuf_output_commit_all(2, both), ENUF_SUCCESS);
    CHECK(holds("p.png", "new picture\n") && holds("p.csv", "new numbers\n") && entries() == 3);
    unlink(in_folder("p.png"));
    unlink(in_folder("p.csv"));
}

/* Without RENAME_EXCHANGE, and where a file without a name cannot get one through /proc. */
static void on_other_file_systems(void)
{
    no_exchange = 1;
    files_that_belong_together_appear_together();
    no_names_through_proc = 1;
    files_that_belong_together_appear_together();
    old_file_stays_until_the_new_one_is_whole();
    nothing_is_left_of_a_discarded_file();
    no_exchange = no_names_through_proc = 0;
}

/* A folder in the place of the first file stays where it is. */
static void folders_are_never_moved(void)
{
    enuf_output *first, *second;
    enuf_output **const both[] = {&first, &second};
    struct stat status;
    CHECK_STATUS(enuf_output_open(in_folder("d.png"), &first), ENUF_SUCCESS);
    CHECK_STATUS(enuf_output_open(in_folder("d.csv"), &second), ENUF_SUCCESS);
    CHECK(mkdir(in_folder("d.png"), 0777) == 0);
    CHECK_STATUS(enuf_output_commit_all(2, both), ENUF_IO);
    CHECK_TEXT("Is a directory");
    CHECK(stat(in_folder("d.png"), &status) == 0 && S_ISDIR(status.st_mode) && entries() == 2);
    CHECK(rmdir(in_folder("d.png")) == 0);
}

/* /dev/shm is a file system (tmpfs), not a device. */
static void plain_files_below_dev_are_replaced_too(void)
{
    enuf_output *output;
    enuf_text text;
    char name[64];
    snprintf(name, sizeof name, "/dev/shm/enuf_output_%ld", (long)getpid());
    if (access("/dev/shm", W_OK) != 0) return;
    for (int k = 0; k < 2; ++k) {
        CHECK_STATUS(enuf_output_open(name, &output), ENUF_SUCCESS);
        fputs(k ? "half" : "old\n", enuf_output_stream(output));
        if (k)
            enuf_output_discard(&output);
        else
            CHECK_STATUS(enuf_output_commit(&output), ENUF_SUCCESS);
    }
    if (CHECK_STATUS(enuf_text_load(name, &text), ENUF_SUCCESS)) {
        CHECK(strcmp(text.bytes, "old\n") == 0);
        enuf_text_free(&text);
    }
    unlink(name);
}

/* RLIMIT_FSIZE stands in for a full disk. */
static void full_disks_leave_the_old_file(void)
{
    struct rlimit before, little;
    enuf_output *output;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    little = before;
    little.rlim_cur = 4096;
    CHECK(setrlimit(RLIMIT_FSIZE, &little) == 0);
    CHECK_STATUS(enuf_output_open(in_folder("a.xyz"), &output), ENUF_SUCCESS);
    for (int i = 0; i < 10000; ++i) fputs("0123456789\n", enuf_output_stream(output));
    CHECK_STATUS(enuf_output_commit(&output), ENUF_IO);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK_TEXT("File too large");
    CHECK(holds("a.xyz", "through\n") && entries() == 1);
}

static void unwritable_places_are_known_at_once(void)
{
    enuf_output *output;
    CHECK_STATUS(enuf_output_open("/nowhere/forces.xyz", &output), ENUF_IO);
    CHECK_TEXT("cannot write /nowhere/forces.xyz: No such file or directory");
    CHECK(output == NULL);
    CHECK_STATUS(enuf_output_open(folder, &output), ENUF_IO);
    CHECK_TEXT("Is a directory");
    CHECK_STATUS(enuf_output_open("", &output), ENUF_IO);
    char longest[8192];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    CHECK_STATUS(enuf_output_open(longest, &output), ENUF_IO);
    CHECK_TEXT("File name too long");
    if (geteuid() != 0) { /* root may write everything */
        CHECK(chmod(in_folder("a.xyz"), 0444) == 0);
        CHECK_STATUS(enuf_output_open(in_folder("a.xyz"), &output), ENUF_IO);
        CHECK_TEXT("Permission denied");
    }
}

static void full_devices_are_reported(void)
{
    enuf_output *output;
    if (access("/dev/full", W_OK) != 0) return;
    CHECK_STATUS(enuf_output_open("/dev/full", &output), ENUF_SUCCESS);
    for (int i = 0; i < 100000; ++i) fputs("0123456789\n", enuf_output_stream(output));
    CHECK_STATUS(enuf_output_commit(&output), ENUF_IO);
    CHECK_TEXT("cannot write /dev/full: ");
    CHECK_STATUS(enuf_output_open("/dev/full", &output), ENUF_SUCCESS);
    fputs("0", enuf_output_stream(output)); /* fails at the last flush only */
    CHECK_STATUS(enuf_output_commit(&output), ENUF_IO);
    CHECK_TEXT("cannot write /dev/full: No space left on device");
}

static void standard_output_stays_open(void)
{
    static const char *const names[] = {"-", "/dev/stdout"};
    for (int k = 0; k < 2; ++k) {
        enuf_output *output;
        if (!CHECK_STATUS(enuf_output_open(names[k], &output), ENUF_SUCCESS)) continue;
        CHECK(enuf_output_stream(output) == stdout);
        fputs("written directly\n", enuf_output_stream(output));
        CHECK_STATUS(enuf_output_commit(&output), ENUF_SUCCESS);
        CHECK(!ferror(stdout) && fflush(stdout) == 0);
    }
}

int main(void)
{
    if (!CHECK(mkdtemp(folder) != NULL)) return check_result();
    old_file_stays_until_the_new_one_is_whole();
    nothing_is_left_of_a_discarded_file();
    on_other_file_systems();
    links_stay_links_and_modes_follow_the_umask();
    links_to_new_files_are_followed();
    permissions_stay_those_of_the_old_file();
    files_that_belong_together_appear_together();
    folders_are_never_moved();
    plain_files_below_dev_are_replaced_too();
    full_disks_leave_the_old_file();
    unwritable_places_are_known_at_once();
    full_devices_are_reported();
    standard_output_stays_open();
    unlink(in_folder("a.xyz"));
    CHECK(rmdir(folder) == 0);
    return check_result();
}
