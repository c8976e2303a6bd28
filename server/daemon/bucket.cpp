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
// One sweep removes so many objects, looks at so many pages of a thousand, and leaves the rest to
// the next one.
constexpr int most_swept = 10'000;
constexpr int most_pages = 1'000;

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
      .disk_is_full = [&room = spool.room()] { return room.disk_is_full(); },
      .on_failure =
          [&log](const Error& error) {
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

asio::awaitable<void> BucketSweep::run(std::chrono::seconds age) {
  int recordings = 0, uploads = 0, sounds = 0, pages = 0;
  do {
    ++pages;
    auto page = co_await bucket_.old_ones(behind_, age);
    if (!page) co_return;
    const auto swept = co_await sweep_recordings(std::move(page->references));
    if (!swept) co_return;
    recordings += *swept;
    if (uploads_ != nullptr) uploads += co_await uploads_->sweep(page->files);
    sounds += co_await sweep_sounds(std::move(page->files));
    behind_ = std::move(page->last);
  } while (!behind_.empty() && pages < most_pages && recordings + uploads + sounds < most_swept);
  // A job whose client waited here may have been ended by another daemon.
  const auto used = co_await used_files();
  if (!used) co_return;
  const int local = spool_.remove_orphans(*used, age);
  if (recordings == 0 && local == 0 && sounds == 0 && uploads == 0) co_return;
  log_.info("recordings without a job removed",
            {{"objects", recordings}, {"files", local}, {"sounds", sounds}, {"uploads", uploads}});
}

asio::awaitable<Result<std::vector<std::filesystem::path>>> BucketSweep::used_files() {
  const auto used = co_await jobs_.inputs();
  if (!used) co_return used.error();
  std::vector<std::filesystem::path> files;
  for (const auto& input : *used) files.push_back(input.file);
  co_return files;
}

// Jobs are read after the list, so that none of a recording in it is missed.
asio::awaitable<Result<int>> BucketSweep::sweep_recordings(std::vector<std::string> references) {
  if (references.empty()) co_return 0;
  const auto used = co_await used_files();
  if (!used) co_return used.error();
  const std::set<std::filesystem::path> kept(used->begin(), used->end());
  std::erase_if(references, [&](const std::string& reference) { return kept.contains(reference); });
  for (const auto& reference : references) bucket_.remove(reference);
  co_return static_cast<int>(references.size());
}

// A sound and its peaks follow each other, and are asked for once.
asio::awaitable<int> BucketSweep::sweep_sounds(std::vector<std::string> names) {
  int removed = 0;
  std::string asked;
  bool is_gone = false;
  for (const auto& name : names) {
    const std::string id = SharedSounds::job_of(name);
    if (id.empty()) continue;
    if (id != asked) {
      const auto job = co_await jobs_.find(id, std::nullopt);
      if (!job) break;
      asked = id;
      is_gone = !*job;
      if (is_gone) ++removed;
    }
    if (is_gone) bucket_.remove_file(name);
  }
  co_return removed;
}

}  // namespace server
