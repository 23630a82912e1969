// SPDX-License-Identifier: GPL-3.0-or-later
// A preloaded clone() for .ci/sanitizers --thread: a child that would borrow the memory of its parent (vfork, by which
// QProcess starts programs) gets a copy instead, because the thread sanitizer keeps its own state in that memory.
#define _GNU_SOURCE
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) {
    (void)stack;  // of the borrowed memory
    va_list rest;
    va_start(rest, argument);
    int* parent = va_arg(rest, int*);
    va_end(rest);
    const long child = syscall(SYS_clone, (long)(flags & ~(CLONE_VM | CLONE_VFORK)), 0L, parent, 0L, 0L);
    if (child != 0) return (int)child;
    _exit(function(argument));
}
