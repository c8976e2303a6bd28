#include "engine/worker/session.h"

#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "engine/audio/spool_file.h"
#include "engine/exception_error.h"
#include "engine/model_families/load.h"
#include "engine/worker/process_stats.h"
#include "engine/worker/sandbox.h"
#include "platform/cpu.h"
#include "protocol/worker_contract.h"

namespace engine {

using namespace protocol::worker;  // the messages

namespace {

// Writes to the log whose request has failed: the daemon passes stderr on, where libraries may have
// printed why. A full disk is named here alone, because clients are not told of folders.
void note_failure(const Message& message, const std::optional<std::string>& request_id) {
  const auto* failed = std::get_if<Failed>(&message);
  if (failed == nullptr) return;
  if (request_id) {
    std::cerr << "scribed-worker: request " + *request_id + " failed: " + failed->error.code + "\n";
  }
  if (failed->error.code == name(Errc::out_of_disk)) {
    std::cerr << "scribed-worker: " + SpoolFile::default_folder().string() +
                     " has no room for intermediate data. Free space there, or set TMPDIR to a "
                     "folder on another disk.\n";
  }
}

}  // namespace

Session::Session(platform::UniqueFd socket, std::string build_info)
    : socket_(std::move(socket)), build_info_(std::move(build_info)) {}

void Session::run() {
  send(Hello{.build = build_info_, .isa = platform::probe_cpu().isa()});
  while (auto frame = platform::receive_frame(socket_.get())) {
    if (!handle(std::move(*frame))) return;
  }
}

bool Session::handle(platform::Frame frame) {
  drop_finished_jobs();
  auto message = parse(frame.payload);
  if (!message) {
    fail(std::nullopt, message.error().code, message.error().message, message.error().fix);
    return false;
  }
  if (auto* load = std::get_if<Load>(&*message)) return handle(std::move(*load));
  if (const auto* bench = std::get_if<Bench>(&*message)) return handle(*bench);
  if (auto* transcribe = std::get_if<Transcribe>(&*message)) {
    handle(std::move(*transcribe), std::move(frame.descriptors));
  } else if (const auto* cancel = std::get_if<Cancel>(&*message)) {
    if (const auto job = jobs_.find(cancel->job); job != jobs_.end()) job->second->cancel();
  } else if (auto* live = std::get_if<Live>(&*message)) {
    // It may cross the job's end.
    const auto job = jobs_.find(live->job);
    if (job != jobs_.end()) job->second->wish(std::move(*live));
  } else if (const auto* ping = std::get_if<Ping>(&*message)) {
    send(Pong{ping->nonce, model_ ? model_->recognizer->use() : protocol::DeviceUse{}});
  } else if (std::holds_alternative<StatsRequest>(*message)) {
    const ProcessStats stats = process_stats();
    send(Stats{stats.rss_bytes, stats.peak_rss_bytes, static_cast<int>(jobs_.size())});
  } else if (std::holds_alternative<Unload>(*message)) {
    return false;
  } else {
    fail(std::nullopt, protocol::bad_message, "this message goes from the worker to the daemon");
    return false;
  }
  return true;
}

bool Session::handle(Load request) {
  if (const auto version = check_version(request); !version) {
    fail(std::nullopt, version.error().code, version.error().message, version.error().fix);
    return false;
  }
  if (model_) {
    fail(std::nullopt, protocol::bad_message, "a worker loads one model, and this one has its");
    return false;
  }
  Reach reach{.model = request.model_path, .device = request.run_on.device};
  for (const auto& [role, path] : request.auxiliary) reach.auxiliary.emplace_back(path);
  if (!shut_in(reach, request.require_sandbox)) return false;
  auto loaded = load_model(request);
  if (!loaded) {
    fail(std::nullopt, loaded.error().code, loaded.error().message, loaded.error().fix);
    return false;
  }
  model_.emplace(std::move(*loaded));
  model_->summary.shields = platform::standing(shields_);
  model_->summary.missing_shields = platform::missing(shields_);
  send(model_->summary);
  return true;
}

bool Session::handle(const Bench& request) {
  if (model_) {
    fail(std::nullopt, protocol::bad_message, "a worker that has a model does not measure");
    return false;
  }
  shut_in({request.model_path, {}, request.run_on.device}, /*required=*/false);
  const auto result = bench(request);
  if (result) {
    send(*result);
  } else {
    fail(std::nullopt, name(result.error().code), result.error().message, result.error().fix);
  }
  return result.has_value();
}

bool Session::shut_in(const Reach& reach, bool required) {
  shields_ = enter_sandbox(reach);
  const auto missing = platform::missing(shields_);
  if (!required || missing.empty()) return true;
  fail(std::nullopt, "sandbox_missing", "the worker has to run without " + missing.front(),
       "Allow Landlock and seccomp on this machine or in its container, or set "
       "server.require_sandbox to false.");
  return false;
}

void Session::handle(Transcribe request, std::vector<platform::UniqueFd> descriptors) {
  const std::string id = request.job;
  const auto request_id = request.request_id;
  if (!model_ || descriptors.size() != 1 || jobs_.contains(id)) {
    fail(id, protocol::bad_message,
         !model_                   ? "no model is loaded"
         : descriptors.size() != 1 ? "a transcription needs one descriptor of PCM"
                                   : "a job of this name is running");
    return;
  }
  if (jobs_.size() >= max_jobs) {
    fail(id, "busy", "this worker already runs " + std::to_string(max_jobs) + " transcriptions",
         "Try again when one is finished.");
    return;
  }
  const SendMessage send_noted = [this, request_id](const Message& message) {
    note_failure(message, request_id);
    send(message);
  };
  try {
    jobs_[id] = std::make_unique<TranscriptionJob>(
        std::move(request), std::move(descriptors.front()), *model_, send_noted);
  } catch (const std::exception&) {
    // There is no thread, or no memory, for one more. The others go on.
    jobs_.erase(id);
    const Error lack = memory_ran_out();
    fail(id, name(lack.code), lack.message, lack.fix);
  }
}

// A socket that has failed is noticed by the reading thread, which ends the session.
void Session::send(const Message& message) {
  const std::lock_guard lock(sending_);
  try {
    platform::send_frame(socket_.get(), encode(message));
  } catch (const std::system_error&) {
  }
}

void Session::fail(std::optional<std::string> job, std::string code, std::string message,
                   std::string fix) {
  send(Failed{std::move(job), {std::move(code), std::move(message), std::move(fix)}});
}

void Session::drop_finished_jobs() {
  std::erase_if(jobs_, [](const auto& entry) { return entry.second->finished(); });
}

}  // namespace engine
