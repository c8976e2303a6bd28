#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/api/transcription_form.h"
#include "server/base/blocking_calls.h"
#include "server/http/exchange.h"
#include "server/inputs/spool.h"

namespace server {

// A multipart form whose file went to the spool as it came.
struct ReceivedForm {
  std::vector<FormField> fields{};
  std::optional<SpoolFile> file{};  // of the part `file`
  std::string file_name{};          // as the client calls it
  std::string fingerprint{};        // SHA-256 of all parts, in hex
};

// `create_file` gives the file that the sound goes to. Errors: bad_request (a broken form),
// unsupported_media_type (no form), too_large, out_of_disk, and the exchange's.
using CreateFile = std::function<Result<SpoolFile>()>;
asio::awaitable<Result<ReceivedForm>> receive_form(Exchange& exchange, CreateFile create_file,
                                                   std::uint64_t max_bytes);

// Its file, if it has one, is on the disk when this answers. Errors: out_of_disk, io_error.
asio::awaitable<Result<void>> sync_file(BlockingCalls& disk, ReceivedForm& form);

}  // namespace server
