#pragma once

// Calls for files that each system has in its own way. They return 0, or -1 with errno.
namespace server {

// Gives a file in `folder` another name there, unless something has that name (EEXIST). ENOSYS or
// EINVAL: the file system cannot do this.
int rename_to_free(int folder, const char* from, const char* to);

// Swaps two names at once: nobody sees a moment without one of them. ENOSYS or EINVAL: the file
// system cannot do this.
int swap_names(int folder, const char* one, const char* other);

// Puts the bytes of a file on the disk, and of what describes it only what finds them again.
int sync_data(int fd);

}  // namespace server
