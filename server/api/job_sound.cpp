#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

#include "server/api/api.h"
#include "server/api/caller.h"
#include "server/api/handlers.h"
#include "server/base/fair_calls.h"
#include "server/http/byte_range.h"
#include "server/inputs/kept_sound.h"
#include "server/inputs/sound_peaks.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/wav_head.h"
#include "server/sessions/shares.h"
#include "server/submission/submission.h"

// These routes give the sound that a job has heard, to be played, and its peaks, to be drawn.
namespace server::api {
namespace {

// A hundred clients who begin at the same time hold up everybody else for a copy of each.
constexpr std::size_t sound_piece_bytes = 64 * 1024;
constexpr std::size_t distant_piece_bytes = 1 << 20;  // each is a request to the bucket
constexpr std::size_t max_file_name = 100;            // bytes of a job's title

// Finds the job of a request. A link to a job that is gone leads nowhere.
asio::awaitable<Result<Job>> find_heard(Api& api, const ApiCall& call) {
  auto job = co_await api.submission.find(call.id, call.principal.name);
  if (!job && !call.link.empty()) co_return share_not_found();
  co_return job;
}

// The sound as a file of that type: its head is made, and the rest lies on the disk, or where other
// daemons have put it. No descriptor of it is held while a client reads: the bytes of a file that
// was removed count for nobody, and the disk has them back only when it is closed.
struct WavFile {
  std::string job{};
  std::string head{};
  std::uint64_t sound_bytes = 0;
  bool is_here = false;

  std::uint64_t size() const { return head.size() + sound_bytes; }
};

// The error is no_sound.
Result<WavFile> wav_of(const Services& services, const Job& job) {
  auto here = services.sounds.read(job.id);
  const auto facts = here ? std::optional(here->facts) : std::nullopt;
  const bool is_elsewhere = services.distant_sound.read && lies_elsewhere(facts, job.sound);
  if (!here && !is_elsewhere) return here.error();
  const std::uint64_t bytes = is_elsewhere ? job.sound->bytes : here->facts.bytes;
  return WavFile{job.id, wav_head(bytes), bytes, !is_elsewhere};
}

// Reads so many bytes of the file from `offset` on. Less is an error: the answer has promised them.
Result<std::string> read_sound(const SoundStore& sounds, const WavFile& file, std::uint64_t offset,
                               std::size_t bytes) {
  const auto sound = sounds.read(file.job);
  if (!sound) return sound.error();
  std::string piece;
  if (offset < file.head.size()) piece = file.head.substr(offset, bytes);
  std::size_t filled = piece.size();
  piece.resize(bytes);
  while (filled < bytes) {
    const auto at = static_cast<off_t>(offset + filled - file.head.size());
    const ssize_t got = ::pread(sound->fd.get(), &piece[filled], bytes - filled, at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Error{errc::io_error, "The audio cannot be read.", ""};
    filled += static_cast<std::size_t>(got);
  }
  return piece;
}

// Returns so many bytes of the file from `offset` on, or fewer that are not all.
asio::awaitable<Result<std::string>> next_piece(Api& api, std::string taker,
                                                std::shared_ptr<const WavFile> file,
                                                std::uint64_t offset, std::size_t bytes) {
  if (!file->is_here && offset < file->head.size()) co_return file->head.substr(offset, bytes);
  if (!file->is_here) {
    auto reading = api.services.distant_sound.read(file->job, offset - file->head.size(), bytes);
    auto piece = co_await std::move(reading);
    if (piece && piece->empty()) co_return Error{errc::io_error, "The audio cannot be read.", ""};
    co_return piece;
  }
  std::function<Result<std::string>(std::stop_token)> work = [&sounds = api.services.sounds, file,
                                                              offset, bytes](std::stop_token) {
    return read_sound(sounds, *file, offset, bytes);
  };
  auto reading = api.services.disk.run(std::move(taker), std::move(work));
  co_return co_await std::move(reading);
}

// Sends a part of the file in pieces, which are read on threads that may wait.
asio::awaitable<void> send_sound(Api& api, ApiCall& call, std::shared_ptr<const WavFile> file,
                                 ByteRange range) {
  while (range.length > 0) {
    const bool may_go_on = call.link.empty() || link_lasts(api, call.link);
    if (!may_go_on) throw std::runtime_error(share_not_found().message);
    auto waiting = place_of_piece(api, call);
    auto place = co_await std::move(waiting);
    const auto most = file->is_here ? sound_piece_bytes : distant_piece_bytes;
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(range.length, most));
    auto reading = next_piece(api, taker_of(call), file, range.first, bytes);
    const auto piece = co_await std::move(reading);
    if (!piece) throw std::runtime_error(piece.error().message);
    place.reset();  // the client may take its time
    const bool is_read = co_await call.exchange.write(*piece);
    if (!is_read) co_return;
    range.first += piece->size();
    range.length -= piece->size();
  }
}

// Returns a name for the file that every system takes.
std::string wav_name(const Job& job) {
  const std::string title = std::filesystem::path(shown_title(job)).stem();
  std::string name;
  for (const char byte : title.substr(0, max_file_name)) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte == ' ';
    name += is_plain ? byte : '_';
  }
  return (name.empty() ? job.id : name) + ".wav";
}

// Returns whether the client has this content already.
bool has_content(const Exchange& exchange, std::string_view etag) {
  const std::string_view list = exchange.headers()[http::field::if_none_match];
  return list == "*" || list.find(etag) != list.npos;
}

Headers sound_validators(const std::string& etag) {
  return {{"etag", etag}, {"cache-control", "private, no-cache"}};
}

// Peaks of sound that is here are found here.
asio::awaitable<Result<std::string>> peaks_of(Api& api, std::string taker, Job job) {
  const Services& services = api.services;
  const bool is_elsewhere =
      services.distant_sound.peaks && lies_elsewhere(services.sounds.find(job.id), job.sound);
  if (is_elsewhere) {
    auto reading = services.distant_sound.peaks(job.id);
    co_return co_await std::move(reading);
  }
  std::function<Result<std::string>(std::stop_token)> work =
      [&sounds = services.sounds, id = job.id](const std::stop_token& stop) {
        return sound_peaks(sounds, id, stop);
      };
  auto finding = services.disk.run(std::move(taker), std::move(work));
  co_return co_await std::move(finding);
}

}  // namespace

