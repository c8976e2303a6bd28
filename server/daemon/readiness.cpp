#include "server/daemon/readiness.h"

#include <utility>

#include "protocol/error_text.h"
#include "server/daemon/model_fetch.h"
#include "server/device/sandbox_check.h"
#include "server/inputs/spool.h"
#include "server/jobs/job_queue.h"
#include "server/models/model_store.h"
#include "server/transcription/model_pool.h"

namespace server {
namespace {

using std::chrono::steady_clock;

// The interval at which the default model's files are checked.
constexpr std::chrono::seconds look_at_model_every{10};

constexpr char no_model[] = "the default model is not installed, or cannot be read";

NotReady about(const Error& trouble) {
  const bool lacks_sandbox = trouble.code == errc::sandbox_missing;
  return {protocol::error_text(trouble),
          lacks_sandbox ? "a part of the sandbox is missing, which server.require_sandbox asks for"
                        : "a model cannot be loaded now"};
}

}  // namespace

Readiness::Readiness(Parts parts, std::string state_folder, std::string default_model)
    : parts_(parts),
      state_folder_(std::move(state_folder)),
      default_model_(std::move(default_model)) {}

std::optional<NotReady> Readiness::problem() {
  if (parts_.jobs.is_draining()) {
    return NotReady{"scribed is about to end.", "scribed is about to end"};
  }
  if (!parts_.jobs.store_answers()) {
    return NotReady{"The store of jobs does not answer.", "the store of jobs does not answer"};
  }
  if (parts_.spool.room().disk_is_full()) {
    return NotReady{"The disk of " + state_folder_ + " is full.",
                    "there is no room for recordings on the disk"};
  }
  if (default_model_.empty()) return std::nullopt;
  if (!parts_.fetch.model().empty()) {
    return NotReady{"The model " + parts_.fetch.model() + " is being downloaded.", no_model};
  }
  if (const auto trouble = parts_.models.trouble()) return about(*trouble);
  const std::string& problem = default_problem();
  if (problem.empty()) return std::nullopt;
  return NotReady{problem, no_model};
}

// Returns why the default model cannot be used, as it was found a short while ago.
const std::string& Readiness::default_problem() {
  const auto now = steady_clock::now();
  if (now - looked_ < look_at_model_every) return default_problem_;
  looked_ = now;
  const auto model = parts_.store.resolve(default_model_);
  default_problem_ = model ? "" : protocol::error_text(to_error(model.error()));
  return default_problem_;
}

}  // namespace server
