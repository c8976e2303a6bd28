#include "server/transcription/model_host.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {

// Of whoever may use the model now.
class ModelHost::Turn {
 public:
  explicit Turn(ModelHost& host) : host_(host) { host_.idle_.cancel(); }
  Turn(const Turn&) = delete;
  ~Turn() { host_.end_turn(); }

 private:
  ModelHost& host_;
};

struct ModelHost::Waiter {
  explicit Waiter(ModelHost& host) : host(host), timer(host.executor_) {
    timer.expires_at(asio::steady_timer::time_point::max());
    host.queue_.push_back(this);
  }
  Waiter(const Waiter&) = delete;
  ~Waiter() { host.queue_.remove(this); }

  ModelHost& host;
  asio::steady_timer timer;  // never expires: cancelled when it is this one's turn
  bool has_turn = false;
};

ModelHost::ModelHost(asio::any_io_executor executor, Settings settings)
    : executor_(executor), settings_(std::move(settings)), idle_(executor) {}

// Throws operation_aborted when the call is cancelled meanwhile. One that is cancelled after it was
// given the turn returns, so that the turn is passed on by whoever holds it.
asio::awaitable<void> ModelHost::wait_for_turn() {
  if (!std::exchange(busy_, true)) co_return;
  Waiter waiter(*this);
  boost::system::error_code ended;
  co_await waiter.timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
  if (!waiter.has_turn) throw boost::system::system_error(asio::error::operation_aborted);
}

// The next in the queue has it, or nobody: then the model goes when it stays unused.
void ModelHost::end_turn() {
  if (!queue_.empty()) {
    Waiter& next = *queue_.front();
    queue_.pop_front();
    next.has_turn = true;
    next.timer.cancel();
    return;
  }
  busy_ = false;
  idle_.expires_after(settings_.keep_loaded);
  idle_.async_wait([this](boost::system::error_code error) {
    if (!error && !busy_) unload();
  });
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
  // What drivers are asked cannot be cancelled; the next wait of this call is.
  auto to_the_end = asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable);
  auto setup = co_await asio::co_spawn(background_, find, std::move(to_the_end));
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
  co_await wait_for_turn();
  const Turn turn(*this);
  const auto prepared = co_await prepare(model, request.options);
  if (!prepared) co_return prepared.error();
  transcript.model = model;
  auto result = co_await server::transcribe(settings_.decoder, *worker_, std::move(request),
                                            transcript, events);
  co_return result;
}

}  // namespace server
