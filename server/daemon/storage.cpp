#include "server/daemon/storage.h"

#include <optional>
#include <utility>
#include <vector>

#include "server/daemon/part_settings.h"
#include "server/daemon/state_folder.h"
#include "server/jobs_sqlite/sqlite_job_store.h"

namespace server {
namespace {

namespace fs = std::filesystem;

// Puts jobs that were left behind back into the queue, removes files that belong to no job, and
// returns how many jobs were running. It must run before anything new can come, since a new file
// has no job yet.
Result<int> clean_up(JobStore& store, const Spool& spool) {
  auto found = store.recover();
  if (!found) return found;
  const auto used = store.inputs();
  if (!used) return used.error();
  std::vector<fs::path> files;
  for (const auto& input : *used) {
    files.push_back(input.file);
    spool.adopt(input.file, input.owner);
  }
  spool.remove_orphans(files);
  return found;
}

// A live session gets no more sound when its process has ended: what there is of it is whole.
void finish_live_sound(const Job& job, const SoundStore& sounds) {
  const auto sound = sounds.find(job.id);
  if (!job.request.live || !sound || sound->is_whole) return;
  auto writer = sounds.begin(job.id, job.request.owner);
  if (writer) writer->finish();
}

// Removes the sound of jobs that are no more, and counts the rest. That of a live session, which
// ended with the last process, is all that was heard.
Result<void> clean_up_sounds(JobStore& store, const SoundStore& sounds) {
  for (const auto& id : sounds.jobs()) {
    const auto job = store.find(id, std::nullopt);
    if (!job) return job.error();
    if (*job) {
      sounds.adopt(id, (*job)->request.owner);
      if ((*job)->request.live && has_ended((*job)->state)) sounds.finish(id);
      finish_live_sound(**job, sounds);
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
      "Start scribed again: it begins without jobs. What can be read of the old ones: "
      "sqlite3 jobs.sqlite .recover";
  return error;
}

}  // namespace

Result<Storage> open_storage(const fs::path& folder, const Config& config, Log& log) {
  if (const auto prepared = prepare_state_folder(folder); !prepared) return prepared.error();
  // The store is opened first, because its lock keeps another scribed from what follows.
  auto store = open_job_store({.file = folder / "jobs.sqlite",
                               .max_attempts = static_cast<int>(config.jobs.max_attempts),
                               .keep_s = config.jobs.keep_results_s});
  if (!store) return damage_error(store.error(), folder);
  const SpoolSettings spool_settings{
      .room = std::make_shared<DiskRoom>(disk_limits(config, folder)),
      .on_failure = [&log](const Error& error) {
        log.error("a file of ours fails", {{"error", error.message}});
      }};
  auto spool = Spool::open(folder / "inputs", spool_settings);
  if (!spool) return spool.error();
  const auto recovered = clean_up(**store, *spool);
  if (!recovered) {
    store->reset();
    return damage_error(recovered.error(), folder);
  }
  const auto upload_bytes = static_cast<std::uint64_t>(config.inputs.max_uploads_bytes);
  auto uploads = Uploads::open({.folder = folder / "uploads",
                                .keep_s = config.inputs.upload_keep_s,
                                .max_total_bytes = upload_bytes,
                                .spool = spool_settings});
  if (!uploads) return uploads.error();
  auto sounds = SoundStore::open(folder / "sounds", spool_settings);
  if (!sounds) return sounds.error();
  if (const auto cleaned = clean_up_sounds(**store, *sounds); !cleaned) return cleaned.error();
  return Storage{*std::move(spool), *std::move(uploads), *std::move(sounds), *std::move(store),
                 *recovered};
}

}  // namespace server
