#pragma once

#include <filesystem>
#include <functional>

#include "server/base/error.h"

// Root that works by path in a folder of another user does what that user's links say. So a command
// that root runs takes the rights of the folder's owner before it opens anything there.
namespace server {

// Gives this process the user and the groups of the owner of `folder` for good, if it is root's and
// the folder is not. For a file that is its folder: whose the file is does not matter. Nothing
// happens in a process of another user, nor where the whole path is root's. Call it before there
// are threads, and before anything in the folder is opened; what only root can open is opened
// before, and stays open.
//
// The guarantee: afterwards no other user can lead this process to a file which that user could not
// open anyway. Either no component of the path, nor of what its links lead to, can be replaced by
// anybody but root; or the process has the rights of the user of the first component that can be.
// A group that may write into a folder of root counts as root.
//
// Errors: no_permission if everybody may write into a folder of the path, if the folder is not the
// user's who could replace it, or if this root may not change its user.
Result<void> become_owner_of(const std::filesystem::path& folder);

// Calls `work` with the rights of the owner of `folder`, in a child process where those are not
// this process's. This process keeps its own, for files that the work is not about. Errors: those
// of become_owner_of() and of `work`.
Result<void> call_as_owner_of(const std::filesystem::path& folder,
                              const std::function<Result<void>()>& work);

// Checks that this process, which may have become another user, can read a path that was named to
// it; an empty one is fine. Errors: input_unreadable.
Result<void> check_readable(const std::filesystem::path& named);

// Refuses root a folder of another user, for programs that need root's rights for other things.
// Errors: no_permission.
Result<void> check_owner_of(const std::filesystem::path& folder);

}  // namespace server
