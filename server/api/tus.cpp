#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base64.h"
#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/api/received_form.h"
#include "server/api/tus_checksum.h"
#include "server/api/tus_headers.h"
#include "server/api/upload_json.h"
#include "server/base/fair_calls.h"
#include "server/http/http_date.h"
#include "server/inputs/unclaimed_file.h"
#include "server/inputs/uploads.h"
#include "server/submission/found_uploads.h"

// Uploads that come in parts, by the protocol tus 1.0: how far one is is what lies on the disk, so
// that it goes on after a broken line or the end of this process.
namespace server::api {
namespace {

constexpr char part_type[] = "application/offset+octet-stream";
constexpr std::size_t part_piece_bytes = 64 * 1024;

Headers tus_headers(const Upload& upload) {
  return {{"upload-offset", std::to_string(upload.received)},
          {"upload-expires", http_date(static_cast<std::time_t>(upload.expires))}};
}

// Reads the next bytes of a part and returns their number; 0 at its end.
using ReadPiece = std::function<asio::awaitable<Result<std::size_t>>(std::span<char>)>;

Error checksum_mismatch() {
  return {"checksum_mismatch", "The part does not match its checksum.",
          "Send the part again from the same offset."};
}

// Receives the body of the request into a file of its own and verifies its checksum.
asio::awaitable<Result<UnclaimedFile>> receive_checked(Api& api, ApiCall& call,
                                                       TusChecksum checksum) {
  const Spool& spool = api.services.spool;
  auto file = spool.create(call.principal.name, announced_bytes(call.exchange));
  if (!file) co_return file.error();
  TusChecker checker(std::move(checksum));
  std::vector<char> piece(part_piece_bytes);
  while (true) {
    const auto count = co_await call.exchange.read_some(piece);
    if (!count) co_return count.error();
    if (*count == 0) break;
    const auto read = std::span<const char>(piece).first(*count);
    checker.update(read);
    if (const auto written = file->write(read); !written) co_return written.error();
  }
  if (!checker.finish()) co_return checksum_mismatch();
  co_return UnclaimedFile(spool, file->keep());
}

asio::awaitable<Result<std::size_t>> read_file(std::ifstream& file, std::span<char> piece) {
  const auto executor = co_await asio::this_coro::executor;
  co_await asio::post(executor, asio::use_awaitable);  // lets other connections run
  file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
  if (file.bad()) co_return Error{errc::io_error, "The part cannot be read from the spool.", ""};
  co_return static_cast<std::size_t>(file.gcount());
}

// Adds bytes to an upload piece by piece and syncs them. Bytes received before an error stay.
asio::awaitable<Result<Upload>> append_part(Api& api, Upload upload, ReadPiece read) {
  Uploads& uploads = api.services.uploads;
  std::vector<char> piece(part_piece_bytes);
  while (true) {
    auto reading = read(piece);
    const auto count = co_await std::move(reading);
    if (!count) co_return count.error();
    if (*count == 0) break;
    const auto received =
        uploads.append(upload.id, upload.owner, upload.received, std::span(piece).first(*count));
    if (!received) co_return received.error();
    upload.received = *received;
  }
  std::function<Result<void>(std::stop_token)> work = [&uploads, upload](std::stop_token) {
    return uploads.sync(upload);
  };
  auto syncing = api.services.disk.run(upload.owner, std::move(work));
  const auto synced = co_await std::move(syncing);
  if (!synced) co_return synced.error();
  co_return upload;
}

// Adds the body of the request to an upload. A part with a checksum is verified before any of it is
// added, so that unverified bytes are never visible.
asio::awaitable<Result<Upload>> receive_part(Api& api, ApiCall& call, Upload upload) {
  Exchange& exchange = call.exchange;
  exchange.allow_body(upload.bytes - upload.received);
  if (exchange.headers().count(tus_checksum_field) == 0) {
    ReadPiece read = [&exchange](std::span<char> piece) { return exchange.read_some(piece); };
    auto appending = append_part(api, std::move(upload), std::move(read));
    co_return co_await std::move(appending);
  }
  auto checksum = parse_tus_checksum(exchange.headers()[tus_checksum_field]);
  if (!checksum) co_return checksum.error().error;
  auto checking = receive_checked(api, call, *std::move(checksum));
  const auto checked = co_await std::move(checking);
  if (!checked) co_return checked.error();
  std::ifstream file(checked->path(), std::ios::binary);
  ReadPiece read = [&file](std::span<char> piece) { return read_file(file, piece); };
  auto appending = append_part(api, std::move(upload), std::move(read));
  co_return co_await std::move(appending);
}

// Receives a part and tells all daemons of it: also of what came before a line broke.
asio::awaitable<Result<Upload>> receive_and_share(Api& api, ApiCall& call, Upload upload) {
  auto receiving = receive_part(api, call, upload);
  const auto received = co_await std::move(receiving);
  const auto here = api.services.uploads.find(upload.id, upload.owner);
  if (!here) {
    auto asking = why_gone(api.services, upload);
    co_return co_await std::move(asking);
  }
  auto sharing = shared(api.services, *here);
  auto told = co_await std::move(sharing);
  if (!received) co_return received.error();
  co_return told;
}

bool is_part(const Exchange& exchange) {
  return exchange.headers()[http::field::content_type] == part_type;
}

Error too_long(std::uint64_t most) {
  return {errc::too_large,
          "The upload is longer than the " + std::to_string(most) +
              " bytes that this server takes (server.max_upload_bytes).",
          "Send a shorter recording, or compress it."};
}

}  // namespace

asio::awaitable<void> tus_options(Api& api, ApiCall& call) {
  Response answer{.status = http::status::no_content};
  answer.headers = {
      {"tus-version", tus_version},
      {"tus-max-size", std::to_string(api.settings.max_upload_bytes)},
      {"tus-extension", "checksum,creation,creation-with-upload,expiration,termination"},
      {"tus-checksum-algorithm", tus_checksum_algorithms}};
  co_await call.exchange.send(std::move(answer));
}

asio::awaitable<void> begin_upload(Api& api, ApiCall& call) {
  if (const auto problem = check_tus_extensions(call.exchange)) {
    co_return co_await send_form_error(call.exchange, *problem);
  }
  const auto bytes = tus_number(call.exchange, "upload-length");
  if (!bytes) co_return co_await send_form_error(call.exchange, bytes.error());
  const std::uint64_t most = api.settings.max_upload_bytes;
  if (*bytes > most) co_return co_await send_error(call.exchange, too_long(most));
  auto metadata = tus_metadata(call.exchange);
  if (!metadata) co_return co_await send_form_error(call.exchange, metadata.error());
  auto name = tus_file_name(*metadata);
  if (!name) co_return co_await send_form_error(call.exchange, name.error());
  auto upload = api.services.uploads.begin(call.principal.name, *std::move(name), *bytes,
                                           *std::move(metadata));
  if (!upload) co_return co_await send_error(call.exchange, upload.error());
  auto storing = durable(api.services, *upload);
  const auto stored = co_await std::move(storing);
  if (!stored) co_return co_await send_error(call.exchange, stored.error());
  auto telling = shared_from_the_beginning(api.services, *upload);
  upload = co_await std::move(telling);
  if (!upload) co_return co_await send_error(call.exchange, upload.error());
  if (is_part(call.exchange) || upload->is_whole()) {
    const Upload begun = *upload;
    auto receiving =
        is_part(call.exchange) ? receive_and_share(api, call, begun) : shared(api.services, begun);
    upload = co_await std::move(receiving);
    // Its client never hears of one that was whole from the beginning.
    if (!upload && begun.is_whole()) api.services.uploads.remove(begun.id, begun.owner);
    if (!upload) co_return co_await send_error(call.exchange, upload.error());
  }
  Response answer{.status = http::status::created,
                  .body = protocol::json::dump(upload_body(*upload)),
                  .headers = tus_headers(*upload)};
  answer.headers.emplace_back("location", call.exchange.url().prefix + "/v1/uploads/" + upload->id);
  co_await call.exchange.send(std::move(answer));
}

asio::awaitable<void> get_upload(Api& api, ApiCall& call) {
  auto finding = find_upload(api.services, call.id, call.principal.name);
  const auto upload = co_await std::move(finding);
  if (!upload) co_return co_await send_error(call.exchange, upload.error());
  Response answer{.body = protocol::json::dump(upload_body(*upload)),
                  .headers = tus_headers(*upload)};
  answer.headers.emplace_back("upload-length", std::to_string(upload->bytes));
  const std::string named =
      upload->name.empty() ? "" : "filename " + protocol::encode_base64(upload->name);
  const std::string& metadata = upload->metadata.empty() ? named : upload->metadata;
  if (!metadata.empty()) answer.headers.emplace_back("upload-metadata", metadata);
  co_await call.exchange.send(std::move(answer));
}

asio::awaitable<void> continue_upload(Api& api, ApiCall& call) {
  if (!is_part(call.exchange)) {
    const Error wrong_type{errc::unsupported_media_type, "This is not a part of an upload.",
                           std::string("Send it as ") + part_type + "."};
    co_return co_await send_error(call.exchange, wrong_type);
  }
  if (const auto problem = check_tus_extensions(call.exchange)) {
    co_return co_await send_form_error(call.exchange, *problem);
  }
  const auto offset = tus_number(call.exchange, "upload-offset");
  if (!offset) co_return co_await send_form_error(call.exchange, offset.error());
  auto finding = upload_to_go_on_with(api.services, call.id, call.principal.name, *offset);
  const auto upload = co_await std::move(finding);
  if (!upload) co_return co_await send_error(call.exchange, upload.error());
  auto receiving = receive_and_share(api, call, *upload);
  const auto received = co_await std::move(receiving);
  if (!received) co_return co_await send_error(call.exchange, received.error());
  Response answer{.status = http::status::no_content, .headers = tus_headers(*received)};
  co_await call.exchange.send(std::move(answer));
}

}  // namespace server::api
