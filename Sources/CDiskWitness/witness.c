#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CDiskWitness.h"

#ifdef __linux__

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int witnesses;
static struct disk_event *events;
static size_t count, room;

bool disk_witness_is_supported(void) { return true; }

size_t disk_witness_begin(void) {
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&witnesses, 1);
    size_t before = count;
    pthread_mutex_unlock(&lock);
    return before;
}

void disk_witness_end(void) {
    pthread_mutex_lock(&lock);
    if (atomic_fetch_sub(&witnesses, 1) == 1) {
        free(events);
        events = NULL;
        count = room = 0;
    }
    pthread_mutex_unlock(&lock);
}

size_t disk_witness_count(void) {
    pthread_mutex_lock(&lock);
    size_t now = count;
    pthread_mutex_unlock(&lock);
    return now;
}

bool disk_witness_event(size_t index, struct disk_event *event) {
    pthread_mutex_lock(&lock);
    bool found = index < count;
    if (found) *event = events[index];
    pthread_mutex_unlock(&lock);
    return found;
}

static void record(char kind, const char *path, const char *target) {
    pthread_mutex_lock(&lock);
    if (count == room) {
        size_t more = room ? room * 2 : 256;
        struct disk_event *larger = realloc(events, more * sizeof *events);
        if (larger == NULL) abort();
        events = larger;
        room = more;
    }
    struct disk_event *event = &events[count++];
    event->kind = kind;
    snprintf(event->path, sizeof event->path, "%s", path);
    snprintf(event->target, sizeof event->target, "%s", target);
    pthread_mutex_unlock(&lock);
}

static void record_descriptor(char kind, int descriptor) {
    char link[64], path[1024];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    // Pipes and sockets have no path.
    if (length <= 0 || path[0] != '/') return;
    path[length] = 0;
    record(kind, path, "");
}

static bool is_active(void) { return atomic_load_explicit(&witnesses, memory_order_relaxed) > 0; }

// What the C library itself has under a name.
#define REAL(name) \
    static _Atomic(__typeof__(&name)) known; \
    __typeof__(&name) real = atomic_load(&known); \
    if (real == NULL) { real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); atomic_store(&known, real); }

// An event is recorded when its call has succeeded: a sync vouches for the writes that were recorded before it.
int fsync(int descriptor) {
    REAL(fsync)
    int result = real(descriptor);
    if (result == 0 && is_active()) record_descriptor('s', descriptor);
    return result;
}

int fdatasync(int descriptor) {
    REAL(fdatasync)
    int result = real(descriptor);
    if (result == 0 && is_active()) record_descriptor('s', descriptor);
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
    REAL(write)
    ssize_t result = real(descriptor, bytes, length);
    if (result > 0 && is_active()) record_descriptor('w', descriptor);
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    REAL(pwrite)
    ssize_t result = real(descriptor, bytes, length, offset);
    if (result > 0 && is_active()) record_descriptor('w', descriptor);
    return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
    REAL(pwrite64)
    ssize_t result = real(descriptor, bytes, length, offset);
    if (result > 0 && is_active()) record_descriptor('w', descriptor);
    return result;
}

int rename(const char *from, const char *to) {
    REAL(rename)
    int result = real(from, to);
    if (result == 0 && is_active()) record('r', from, to);
    return result;
}

#else

bool disk_witness_is_supported(void) { return false; }
size_t disk_witness_begin(void) { return 0; }
void disk_witness_end(void) {}
size_t disk_witness_count(void) { return 0; }
bool disk_witness_event(size_t index, struct disk_event *event) { return false; }

#endif