asio::awaitable<void> job_audio(Api& api, ApiCall& call) {
  auto beginning = place_to_begin(api, call);
  auto place = co_await std::move(beginning);
  if (!place) co_return;
  if (!*place) co_return co_await send_error(call.exchange, place->error());
  const auto job = co_await find_heard(api, call);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  auto wav = wav_of(api.services, *job);
  if (!wav) co_return co_await send_error(call.exchange, wav.error());
  const auto file = std::make_shared<const WavFile>(*std::move(wav));
  // Sound is added and never changed, so its length tells one state from another.
  const std::string etag = fmt::format("\"{}-{}\"", job->id, file->sound_bytes);
  Response answer{.content_type = "audio/wav", .headers = sound_validators(etag)};
  answer.headers.emplace_back("accept-ranges", "bytes");
  if (has_content(call.exchange, etag)) {
    answer.status = http::status::not_modified;
    co_return co_await call.exchange.send(std::move(answer));
  }
  const auto wanted = wanted_bytes(call.exchange.headers(), file->size(), etag);
  answer.status = wanted.status;
  if (wanted.status != http::status::ok) {
    answer.headers.emplace_back("content-range", content_range(wanted, file->size()));
  }
  if (wanted.status == http::status::range_not_satisfiable) {
    co_return co_await call.exchange.send(std::move(answer));
  }
  answer.headers.emplace_back("content-disposition",
                              fmt::format("inline; filename=\"{}\"", wav_name(*job)));
  answer.stream_bytes = wanted.range.length;
  place.reset();
  co_await call.exchange.start_stream(std::move(answer));
  if (call.exchange.method() == http::verb::head) co_return;
  auto sending = send_sound(api, call, file, wanted.range);
  co_await std::move(sending);
}

asio::awaitable<void> job_peaks(Api& api, ApiCall& call) {
  auto beginning = place_to_begin(api, call);
  auto place = co_await std::move(beginning);
  if (!place) co_return;
  if (!*place) co_return co_await send_error(call.exchange, place->error());
  const auto job = co_await find_heard(api, call);
  if (!job) co_return co_await send_error(call.exchange, job.error());
  const std::string from = call.exchange.query("from").value_or("0");
  std::size_t skipped = 0;
  const auto [end, wrong] = std::from_chars(from.data(), from.data() + from.size(), skipped);
  if (wrong != std::errc{} || end != from.data() + from.size()) {
    const Error error{errc::usage, "from is not a number of peaks.", "Say how many you have."};
    co_return co_await send_error(call.exchange, error, "from");
  }
  auto finding = unless_client_leaves(call.exchange, peaks_of(api, taker_of(call), *job));
  const auto found = co_await std::move(finding);
  if (!found) co_return;
  const auto& peaks = *found;
  if (!peaks) co_return co_await send_error(call.exchange, peaks.error());
  Response answer{.body = peaks->substr(std::min(skipped, peaks->size())),
                  .content_type = "application/octet-stream",
                  .headers = sound_validators(
                      fmt::format("\"{}-peaks-{}-{}\"", job->id, skipped, peaks->size()))};
  answer.headers.emplace_back("x-peaks-per-second", std::to_string(peaks_per_second));
  if (has_content(call.exchange, answer.headers.front().second)) {
    answer.status = http::status::not_modified;
    answer.body.clear();
  }
  place.reset();
  co_await call.exchange.send(std::move(answer));
}

}  // namespace server::api
