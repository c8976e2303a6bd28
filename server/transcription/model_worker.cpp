#include "server/transcription/model_worker.h"

#include <algorithm>
#include <utility>

#include "platform/probe/probe_cache.h"
#include "platform/verdict/finding_codes.h"

namespace server {
namespace {

// On a CPU the worker itself knows best what its instruction set is good at, and says why; unless
// memory asks for less.
bool may_choose_itself(const platform::Verdict& verdict) {
  return verdict.backend == platform::Backend::cpu &&
         std::ranges::none_of(verdict.findings, [](const platform::Finding& finding) {
           return finding.code == platform::code::memory_reduced_precision;
         });
}

}  // namespace

ModelWorker::ModelWorker(asio::any_io_executor executor, WorkerSetup setup)
    : executor_(std::move(executor)), setup_(std::move(setup)), reason_(setup_.plan.reason) {
  if (setup_.plan.passed_over) passed_over_.push_back(*setup_.plan.passed_over);
}

Result<void> ModelWorker::start() {
  if (worker_ && !worker_->usable()) discard();
  while (!worker_ && !load_error_) {
    auto worker = Worker::spawn(executor_, device().pack.worker, setup_.limits);
    if (worker) {
      worker_ = *std::move(worker);
    } else {
      move_on(worker.error());
    }
  }
  if (load_error_) return *load_error_;
  return {};
}

asio::awaitable<Result<Worker*>> ModelWorker::ready() {
  while (true) {
    if (const auto started = start(); !started) co_return started.error();
    if (is_loaded_) co_return worker_.get();
    const auto loaded = co_await load();
    if (loaded) co_return worker_.get();
    const bool try_next = move_on(loaded.error());
    if (!try_next) co_return *load_error_;
  }
}

asio::awaitable<Result<void>> ModelWorker::load() {
  const protocol::worker::Load message = load_message();
  auto loaded = co_await worker_->load(message, model_bytes(message.model_path));
  if (!loaded) co_return loaded.error();
  if (message.smoke_test) {
    platform::remember_smoke(setup_.cache_file, setup_.plan.candidates[candidate_].smoke_key);
  }
  loaded_ = *std::move(loaded);
  is_loaded_ = true;
  co_return Result<void>{};
}

protocol::worker::Load ModelWorker::load_message() const {
  const auto& candidate = setup_.plan.candidates[candidate_];
  auto message = setup_.load;
  message.device = candidate.verdict.device();
  const bool is_open = message.compute_type == "auto" && may_choose_itself(candidate.verdict);
  if (!is_open && !candidate.verdict.compute_type.empty()) {
    message.compute_type = candidate.verdict.compute_type;
  }
  message.smoke_test = !candidate.smoke_key.empty() &&
                       !platform::smoke_passed(setup_.cache_file, candidate.smoke_key);
  return message;
}

bool ModelWorker::move_on(const Error& error) {
  const platform::Verdict failed = device();
  const auto& matrix = setup_.plan.matrix;
  const std::string words = last_words();
  discard();
  if (failed.backend == platform::Backend::cpu || !is_about_the_device(error)) {
    load_error_ = explained_error(error, words, failed, matrix);
    return false;
  }
  auto finding = explain_failure(error, words, failed, matrix);
  if (candidate_ + 1 == setup_.plan.candidates.size()) {
    load_error_ = blocked_error(finding);
    return false;
  }
  reason_ = "the next device, because " + finding.headline;
  passed_over_.push_back({failed.device_name, {setup_.plan.wanted, std::move(finding)}});
  ++candidate_;
  return true;
}

Error ModelWorker::explain(Error error) {
  return explained_error(std::move(error), last_words(), device(), setup_.plan.matrix);
}

std::string ModelWorker::last_words() {
  return worker_ ? worker_->last_words() : "";
}

void ModelWorker::discard() {
  worker_.reset();
  is_loaded_ = false;
}

std::int64_t model_bytes(const std::filesystem::path& model) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(model, error)) {
    const auto size = fs::file_size(model, error);
    return error ? 0 : static_cast<std::int64_t>(size);
  }
  std::int64_t sum = 0;
  for (const auto& entry : fs::directory_iterator(model, error)) {
    const auto size = entry.file_size(error);
    if (!error) sum += static_cast<std::int64_t>(size);
  }
  return sum;
}

}  // namespace server
