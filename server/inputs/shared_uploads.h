#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/inputs/uploads.h"

namespace server {

// The uploads of all daemons: any of them finds, uses, removes and goes on with them. What is
// coming lies in `Uploads` of the daemon that receives it, and is handed over part by part. Errors
// beside those named: database_unavailable, and those of the place where the bytes lie.
class SharedUploads {
 public:
  virtual ~SharedUploads() = default;

  // Requests of one upload wait for each other, though not for ever: all of these calls can also
  // fail with upload_busy.

  // Hands an upload that is whole over from `Uploads` of this daemon. Where it breaks the limits of
  // all daemons it is removed; after another error it stays, to be handed over later. One that is
  // removed from `Uploads` meanwhile is in neither place. Errors: too_many_uploads, too_many_bytes,
  // out_of_disk, upload_not_found.
  virtual asio::awaitable<Result<Upload>> publish(Upload upload) = 0;
  // Tells all daemons of an upload that has begun in `Uploads` of this one. Errors: as of
  // publish().
  virtual asio::awaitable<Result<Upload>> begin(Upload upload) = 0;
  // Hands over what this daemon has received of an upload beyond what all have, and returns it as
  // all see it. Errors: upload_not_found; wrong_offset where others have gone on with it meanwhile,
  // and what came here is forgotten.
  virtual asio::awaitable<Result<Upload>> share(Upload upload) = 0;
  // Returns an upload that is coming here as all see it. What was left here, because it could not
  // be handed over, is handed over if it is much. Errors: upload_not_found.
  virtual asio::awaitable<Result<Upload>> look(Upload upload) = 0;
  // Makes `Uploads` of this daemon have of an upload what all have, so that it can go on here, and
  // returns it as it is here, with as many bytes as `upload` has. Errors: upload_not_found,
  // wrong_offset where it has become whole or has more bytes by now, and those of Uploads.
  virtual asio::awaitable<Result<Upload>> bring(Upload upload) = 0;
  virtual asio::awaitable<Result<std::optional<Upload>>> find(std::string handle,
                                                              std::string owner) = 0;
  // Returns the owner's uploads, the newest first.
  virtual asio::awaitable<Result<std::vector<Upload>>> list(std::string owner) = 0;
  // Returns whether it was there.
  virtual asio::awaitable<Result<bool>> remove(std::string handle, std::string owner) = 0;
  // Brings the bytes into the spool, by a name of their own. Errors: upload_not_found,
  // upload_unfinished.
  virtual asio::awaitable<Result<UnclaimedFile>> take(Upload upload, bool is_durable) = 0;
};

}  // namespace server
