#include "server/transcription/model_host.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {

// Of whoever has the token; gives it back, and lets the model go when it stays unused.
class ModelHost::Turn {
 public:
  explicit Turn(ModelHost& host) : host_(host) {
    host_.busy_ = true;
    host_.idle_.cancel();
  }
  Turn(const Turn&) = delete;
  ~Turn() {
    host_.busy_ = false;
    host_.idle_.expires_after(host_.settings_.keep_loaded);
    host_.idle_.async_wait([&host = host_](boost::system::error_code error) {
      if (!error && !host.busy_) host.unload();
    });
    host_.token_.try_send(boost::system::error_code());
  }

 private:
  ModelHost& host_;
};

ModelHost::ModelHost(asio::any_io_executor executor, Settings settings)
    : executor_(executor), settings_(std::move(settings)), token_(executor, 1), idle_(executor) {
  token_.try_send(boost::system::error_code());
}

ModelHost::~ModelHost() {
  background_.join();
}

void ModelHost::unload() {
  if (worker_) worker_->discard();
}

// A model that could not be loaded is tried again: what was wrong may have been put right.
asio::awaitable<Result<void>> ModelHost::prepare(const std::string& model,
                                                 const protocol::TranscribeOptions& options) {
  const bool is_there = worker_ && model_ == model && !worker_->load_error();
  if (is_there) co_return Result<void>{};
  const auto find = [this, &model, &options]() -> asio::awaitable<Result<WorkerSetup>> {
    co_return settings_.find_setup(model, options);
  };
  auto setup = co_await asio::co_spawn(background_, find, asio::use_awaitable);
  if (!setup) co_return setup.error();
  unload();
  worker_.emplace(executor_, *std::move(setup));
  model_ = model;
  co_return Result<void>{};
}

asio::awaitable<Result<void>> ModelHost::transcribe(const std::string& model,
                                                    TranscriptionRequest request,
                                                    protocol::Transcript& transcript,
                                                    TranscriptionEvents& events,
                                                    std::function<void()> waiting) {
  if (busy_) waiting();
  ++waiting_;
  try {
    co_await token_.async_receive(asio::use_awaitable);
  } catch (...) {
    --waiting_;
    throw;
  }
  --waiting_;
  const Turn turn(*this);
  const auto prepared = co_await prepare(model, request.options);
  if (!prepared) co_return prepared.error();
  transcript.model = model;
  auto result = co_await server::transcribe(settings_.decoder, *worker_, std::move(request),
                                            transcript, events);
  co_return result;
}

}  // namespace server
