#include "server/daemon/storage.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "server/daemon/node_name.h"
#include "server/daemon/part_settings.h"
#include "server/daemon/state_folder.h"
#include "server/jobs_postgres/postgres_job_store.h"
#include "server/jobs_sqlite/sqlite_job_store.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// A recording that is being received has no job yet. Where others use the folder, this may last.
constexpr std::chrono::seconds longest_upload = std::chrono::hours(24);

// Puts jobs that were left behind back into the queue, removes files that belong to no job, and
// returns how many jobs were running. It must run before anything new can come, since a new file
// has no job yet.
Result<int> clean_up(JobStore& store, const Spool& spool, bool is_ours) {
  auto found = store.recover();
  if (!found) return found;
  const auto used = store.inputs();
  if (!used) return used.error();
  std::vector<fs::path> files;
  for (const auto& input : *used) {
    files.push_back(input.file);
    spool.adopt(input.file, input.owner);
  }
  spool.remove_orphans(files, is_ours ? std::chrono::seconds(0) : longest_upload);
  return found;
}

// A live session gets no more sound when its process has ended: what there is of it is whole.
void finish_live_sound(const Job& job, const SoundStore& sounds) {
  const auto sound = sounds.find(job.id);
  if (!job.request.live || !sound || sound->is_whole) return;
  auto writer = sounds.begin(job.id, job.request.owner);
  if (writer) writer->finish();
}

// Removes the sound of jobs that are no more, and files of ended jobs without any, and counts the
// rest. That of a live session, which ended with the last process, is all that was heard. In a
// folder of several daemons only sound that is not whole is looked at, and that of sessions that go
// on elsewhere is left alone.
Result<void> clean_up_sounds(JobStore& store, const SoundStore& sounds, bool is_ours) {
  for (const auto& id : sounds.jobs()) {
    const auto sound = sounds.find(id);
    if (!is_ours && sound && sound->is_whole) continue;
    const auto job = store.find(id, std::nullopt);
    if (!job) return job.error();
    const bool is_of_use = *job && (sound || !has_ended((*job)->state));
    if (is_of_use) {
      sounds.adopt(id, (*job)->request.owner);
      if ((*job)->request.live && has_ended((*job)->state)) sounds.finish(id);
      if (is_ours || has_ended((*job)->state)) finish_live_sound(**job, sounds);
    } else {
      sounds.remove(id);
    }
  }
  return {};
}

// Puts a damaged database aside and keeps it; scribed ends once, so that somebody notices.
Error damage_error(Error error, const fs::path& folder) {
  if (error.code != "damaged_store") return error;
  const auto aside = put_jobs_aside(folder);
  if (!aside) {
    error.fix = aside.error().message + ". Move jobs.sqlite, inputs/ and sounds/ away from " +
                folder.string() + ".";
    return error;
  }
  error.message += ". The jobs and their recordings are now in " + aside->string();
  error.fix =
      "Start scribed again: it starts without jobs. To recover the old ones: sqlite3 jobs.sqlite "
      ".recover";
  return error;
}

// Where recordings lie.
struct Places {
  fs::path inputs{};
  fs::path uploads{};  // on the same file system, like the next one
  fs::path sounds{};
  fs::path shared_uploads{};  // of all daemons
  bool are_ours = true;       // no other daemon uses them
};

struct OpenedJobs {
  std::unique_ptr<JobStore> store{};
  Places places{};
  platform::UniqueFd lock{};
};

Result<OpenedJobs> open_local_jobs(const fs::path& folder, const Config& config) {
  auto store =
      open_job_store({.file = folder / "jobs.sqlite", .keep_s = config.jobs.keep_results_s});
  if (!store) return store.error();
  return OpenedJobs{
      *std::move(store),
      {.inputs = folder / "inputs", .uploads = folder / "uploads", .sounds = folder / "sounds"},
      platform::UniqueFd()};
}

// Each daemon has a folder for the bytes of uploads that it has received and not handed over yet.
Result<OpenedJobs> open_shared_jobs(const fs::path& folder, const Config& config) {
  if (config.cluster.inputs.empty() == config.cluster.objects.empty()) {
    return Error{errc::bad_config,
                 "one of cluster.objects and cluster.inputs has to say where recordings are",
                 "Name a bucket, or a folder that all daemons of the database see and may write."};
  }
  auto node = take_node_name(folder);
  if (!node) return node.error();
  auto store = open_postgres_job_store({.address = config.cluster.database,
                                        .node = node->name,
                                        .only_accepts = config.cluster.is_gateway(),
                                        .lease_s = config.cluster.lease_s,
                                        .keep_s = config.jobs.keep_results_s});
  if (!store) return store.error();
  // Recordings pass through here on their way to the bucket. Those of jobs.sqlite lie elsewhere.
  if (!config.cluster.objects.empty()) {
    return OpenedJobs{
        *std::move(store),
        {.inputs = folder / "received", .uploads = folder / "uploads", .sounds = folder / "sounds"},
        std::move(node->lock)};
  }
  const fs::path shared(config.cluster.inputs);
  return OpenedJobs{*std::move(store),
                    {.inputs = shared / "inputs",
                     .uploads = shared / ("uploads-" + node->name),
                     .sounds = shared / "sounds",
                     .shared_uploads = shared / "uploads",
                     .are_ours = false},
                    std::move(node->lock)};
}

Result<OpenedJobs> open_jobs(const fs::path& folder, const Config& config) {
  return config.cluster.database.empty() ? open_local_jobs(folder, config)
                                         : open_shared_jobs(folder, config);
}

}  // namespace

Result<Storage> open_storage(const fs::path& folder, const Config& config, Log& log) {
  if (const auto prepared = prepare_state_folder(folder); !prepared) return prepared.error();
  // The store is opened first, because its lock keeps another scribed from what follows.
  auto opened = open_jobs(folder, config);
  if (!opened) return damage_error(opened.error(), folder);
  auto& [store, places, lock] = *opened;
  const SpoolSettings spool_settings{
      .room = std::make_shared<DiskRoom>(disk_limits(config, folder)),
      .counts_kept = places.are_ours,
      .closer = std::make_shared<FileCloser>(),
      .on_failure = [&log](const Error& error) {
        log.error("a file of ours fails", {{"error", error.message}});
      }};
  auto spool = Spool::open(places.inputs, spool_settings);
  if (!spool) return spool.error();
  const auto recovered = clean_up(*store, *spool, places.are_ours);
  if (!recovered) {
    store.reset();
    return damage_error(recovered.error(), folder);
  }
  const auto upload_bytes = static_cast<std::uint64_t>(config.inputs.max_uploads_bytes);
  auto uploads = Uploads::open({.folder = places.uploads,
                                .keep_s = config.inputs.upload_keep_s,
                                .max_total_bytes = upload_bytes,
                                .spool = spool_settings});
  if (!uploads) return uploads.error();
  auto sounds = SoundStore::open(places.sounds, spool_settings);
  if (!sounds) return sounds.error();
  if (const auto cleaned = clean_up_sounds(*store, *sounds, places.are_ours); !cleaned)
    return cleaned.error();
  std::optional<Spool> shared_uploads;
  if (!places.are_ours) {
    auto folder = Spool::open(places.shared_uploads, spool_settings);
    if (!folder) return folder.error();
    shared_uploads.emplace(*std::move(folder));
  }
  return Storage{
      *std::move(spool), *std::move(uploads), *std::move(sounds), std::move(shared_uploads),
      std::move(store),  *recovered,          std::move(lock)};
}

}  // namespace server
