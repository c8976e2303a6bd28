#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "server/inputs/uploads.h"
#include "server/submission/services.h"

// The uploads of one owner, wherever they lie: with this daemon, or with all of them.
namespace server {

// Tells all daemons of an upload if it is whole, and returns it. The error is one of SharedUploads.
boost::asio::awaitable<Result<Upload>> shared_if_whole(const Services& services, Upload upload);

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
