#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "server/base/error.h"
#include "server/transcription/keep_alive.h"

namespace server {

namespace asio = boost::asio;

// Loads models again that should be loaded and are not, because their worker died or a device
// failed: at once, and then after growing pauses, for as long as the model would have stayed loaded
// without use. So a device that recovers is used again without a request.
class ModelRevival : public std::enable_shared_from_this<ModelRevival> {
 public:
  using Load = std::function<asio::awaitable<Result<void>>(std::string model, KeepAlive)>;

  ModelRevival(asio::any_io_executor executor, Load load)
      : executor_(std::move(executor)), load_(std::move(load)) {}

  void begin(const std::string& model, const Error& why, KeepAlive keep_alive);

  // The model is loaded again, or no longer wanted.
  void forget(const std::string& model);
  void forget_all();

  // Returns why one of the models is not loaded.
  std::optional<Error> trouble() const;

 private:
  struct Attempt {
    Attempt(asio::any_io_executor executor, Error why) : why(std::move(why)), pause(executor) {}
    Error why;
    asio::steady_timer pause;
    bool is_over = false;
  };

  static asio::awaitable<void> run(std::shared_ptr<ModelRevival> self,
                                   std::shared_ptr<Attempt> attempt, std::string model,
                                   KeepAlive keep_alive);

  asio::any_io_executor executor_;
  Load load_;
  std::map<std::string, std::shared_ptr<Attempt>> attempts_{};  // by model
};

}  // namespace server
