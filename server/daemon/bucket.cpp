#include "server/daemon/bucket.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "server/config/environment.h"
#include "server/daemon/shared_sounds.h"
#include "server/models/hub.h"

namespace server {
namespace {

using std::chrono::minutes;
using std::chrono::steady_clock;

constexpr std::chrono::hours orphan_age{24};
// What one sweep looks at; the rest is the next one's.
constexpr std::size_t most_swept = 10'000;

// Daemons that start together do not sweep together.
steady_clock::time_point next_sweep() {
  std::random_device random;
  return steady_clock::now() + minutes(std::uniform_int_distribution(30, 90)(random));
}

}  // namespace

Result<std::unique_ptr<BucketInputs>> open_bucket(const Config& config, const Spool& spool,
                                                  Log& log) {
  const auto& cluster = config.cluster;
  if (cluster.database.empty() || cluster.objects.empty()) return std::unique_ptr<BucketInputs>();
  auto place =
      parse_object_place(cluster.objects, cluster.objects_endpoint, cluster.objects_region);
  if (!place) return place.error();
  const S3KeySource keys{.file = cluster.objects_keys,
                         .keys = {.id = cluster.objects_key_id,
                                  .secret = cluster.objects_secret,
                                  .token = cluster.objects_session_token}};
  if (const auto usable = read_keys(keys); !usable) return usable.error();
  auto bucket = std::make_unique<BucketInputs>(BucketInputs::Settings{
      .s3 = {.place = *std::move(place),
             .keys = keys,
             .certificates = certificates_of(process_environment)},
      .folder = spool.folder(),
      .on_failure = [&log](const Error& error) {
        log.error("the bucket of recordings fails", {{"error", error.message}});
      }});
  const auto checked = bucket->check();
  if (!checked && checked.error().code == errc::bad_config) return checked.error();
  return bucket;
}

BucketSweep::BucketSweep(BucketInputs& bucket, JobQueue& jobs, DatabaseUploads* uploads,
                         const Spool& spool, Log& log)
    : bucket_(bucket),
      jobs_(jobs),
      uploads_(uploads),
      spool_(spool),
      log_(log),
      due_(next_sweep()) {}

asio::awaitable<void> BucketSweep::run_if_due() {
  if (steady_clock::now() < due_) co_return;
  co_await run(orphan_age);
  due_ = next_sweep();
}

// Jobs are read after the list, so that none of a recording in it is missed.
asio::awaitable<void> BucketSweep::run(std::chrono::seconds age) {
  std::vector<std::string> old, others;
  do {
    auto page = co_await bucket_.old_ones(behind_, age);
    if (!page) co_return;
    std::ranges::move(page->references, std::back_inserter(old));
    std::ranges::move(page->files, std::back_inserter(others));
    behind_ = std::move(page->last);
  } while (!behind_.empty() && old.size() + others.size() < most_swept);
  const auto used = co_await jobs_.inputs();
  if (!used) co_return;
  std::set<std::string> kept;
  std::vector<std::filesystem::path> files;
  for (const auto& input : *used) {
    kept.insert(input.file.string());
    files.push_back(input.file);
  }
  std::erase_if(old, [&](const std::string& reference) { return kept.contains(reference); });
  for (const auto& reference : old) bucket_.remove(reference);
  // A job whose client waited here may have been ended by another daemon.
  const int local = spool_.remove_orphans(files, std::chrono::system_clock::now() - age);
  int uploads = 0;
  if (uploads_ != nullptr) uploads = co_await uploads_->sweep(others);
  const int sounds = co_await sweep_sounds(std::move(others));
  if (old.empty() && local == 0 && sounds == 0 && uploads == 0) co_return;
  log_.info("recordings without a job removed",
            {{"objects", old.size()}, {"files", local}, {"sounds", sounds}, {"uploads", uploads}});
}

asio::awaitable<int> BucketSweep::sweep_sounds(std::vector<std::string> names) {
  int removed = 0;
  for (const auto& name : names) {
    const std::string id = SharedSounds::job_of(name);
    if (id.empty()) continue;
    const auto job = co_await jobs_.find(id, std::nullopt);
    if (!job) break;
    if (*job) continue;
    bucket_.remove_file(name);
    ++removed;
  }
  co_return removed;
}

}  // namespace server
