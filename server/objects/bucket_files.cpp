#include <optional>
#include <utility>

#include "server/objects/bucket_inputs.h"

// Files of the bucket that stay for longer than one job: kept sound and uploads.
namespace server {
namespace {

using std::chrono::steady_clock;

// Somebody plays it meanwhile.
constexpr std::chrono::seconds piece_limit{30};

Error file_lost() {
  return {errc::input_lost, "the file is no longer in the bucket",
          "Operators: check for bucket rules that delete objects."};
}

}  // namespace

asio::awaitable<Result<void>> BucketInputs::put(std::string name, std::filesystem::path file) {
  return put_slice(std::move(name), std::move(file), std::nullopt);
}

asio::awaitable<Result<void>> BucketInputs::put(std::string name, std::filesystem::path file,
                                                FileRange range) {
  return put_slice(std::move(name), std::move(file), range);
}

asio::awaitable<Result<void>> BucketInputs::put_slice(std::string name, std::filesystem::path file,
                                                      std::optional<FileRange> range) {
  std::function<Result<void>(std::stop_token)> work =
      [this, name = std::move(name), file = std::move(file), range](std::stop_token stop) {
        return put_file(name, file, range, stop);
      };
  auto put = co_await calls_.run<void>(std::move(work));
  co_return put;
}

asio::awaitable<Result<std::string>> BucketInputs::read(std::string name, std::uint64_t from,
                                                        std::uint64_t most) {
  std::function<Result<std::string>(std::stop_token)> work = [this, name = std::move(name), from,
                                                              most](std::stop_token stop) {
    return read_piece(name, from, most, stop);
  };
  auto piece = co_await calls_.run<std::string>(std::move(work));
  co_return piece;
}

asio::awaitable<Result<void>> BucketInputs::fetch(std::string name,
                                                  std::shared_ptr<SpoolFile> into) {
  std::function<Result<bool>(std::stop_token)> work =
      [this, name = std::move(name), into = std::move(into)](std::stop_token stop) -> Result<bool> {
    const auto fetched = fetch_into_spool(*into, name, stop);
    if (!fetched) return fetched.error();
    return true;
  };
  const auto fetched = co_await calls_.run<bool>(std::move(work));
  if (!fetched) co_return fetched.error();
  co_return Result<void>();
}

void BucketInputs::remove_file(const std::string& name) {
  remove_later(name);
}

Result<std::string> BucketInputs::read_piece(const std::string& name, std::uint64_t from,
                                             std::uint64_t most, const std::stop_token& stop) {
  const CallLimits limits{steady_clock::now() + piece_limit, stop};
  auto piece = repeated(settings_.retries, stop,
                        [&] { return client_.get_piece(name, from, most, limits); });
  if (piece) return *std::move(piece);
  if (piece.error().code == S3Errc::missing) return file_lost();
  return failure("read", piece.error());
}

Result<void> BucketInputs::fetch_into_spool(SpoolFile& file, const std::string& name,
                                            const std::stop_token& stop) {
  std::optional<Error> unwritten;
  const auto fetched = fetch_bytes(
      name,
      [&](std::span<const char> bytes) -> S3Result<void> {
        const auto written = file.write(bytes);
        if (written) return {};
        unwritten = written.error();
        return S3Error{S3Errc::local, unwritten->message};
      },
      stop);
  if (fetched) return {};
  if (unwritten) return *unwritten;
  if (fetched.error().code == S3Errc::missing) return file_lost();
  return failure("fetch", fetched.error());
}

}  // namespace server
