#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <string>

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

// Makes `services.uploads` have all of an upload that any daemon has received, which are so many
// bytes, and returns it. Errors: upload_not_found, wrong_offset, or as above.
boost::asio::awaitable<Result<Upload>> upload_to_go_on_with(const Services& services,
                                                            std::string handle, std::string owner,
                                                            std::uint64_t offset);
// Returns why an upload that was being received here is here no more: it is whole by another daemon
// (wrong_offset), or was removed (upload_not_found).
boost::asio::awaitable<Error> why_gone(const Services& services, Upload upload);

// The error is upload_not_found, or as above.
boost::asio::awaitable<Result<Upload>> find_upload(const Services& services, std::string handle,
                                                   std::string owner);
// Returns a page of them, the newest first; nothing if the one to go on behind is not there.
boost::asio::awaitable<Result<std::optional<UploadPage>>> list_uploads(const Services& services,
                                                                       std::string owner,
                                                                       UploadQuery query);
// Returns when what was begun or added here is durable. The error is out_of_disk or io_error; the
// upload is removed then.
boost::asio::awaitable<Result<void>> durable(const Services& services, Upload upload);
// The error is upload_not_found, or as above.
boost::asio::awaitable<Result<void>> remove_upload(const Services& services, std::string handle,
                                                   std::string owner);
// Brings the bytes into the spool, by a name of their own. The error is upload_not_found,
// upload_unfinished, or as above.
boost::asio::awaitable<Result<UnclaimedFile>> take_found(const Services& services, Upload upload,
                                                         bool is_durable);

}  // namespace server
