#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "server/inputs/uploads.h"
#include "server/submission/services.h"

// The uploads of one owner, wherever they lie: with this daemon, or with all of them.
namespace server {

// Tells all daemons of an upload that begins, and returns it. Where they cannot be told, it is
// removed. The error is one of SharedUploads.
boost::asio::awaitable<Result<Upload>> shared_from_the_beginning(const Services& services,
                                                                 Upload upload);
// Tells all daemons of what has come of an upload, and returns it. The error is as above.
boost::asio::awaitable<Result<Upload>> shared(const Services& services, Upload upload);

// Returns an upload that is still coming as it is in `services.uploads`, with all that any daemon
// has received. Errors: upload_not_found, wrong_offset where it is whole, or as above.
boost::asio::awaitable<Result<Upload>> upload_to_go_on_with(const Services& services,
                                                            std::string handle, std::string owner);

// The error is upload_not_found, or as above.
boost::asio::awaitable<Result<Upload>> find_upload(const Services& services, std::string handle,
                                                   std::string owner);
// Returns them, the newest first.
boost::asio::awaitable<Result<std::vector<Upload>>> list_uploads(const Services& services,
                                                                 std::string owner);
// The error is upload_not_found, or as above.
boost::asio::awaitable<Result<void>> remove_upload(const Services& services, std::string handle,
                                                   std::string owner);
// Brings the bytes into the spool, by a name of their own. The error is upload_not_found,
// upload_unfinished, or as above.
boost::asio::awaitable<Result<UnclaimedFile>> take_found(const Services& services, Upload upload,
                                                         bool is_durable);

}  // namespace server
