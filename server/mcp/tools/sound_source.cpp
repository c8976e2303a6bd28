#include "server/mcp/tools/sound_source.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>

#include "protocol/base64.h"
#include "server/base/blocking_calls.h"
#include "server/base/race.h"
#include "server/inputs/allowed_paths.h"
#include "server/inputs/uploads.h"
#include "server/inputs/url_fetcher.h"
#include "server/jobs/job_queue.h"
#include "server/mcp/tools/schema.h"

namespace server {
namespace {

constexpr auto any_length = std::numeric_limits<std::size_t>::max();  // its sound is measured

Result<void> take_path(const ToolCall& call, const SoundSource& source, JobRequest& request) {
  // Opened again when the job begins; here only to tell at once what is wrong with it.
  const auto input = call.services.paths.open(source.path);
  if (!input) return input.error();
  request.input = call.services.paths.absolute(source.path);
  request.title = std::filesystem::path(source.path).filename();
  return {};
}

asio::awaitable<Result<void>> use_upload(ToolCall call, SoundSource source, JobRequest& request) {
  const auto upload = call.services.uploads.find(source.upload, call.context.principal());
  if (!upload) {
    co_return Error{errc::upload_not_found, "There is no such upload.",
                    "Uploads expire. Send the file again, by POST to /v1/uploads."};
  }
  const Services& services = call.services;
  auto taking = take_upload(services.disk, services.uploads, *upload, services.spool);
  const auto file = co_await std::move(taking);
  if (!file) co_return file.error();
  request.input = *file;
  request.input_is_ours = true;
  request.title = upload->name;
  co_return Result<void>();
}

// In the spool, and on the disk. On a thread that may wait for that.
Result<std::shared_ptr<SpoolFile>> write_file(const Spool& spool, const std::string& owner,
                                              std::span<const char> bytes) {
  auto file = spool.create(owner, bytes.size());
  if (!file) return file.error();
  if (const auto written = file->write(bytes); !written) return written.error();
  if (const auto synced = file->sync(); !synced) return synced.error();
  return std::make_shared<SpoolFile>(*std::move(file));
}

asio::awaitable<Result<void>> take_bytes(ToolCall call, SoundSource source, JobRequest& request) {
  const std::size_t most = call.settings.audio_bytes;
  if (protocol::decoded_base64_size(source.audio_base64.size()) > most + 2) {
    co_return Error{errc::too_large,
                    fmt::format("audio_base64 holds more than {} bytes of sound.", most),
                    "Give the path of the file, or upload it by POST to /v1/uploads."};
  }
  auto bytes = protocol::decode_base64(source.audio_base64);
  if (!bytes) {
    co_return Error{errc::usage, "audio_base64 is not Base64.",
                    "It needs the standard alphabet and padding, without line breaks."};
  }
  using File = std::shared_ptr<SpoolFile>;
  std::function<Result<File>(std::stop_token)> work =
      [&spool = call.services.spool, owner = call.context.principal(),
       sound = *std::move(bytes)](std::stop_token) { return write_file(spool, owner, sound); };
  const auto file = co_await call.services.disk.run(std::move(work));
  if (!file) co_return file.error();
  request.input = (*file)->keep();
  request.input_is_ours = true;
  request.title = source.file_name.empty() ? "the recording" : source.file_name;
  co_return Result<void>();
}

asio::awaitable<Result<void>> take_url(ToolCall call, SoundSource source, JobRequest& request) {
  if (!call.services.urls) {
    co_return Error{errc::url_refused, "This server does not fetch addresses.",
                    "Give the path of a file, or an upload."};
  }
  // A result must be there before the host gives up, so a slow address gets no more time than this.
  auto fetching = call.services.urls->fetch(source.url, call.context.principal());
  auto fetched = co_await within(call.settings.wait, std::move(fetching));
  if (!fetched) {
    co_return Error{
        errc::timed_out,
        fmt::format("The address did not send its file within {} s.", call.settings.wait.count()),
        "Fetch the file yourself, and give its path or upload it."};
  }
  if (!*fetched) co_return fetched->error();
  request.input = (*fetched)->file;
  request.input_is_ours = true;
  request.title = (*fetched)->name;
  co_return Result<void>();
}

}  // namespace

nlohmann::json source_properties() {
  return {{"path", schema::text("Path of an audio or video file, on the machine of the server")},
          {"url", schema::text("https address of the file, where the server allows addresses")},
          {"upload", schema::text("Handle of an uploaded file, as in upload://abc")},
          {"audio_base64",
           schema::text("The file itself as Base64, for very short sound only: 1 MiB at most. "
                        "Prefer path")},
          {"file_name", schema::text("What the file of audio_base64 is called")}};
}

SoundSource read_source(Arguments& arguments) {
  SoundSource source{.path = arguments.text("path"),
                     .url = arguments.text("url"),
                     .upload = arguments.text("upload"),
                     .audio_base64 = arguments.text("audio_base64", any_length),
                     .file_name = arguments.text("file_name", max_name_bytes)};
  const int given = !source.path.empty() + !source.url.empty() + !source.upload.empty() +
                    !source.audio_base64.empty();
  if (given != 1) {
    arguments.fail(given == 0 ? "The call names no sound." : "The call names several sounds.",
                   "Give exactly one of path, url, upload and audio_base64.");
  }
  return source;
}

asio::awaitable<Result<void>> fetch_source(ToolCall call, SoundSource source, JobRequest& request) {
  // Nothing is fetched or written for a job that has no place.
  const auto has_place = co_await call.services.jobs.check(call.context.principal(), "");
  if (!has_place) co_return has_place.error();
  if (!source.path.empty()) co_return take_path(call, source, request);
  auto* take = take_url;
  if (!source.upload.empty()) take = use_upload;
  if (!source.audio_base64.empty()) take = take_bytes;
  auto taking = take(call, std::move(source), request);
  auto taken = co_await std::move(taking);
  co_return taken;
}

}  // namespace server
