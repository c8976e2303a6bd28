#include "server/daemon/shared_sounds.h"

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/fair_calls.h"
#include "server/base/random_id.h"
#include "server/inputs/sound_peaks.h"

namespace server {
namespace {

using std::chrono::minutes;
using std::chrono::steady_clock;

constexpr std::string_view sound_prefix = "sounds/";
constexpr std::string_view peaks_suffix = ".peaks";
// So many sounds are sent at once; the rest is sent by the next share_the_rest(). The bucket's
// other threads are for clients and for recordings.
constexpr std::size_t most_at_once = 2;
constexpr int most_left = 1000;
// Peaks of a hundred days.
constexpr std::uint64_t most_peaks = 100ULL << 20;

steady_clock::time_point next_time() {
  std::random_device random;
  return steady_clock::now() + minutes(std::uniform_int_distribution(30, 90)(random));
}

std::string sound_object(const std::string& job) {
  return std::string(sound_prefix) + job;
}

// Finds the peaks and writes all of them to their file. The error is no_sound or io_error.
Result<bool> write_peaks(const SoundStore& sounds, const std::string& job) {
  const auto peaks = sound_peaks(sounds, job);
  if (!peaks) return peaks.error();
  const auto file = sounds.open_peaks(job);
  const auto written = file ? ::pwrite(file.get(), peaks->data(), peaks->size(), 0) : -1;
  if (written == static_cast<ssize_t>(peaks->size())) return true;
  return Error{errc::io_error, "the peaks of a sound cannot be written", ""};
}

bool is_of_file(const Error& error) {
  return error.code == errc::io_error || error.code == errc::no_sound;
}

asio::awaitable<Result<std::string>> read_object(BucketInputs& bucket, std::string object,
                                                 std::uint64_t from, std::uint64_t bytes) {
  auto piece = co_await bucket.read(std::move(object), from, bytes);
  if (!piece && piece.error().code == errc::input_lost) {
    co_return Error{errc::no_sound, "The audio of this job no longer exists.",
                    "Submit the recording again."};
  }
  co_return piece;
}

}  // namespace

SharedSounds::SharedSounds(asio::any_io_executor executor, JobQueue& jobs, SoundStore& sounds,
                           FairCalls& disk, BucketInputs* bucket, Log& log)
    : executor_(std::move(executor)),
      jobs_(jobs),
      sounds_(sounds),
      disk_(disk),
      bucket_(bucket),
      log_(log),
      next_scan_(next_time()) {}

void SharedSounds::share_later(const std::string& job) {
  asio::co_spawn(executor_, share(job), asio::detached);
}

asio::awaitable<void> SharedSounds::share_the_rest() {
  if (bucket_ == nullptr) co_return;
  for (const auto& job : sounds_.jobs()) {
    if (jobs_.is_draining()) co_return;
    co_await remove_stale_part(job);
    const auto shared = co_await share(job);
    // The others would wait for the same bucket, or for the database.
    if (!shared && !is_of_file(shared.error())) co_return;
  }
}

// A daemon that died while it decoded has left a part, and another one has heard the whole since.
asio::awaitable<void> SharedSounds::remove_stale_part(std::string job) {
  const auto here = sounds_.find(job);
  if (!here || here->is_whole) co_return;
  const auto found = co_await jobs_.find(job, std::nullopt);
  const bool is_stale =
      found && *found && has_ended((*found)->state) && lies_elsewhere(here, (*found)->sound);
  if (is_stale) sounds_.remove(job);
}

// The bucket has told the log of an error, and share_the_rest() tries again. In a folder all
// daemons find the sound, also where the database was away.
asio::awaitable<Result<void>> SharedSounds::share(std::string job) {
  const auto sound = sounds_.find(job);
  if (!sound || !sound->is_whole) co_return Result<void>();
  const bool is_begun = sending_.size() < most_at_once && sending_.insert(job).second;
  if (!is_begun) co_return Result<void>();
  auto sending = send_and_tell(job, sound->bytes);
  const auto sent = co_await std::move(sending);
  sending_.erase(job);
  co_return sent;
}

asio::awaitable<Result<void>> SharedSounds::send_and_tell(std::string job, std::uint64_t bytes) {
  auto sending = send(job);
  const auto sent = co_await std::move(sending);
  if (!sent) co_return sent.error();
  const auto has_job = co_await jobs_.set_sound(job, bytes);
  if (!has_job) co_return has_job.error();
  if (!*has_job) {
    remove(job);
  } else if (bucket_ != nullptr) {
    sounds_.remove(job);
  }
  co_return Result<void>();
}

// The sound is the last, so that whoever finds it finds its peaks, too.
asio::awaitable<Result<void>> SharedSounds::send(std::string job) {
  if (bucket_ == nullptr) co_return Result<void>();
  std::function<Result<bool>(std::stop_token)> work = [&sounds = sounds_, job](std::stop_token) {
    return write_peaks(sounds, job);
  };
  auto writing = disk_.run(own_work, std::move(work));
  const auto written = co_await std::move(writing);
  if (!written) co_return written.error();
  auto object = sound_object(job);
  auto peaks_object = object + std::string(peaks_suffix);
  const auto peaks = co_await bucket_->put(std::move(peaks_object), sounds_.peaks_path(job));
  if (!peaks) co_return peaks.error();
  const auto sound = co_await bucket_->put(std::move(object), sounds_.path(job));
  co_return sound;
}

asio::awaitable<void> SharedSounds::remove_left() {
  while (!jobs_.is_draining()) {
    const auto left = co_await jobs_.sounds_left(most_left);
    if (!left || left->empty()) co_return;
    for (const auto& job : *left) remove(job);
    log_.info("sound of jobs that are gone removed", {{"jobs", left->size()}});
  }
}

void SharedSounds::remove(const std::string& job) {
  sounds_.remove(job);
  if (bucket_ == nullptr || !is_id(job)) return;
  bucket_->remove_file(sound_object(job));
  bucket_->remove_file(sound_object(job) + std::string(peaks_suffix));
}

bool SharedSounds::is_scan_due() {
  if (bucket_ != nullptr) return true;  // what is here was not sent yet
  if (steady_clock::now() < next_scan_) return false;
  next_scan_ = next_time();
  return true;
}

DistantSound SharedSounds::distant() const {
  if (bucket_ == nullptr) return {};
  return {.read =
              [bucket = bucket_](std::string job, std::uint64_t from, std::uint64_t bytes) {
                return read_object(*bucket, sound_object(job), from, bytes);
              },
          .peaks =
              [bucket = bucket_](std::string job) {
                return read_object(*bucket, sound_object(job) + std::string(peaks_suffix), 0,
                                   most_peaks);
              }};
}

std::string SharedSounds::job_of(const std::string& object) {
  if (!object.starts_with(sound_prefix)) return "";
  std::string job = object.substr(sound_prefix.size());
  if (job.ends_with(peaks_suffix)) job.resize(job.size() - peaks_suffix.size());
  return is_id(job) ? job : "";
}

}  // namespace server
