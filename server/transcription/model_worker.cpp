#include "server/transcription/model_worker.h"

#include <utility>

namespace server {

Result<void> ModelWorker::start() {
  if (load_error_) return *load_error_;
  if (worker_ && !worker_->usable()) discard();
  if (worker_) return {};
  auto worker = Worker::spawn(executor_, setup_.program, setup_.limits);
  if (!worker) {
    load_error_ = worker.error();
    return worker.error();
  }
  worker_ = *std::move(worker);
  return {};
}

asio::awaitable<Result<Worker*>> ModelWorker::ready() {
  if (const auto started = start(); !started) co_return started.error();
  if (!is_loaded_) {
    auto loaded = co_await worker_->load(setup_.load, model_bytes(setup_.load.model_path));
    if (!loaded) {
      load_error_ = loaded.error();
      discard();
      co_return *load_error_;
    }
    loaded_ = *std::move(loaded);
    is_loaded_ = true;
  }
  co_return worker_.get();
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
