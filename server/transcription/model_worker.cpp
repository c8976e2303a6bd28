#include "server/transcription/model_worker.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <span>
#include <utility>

#include "platform/probe/probe_cache.h"
#include "platform/verdict/finding_codes.h"

namespace server {
namespace {

// On a CPU the worker chooses the compute type itself, since it knows its instruction set best and
// says why, unless the plan asks for less memory.
bool may_choose_itself(const platform::Verdict& verdict) {
  return verdict.backend == platform::Backend::cpu &&
         std::ranges::none_of(verdict.findings, [](const platform::Finding& finding) {
           return finding.code == platform::code::memory_reduced_precision;
         });
}

// A worker on a NUMA node runs on the node's CPUs alone, and knows of no others.
std::string name_for_worker(const platform::Verdict& verdict) {
  const bool is_cpu = verdict.backend == platform::Backend::cpu;
  return is_cpu ? platform::name(verdict.backend) : verdict.device();
}

Error unloaded_while_loading() {
  return {errc::cancelled, "the model was unloaded while it was loading", ""};
}

}  // namespace

ModelWorker::ModelWorker(asio::any_io_executor executor, WorkerSetup setup)
    : executor_(std::move(executor)), setup_(std::move(setup)), reason_(setup_.plan.reason) {
  if (setup_.plan.passed_over) passed_over_.push_back(*setup_.plan.passed_over);
}

ModelWorker::~ModelWorker() {
  discard();
}

Result<void> ModelWorker::start() {
  if (loading_) return {};  // the running load does it
  if (worker_ && !worker_->usable()) take_worker()->close();
  return spawn();
}

Result<void> ModelWorker::spawn() {
  while (!worker_ && !load_error_) {
    const auto& [verdict, smoke_key, cpus] = setup_.plan.candidates[candidate_];
    const WorkerProgram program{verdict.pack.worker, verdict.pack.library_path, cpus,
                                setup_.spool_min_free, setup_.spool_is_shared};
    auto worker = Worker::spawn(executor_, program, setup_.limits);
    if (!worker) {
      move_on(worker.error());
      continue;
    }
    worker_ = *std::move(worker);
    worker_->on_death([this](const Error& error) {
      if (on_death_) on_death_(error);
    });
  }
  if (load_error_) return *load_error_;
  return {};
}

asio::awaitable<Result<std::shared_ptr<Worker>>> ModelWorker::ready() {
  if (load_error_) co_return *load_error_;
  if (is_loaded()) co_return worker_;
  if (const auto started = start(); !started) co_return started.error();
  const auto loading = loading_ ? loading_ : begin_loading();
  co_await loading->ended.wait();
  co_return *loading->result;
}

std::shared_ptr<ModelWorker::Loading> ModelWorker::begin_loading() {
  const auto loading = std::make_shared<Loading>(executor_);
  loading_ = loading;
  const auto self = shared_from_this();
  asio::co_spawn(executor_, load(self, loading), [self](std::exception_ptr failure) {
    if (failure) self->end_loading(Error{errc::internal, "the model could not be loaded", ""});
  });
  return loading;
}

// Tries the devices until the model is loaded on one, or none is left; or until the worker was
// discarded, which gives `loading` its result.
asio::awaitable<void> ModelWorker::load(std::shared_ptr<ModelWorker> self,
                                        std::shared_ptr<Loading> loading) {
  while (!loading->result) {
    const auto worker = self->worker_;
    const auto message = self->load_message();
    auto loaded = co_await worker->load(message, model_bytes(message.model_path));
    if (loading->result) co_return;
    if (loaded) {
      self->take(*std::move(loaded), message.smoke_test);
      self->end_loading(worker);
    } else {
      self->move_on(loaded.error());
      if (const auto next = self->spawn(); !next) self->end_loading(next.error());
    }
  }
}

void ModelWorker::end_loading(Result<std::shared_ptr<Worker>> result) {
  const auto loading = std::exchange(loading_, nullptr);
  if (!loading) return;
  loading->result = std::move(result);
  loading->ended.set();
}

void ModelWorker::take(protocol::worker::Loaded loaded, bool smoke_run_passed) {
  if (smoke_run_passed) {
    platform::remember_smoke(setup_.cache_file, setup_.plan.candidates[candidate_].smoke_key);
  }
  loaded_ = std::move(loaded);
  if (device().backend == platform::Backend::cpu) loaded_->device = device().device();
  is_loaded_ = true;
  if (setup_.on_load) setup_.on_load(*loaded_);
}

protocol::worker::Load ModelWorker::load_message() const {
  const auto& candidate = setup_.plan.candidates[candidate_];
  auto message = setup_.load;
  message.run_on.device = name_for_worker(candidate.verdict);
  const bool is_open =
      message.run_on.compute_type == "auto" && may_choose_itself(candidate.verdict);
  if (!is_open && !candidate.verdict.compute_type.empty()) {
    message.run_on.compute_type = candidate.verdict.compute_type;
  }
  message.smoke_test = !candidate.smoke_key.empty() &&
                       !platform::smoke_passed(setup_.cache_file, candidate.smoke_key);
  return message;
}

void ModelWorker::move_on(const Error& error) {
  const platform::Verdict failed = device();
  const auto& matrix = setup_.plan.matrix;
  const std::string words = last_words();
  if (const auto worker = take_worker()) worker->close();
  if (failed.backend == platform::Backend::cpu || !is_about_the_device(error)) {
    load_error_ = explained_error(error, words, failed, matrix);
    return;
  }
  auto finding = explain_failure(error, words, failed, matrix);
  if (candidate_ + 1 == setup_.plan.candidates.size()) {
    load_error_ = blocked_error(finding);
    return;
  }
  reason_ = "the next device, because " + finding.headline;
  passed_over_.push_back({failed.device_name, {setup_.plan.wanted, std::move(finding)}});
  ++candidate_;
}

PassedOver ModelWorker::passed_over_after(const Error& error) {
  auto finding = explain_failure(error, last_words(), device(), setup_.plan.matrix);
  return {device().device_name, {setup_.plan.wanted, std::move(finding)}};
}

bool ModelWorker::has_failed_on(const std::string& device) const {
  const auto tried = std::span(setup_.plan.candidates).first(candidate_);
  return std::ranges::any_of(
      tried, [&](const DeviceCandidate& failed) { return failed.verdict.device() == device; });
}

Error ModelWorker::explain(Error error) {
  return explained_error(std::move(error), last_words(), device(), setup_.plan.matrix);
}

std::string ModelWorker::last_words() {
  return worker_ ? worker_->last_words() : "";
}

std::shared_ptr<Worker> ModelWorker::take_worker() {
  is_loaded_ = false;
  return std::exchange(worker_, nullptr);
}

void ModelWorker::discard() {
  end_loading(unloaded_while_loading());
  if (const auto worker = take_worker()) worker->close();
}

asio::awaitable<void> ModelWorker::stop() {
  end_loading(unloaded_while_loading());
  const auto worker = take_worker();
  if (worker) co_await worker->stop();
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
