#include <sqlite3.h>

// SQLite counts the memory that it uses, unless it is told not to. For the count every allocation of every connection
// takes one lock of the process, and a long query of the event explorer allocates all the time: a short read of an app
// beside it waited for a tenth of a second.
//
// Before `main`, because SQLite takes no such setting once somebody in the process has opened a database.
__attribute__((constructor)) static void count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
