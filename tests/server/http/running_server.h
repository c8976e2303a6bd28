#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "server/http/listener.h"

namespace server::test {

// A server on a free port of this machine, with a thread of its own, that ends with the object.
class RunningServer {
 public:
  explicit RunningServer(HttpServer::Dispatch dispatch, HttpLimits limits = {},
                         const std::vector<std::string>& trusted_proxies = {},
                         const std::vector<std::string>& addresses = {"127.0.0.1:0"});
  ~RunningServer();

  std::uint16_t port() const { return port_; }
  // Runs on the server's thread and waits for it.
  void on_thread(const std::function<void(HttpServer&)>& work);
  // Waits for the record of request number `index`, from 0 in the order of their ends.
  AccessRecord record(std::size_t index = 0);
  // Returns true if all connections have ended within some seconds.
  bool drained();

 private:
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<AccessRecord> records_;
  std::optional<HttpServer> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace server::test
