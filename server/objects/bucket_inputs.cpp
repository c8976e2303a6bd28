#include "server/objects/bucket_inputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <future>
#include <memory>
#include <string_view>
#include <utility>

#include "server/base/random_id.h"

namespace server {
namespace {

using std::chrono::steady_clock;

constexpr std::string_view scheme = "object:";
constexpr std::uint64_t most_parts = 9'000;
constexpr int page_size = 1'000;
// What only makes room, or only asks, gives up early.
constexpr std::chrono::seconds short_limit{10};
// How many times the first pause the longest one is, of removals from a bucket that is away.
constexpr int longest_pauses = 16;

S3Error local_error(const char* doing) {
  return {S3Errc::local,
          fmt::format("cannot {} a file of a recording: {}", doing, std::strerror(errno))};
}

// A new file without a name, opened twice: whoever reads it cannot write it.
struct NamelessFile {
  platform::UniqueFd to_write{};
  platform::UniqueFd to_read{};
};

S3Result<NamelessFile> make_file(const std::filesystem::path& folder) {
  const auto path = folder / random_id();
  NamelessFile file;
  file.to_write.reset(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.to_write) return local_error("make");
  file.to_read.reset(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.to_read) return local_error("open");
  if (::unlink(path.c_str()) != 0) return local_error("unlink");
  return file;
}

S3Result<void> write_all(int file, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return local_error("write");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Error lost() {
  return {errc::input_lost, "the recording is no longer in the bucket",
          "Send it again. Operators: check for bucket rules that delete objects."};
}

}  // namespace

BucketInputs::BucketInputs(Settings settings)
    : settings_(std::move(settings)),
      client_(settings_.s3),
      removal_pause_(settings_.retries.first_pause) {}

BucketInputs::~BucketInputs() {
  ending_.request_stop();
  const auto are_done = std::make_shared<std::promise<void>>();
  asio::post(removing_, [are_done] { are_done->set_value(); });
  are_done->get_future().wait_for(settings_.last_removals);
  giving_up_.request_stop();
  removing_.join();
}

bool BucketInputs::is_reference(const std::string& input) {
  return input.starts_with(scheme) && is_id(std::string_view(input).substr(scheme.size()));
}

Result<void> BucketInputs::check() const {
  const auto page = client_.list("", 1, {.deadline = steady_clock::now() + short_limit});
  if (page) return {};
  if (page.error().code != S3Errc::refused) return failure("list", page.error());
  return Error{
      errc::bad_config, "cluster.objects: " + page.error().message,
      "Check the bucket's name, cluster.objects_endpoint, cluster.objects_region, the keys "
      "and the clock of this machine."};
}

asio::awaitable<Result<std::string>> BucketInputs::keep(std::filesystem::path file) {
  std::function<Result<std::string>(std::stop_token)> work =
      [this, file = std::move(file)](std::stop_token stop) -> Result<std::string> {
    const std::string name = file.filename();
    const auto put = put_file(name, file, std::nullopt, stop);
    if (!put) return put.error();
    return std::string(scheme) + name;
  };
  auto kept = co_await calls_.run<std::string>(std::move(work));
  co_return kept;
}

asio::awaitable<Result<Input>> BucketInputs::open(std::string reference) {
  if (!is_reference(reference)) co_return lost();
  std::function<Result<Input>(std::stop_token)> work =
      [this, name = reference.substr(scheme.size())](std::stop_token stop) {
        return fetch(name, stop);
      };
  auto input = co_await calls_.run<Input>(std::move(work));
  co_return input;
}

asio::awaitable<Result<BucketInputs::OldPage>> BucketInputs::old_ones(std::string behind,
                                                                      std::chrono::seconds age) {
  std::function<Result<OldPage>(std::stop_token)> work =
      [this, behind = std::move(behind), age](std::stop_token stop) -> Result<OldPage> {
    const CallLimits limits{steady_clock::now() + short_limit, std::move(stop)};
    const auto page = client_.list(behind, page_size, limits);
    if (!page) return failure("list", page.error());
    OldPage old;
    for (const auto& object : page->objects) {
      const bool is_old = page->now - object.changed >= age.count();
      if (!is_old) continue;
      if (is_id(object.name)) old.references.push_back(std::string(scheme) + object.name);
      if (object.name.find('/') != std::string::npos) old.files.push_back(object.name);
    }
    if (!page->is_last && !page->objects.empty()) old.last = page->objects.back().name;
    return old;
  };
  auto page = co_await calls_.run<OldPage>(std::move(work));
  co_return page;
}

Result<void> BucketInputs::put_file(const std::string& name, const std::filesystem::path& file,
                                    std::optional<FileRange> range, const std::stop_token& stop) {
  const platform::UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct ::stat info {};
  if (!fd || ::fstat(fd.get(), &info) != 0) return failure("keep", local_error("open"));
  const auto wanted = range.value_or(FileRange{0, static_cast<std::uint64_t>(info.st_size)});
  const FileSlice bytes{fd.get(), wanted.from, wanted.bytes};
  const CallLimits limits{steady_clock::now() + settings_.put_limit, stop};
  const auto part_bytes = std::max(settings_.part_bytes, bytes.size / most_parts + 1);
  const auto put =
      bytes.size > settings_.whole_bytes
          ? put_in_parts(client_, name, bytes, part_bytes, settings_.retries, limits)
          : repeated(settings_.retries, stop, [&] { return client_.put(name, bytes, limits); });
  if (!put) return failure("keep", put.error());
  return {};
}

Result<Input> BucketInputs::fetch(const std::string& name, const std::stop_token& stop) {
  auto file = make_file(settings_.folder);
  if (!file) return failure("fetch", file.error());
  const TakeBytes write = [&](std::span<const char> bytes) -> S3Result<void> {
    if (settings_.disk_is_full()) return S3Error{S3Errc::local, "the disk is full"};
    return write_all(file->to_write.get(), bytes);
  };
  const auto fetched = fetch_bytes(name, write, stop);
  if (fetched) return Input{std::move(file->to_read)};
  if (fetched.error().code == S3Errc::missing) return lost();
  return failure("fetch", fetched.error());
}

// Goes on where a connection broke off; only tries that brought nothing count.
S3Result<void> BucketInputs::fetch_bytes(const std::string& name, const TakeBytes& take,
                                         const std::stop_token& stop) {
  const CallLimits limits{steady_clock::now() + settings_.get_limit, stop};
  std::uint64_t received = 0;
  while (true) {
    const auto before = received;
    const auto got = repeated(settings_.retries, stop, [&]() -> S3Result<void> {
      const auto write = [&](std::span<const char> bytes) {
        received += bytes.size();
        return take(bytes);
      };
      return client_.get(name, received, write, limits);
    });
    const bool goes_on = !got && got.error().code == S3Errc::unavailable && received > before;
    if (!goes_on) return got;
  }
}

// What a full queue, or the end of this daemon, leaves is removed by a later sweep.
void BucketInputs::remove(const std::string& reference) {
  if (is_reference(reference)) remove_later(reference.substr(scheme.size()));
}

void BucketInputs::remove_later(std::string name) {
  if (removals_ >= most_removals) return;
  ++removals_;
  asio::post(removing_, [this, name = std::move(name)] {
    remove_now(name);
    --removals_;
  });
}

// What finds no bucket goes behind the others, after a pause that grows while nothing is answered.
void BucketInputs::remove_now(const std::string& name) {
  if (has_given_up_ || giving_up_.stop_requested()) return;
  const CallLimits limits{steady_clock::now() + short_limit, giving_up_.get_token()};
  const auto removed = client_.remove(name, limits);
  if (removed) {
    removal_pause_ = settings_.retries.first_pause;
    return;
  }
  (void)failure("remove", removed.error());
  const S3Errc code = removed.error().code;
  const bool is_away = code == S3Errc::unavailable || code == S3Errc::timed_out;
  has_given_up_ = ending_.stop_requested();
  if (!is_away || has_given_up_) return;
  pause_for(removal_pause_, ending_.get_token());
  has_given_up_ = ending_.stop_requested();
  if (has_given_up_) return;
  removal_pause_ = std::min(2 * removal_pause_, longest_pauses * settings_.retries.first_pause);
  remove_later(name);
}

Error BucketInputs::failure(const char* doing, const S3Error& error) const {
  if (error.code != S3Errc::stopped) {
    settings_.on_failure(
        {errc::inputs_unavailable, fmt::format("cannot {} a recording: {}", doing, error.message)});
  }
  return {errc::inputs_unavailable,
          fmt::format("scribed cannot {} recordings at the moment", doing), "Try again later."};
}

}  // namespace server
