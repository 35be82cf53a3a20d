#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CDiskWitness.h"

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int witnesses;
static struct disk_event *events;
static size_t count, capacity;

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
        count = capacity = 0;
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
    if (count == capacity) {
        size_t more = capacity ? capacity * 2 : 256;
        struct disk_event *larger = realloc(events, more * sizeof *events);
        if (larger == NULL) abort();
        events = larger;
        capacity = more;
    }
    struct disk_event *event = &events[count++];
    event->kind = kind;
    snprintf(event->path, sizeof event->path, "%s", path);
    snprintf(event->target, sizeof event->target, "%s", target);
    pthread_mutex_unlock(&lock);
}

// Pipes and sockets have no path.
static bool find_path(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0 || path[0] != '/') return false;
    path[length] = 0;
    return true;
}

static void record_descriptor(char kind, int descriptor) {
    char path[1024];
    if (find_path(descriptor, path, sizeof path)) record(kind, path, "");
}

#define MAXIMUM_FULL_FOLDERS 16
static char full_folders[MAXIMUM_FULL_FOLDERS][1024];
static bool hidden_folders[MAXIMUM_FULL_FOLDERS];
static atomic_int full_count;

bool disk_fill(const char *folder, bool is_hidden) {
    pthread_mutex_lock(&lock);
    int index = 0;
    while (index < MAXIMUM_FULL_FOLDERS && full_folders[index][0] != 0) index++;
    bool found = index < MAXIMUM_FULL_FOLDERS && strlen(folder) < sizeof full_folders[index];
    if (found) {
        strcpy(full_folders[index], folder);
        hidden_folders[index] = is_hidden;
        atomic_fetch_add(&full_count, 1);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void disk_free_space(const char *folder) {
    pthread_mutex_lock(&lock);
    for (int index = 0; index < MAXIMUM_FULL_FOLDERS; index++) {
        if (strcmp(full_folders[index], folder) != 0) continue;
        full_folders[index][0] = 0;
        atomic_fetch_sub(&full_count, 1);
        break;
    }
    pthread_mutex_unlock(&lock);
}

static bool is_full(const char *path, bool is_asked) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < MAXIMUM_FULL_FOLDERS && !found; index++) {
        size_t length = strlen(full_folders[index]);
        found = length > 0 && strncmp(path, full_folders[index], length) == 0 && path[length] == '/'
            && !(is_asked && hidden_folders[index]);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

// Whether a write (without an offset: at the file's position) would have to make a file longer on a full disk.
static bool finds_no_space(int descriptor, size_t length, off_t offset) {
    if (atomic_load_explicit(&full_count, memory_order_relaxed) == 0) return false;
    struct stat file;
    char path[1024];
    if (fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode)) return false;
    if (offset < 0) offset = lseek(descriptor, 0, SEEK_CUR);
    if (offset + (off_t)length <= file.st_size || !find_path(descriptor, path, sizeof path)) return false;
    if (!is_full(path, false)) return false;
    errno = ENOSPC;
    return true;
}

static char held_start[1024];
static atomic_bool is_holding;
static size_t held_count;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;

bool disk_hold(const char *start) {
    pthread_mutex_lock(&lock);
    bool is_free = held_start[0] == 0 && strlen(start) < sizeof held_start;
    if (is_free) {
        strcpy(held_start, start);
        held_count = 0;
        atomic_store(&is_holding, true);
    }
    pthread_mutex_unlock(&lock);
    return is_free;
}

size_t disk_held_count(void) {
    pthread_mutex_lock(&lock);
    size_t now = held_count;
    pthread_mutex_unlock(&lock);
    return now;
}

void disk_release(void) {
    pthread_mutex_lock(&lock);
    held_start[0] = 0;
    atomic_store(&is_holding, false);
    pthread_cond_broadcast(&released);
    pthread_mutex_unlock(&lock);
}

static void wait_while_held(int descriptor) {
    char path[1024];
    if (!atomic_load_explicit(&is_holding, memory_order_relaxed)) return;
    if (!find_path(descriptor, path, sizeof path)) return;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 30;
    pthread_mutex_lock(&lock);
    if (held_start[0] != 0 && strncmp(path, held_start, strlen(held_start)) == 0) {
        held_count++;
        while (held_start[0] != 0 && pthread_cond_timedwait(&released, &lock, &end) == 0) {}
    }
    pthread_mutex_unlock(&lock);
}

static bool is_active(void) { return atomic_load_explicit(&witnesses, memory_order_relaxed) > 0; }

// The function of the C library with this name.
#define REAL(name) \
    static _Atomic(__typeof__(&name)) known; \
    __typeof__(&name) real = atomic_load(&known); \
    if (real == NULL) { real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); atomic_store(&known, real); }

// An event is recorded when its call has succeeded: a sync vouches for the writes that were recorded before it.
int fsync(int descriptor) {
    REAL(fsync)
    wait_while_held(descriptor);
    int result = real(descriptor);
    if (result == 0 && is_active()) record_descriptor('s', descriptor);
    return result;
}

int fdatasync(int descriptor) {
    REAL(fdatasync)
    wait_while_held(descriptor);
    int result = real(descriptor);
    if (result == 0 && is_active()) record_descriptor('s', descriptor);
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
    REAL(write)
    if (finds_no_space(descriptor, length, -1)) return -1;
    ssize_t result = real(descriptor, bytes, length);
    if (result > 0 && is_active()) record_descriptor('w', descriptor);
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    REAL(pwrite)
    if (finds_no_space(descriptor, length, offset)) return -1;
    ssize_t result = real(descriptor, bytes, length, offset);
    if (result > 0 && is_active()) record_descriptor('w', descriptor);
    return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
    REAL(pwrite64)
    if (finds_no_space(descriptor, length, offset)) return -1;
    ssize_t result = real(descriptor, bytes, length, offset);
    if (result > 0 && is_active()) record_descriptor('w', descriptor);
    return result;
}

int statvfs(const char *path, struct statvfs *disk) {
    REAL(statvfs)
    int result = real(path, disk);
    if (result == 0 && atomic_load_explicit(&full_count, memory_order_relaxed) > 0 && is_full(path, true)) {
        disk->f_bfree = disk->f_bavail = 0;
    }
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
bool disk_fill(const char *folder, bool is_hidden) { return false; }
void disk_free_space(const char *folder) {}
bool disk_hold(const char *start) { return false; }
size_t disk_held_count(void) { return 0; }
void disk_release(void) {}

#endif
