/// Records the writes, syncs and renames of this process, in their order, while a witness is active, and simulates
/// folders on full disks (Linux).
///
/// The functions of the C library are replaced for the whole process; without an active witness they cost one
/// atomic read. Only test programs link this target.
#ifndef C_DISK_WITNESS_H
#define C_DISK_WITNESS_H

#include <stdbool.h>
#include <stddef.h>

/// The paths are cut at 1,023 bytes.
struct disk_event {
    /// 'w' for a write, 's' for a sync of a file or folder, 'r' for a rename.
    char kind;
    /// The path that was written or synced, or the old name of a rename.
    char path[1024];
    /// The new name of a rename.
    char target[1024];
};

/// Whether calls can be recorded on this system.
bool disk_witness_is_supported(void);
/// Begins to record and returns the number of events that were recorded before.
size_t disk_witness_begin(void);
/// Stops to record unless another witness is active; what was recorded is freed with the last one.
void disk_witness_end(void);
/// The number of events recorded so far.
size_t disk_witness_count(void);
/// Copies an event; false beyond the last one.
bool disk_witness_event(size_t index, struct disk_event *event);

/// Lets every write below a folder fail that would make a file longer (ENOSPC); false when too many folders are full.
/// Unless it is hidden, the numbers of the disk say so too (statvfs).
bool disk_fill(const char *folder, bool is_hidden);
/// Lets writes below the folder succeed again.
void disk_free_space(const char *folder);

/// Holds the syncs of files whose path begins with a text, for 30 s at most; false while another text holds some.
bool disk_hold(const char *start);
/// The number of syncs that were held since then.
size_t disk_held_count(void);
/// Lets all of them go on.
void disk_release(void);

#endif
