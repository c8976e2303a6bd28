#include "tests/server/http/running_server.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <future>

namespace server::test {

constexpr std::chrono::seconds patience{10};

RunningServer::RunningServer(HttpServer::Dispatch dispatch, HttpLimits limits,
                             const std::vector<std::string>& trusted_proxies,
                             const std::vector<std::string>& addresses)
    : work_(io_.get_executor()) {
  HttpServer::Settings settings{.addresses = addresses,
                                .limits = limits,
                                .proxies = TrustedProxies::parse(trusted_proxies).value(),
                                .dispatch = std::move(dispatch),
                                .on_done = [this](const AccessRecord& record) {
                                  const std::lock_guard lock(mutex_);
                                  records_.push_back(record);
                                  news_.notify_all();
                                }};
  auto opened = HttpServer::open(io_.get_executor(), std::move(settings));
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
  server_.emplace(*std::move(opened));
  port_ = server_->port();
  thread_ = std::thread([this] { io_.run(); });
}

RunningServer::~RunningServer() {
  // The context then has nothing left to do as soon as the last connection has ended.
  boost::asio::post(io_, [this] {
    server_.reset();
    work_.reset();
  });
  thread_.join();
}

void RunningServer::on_thread(const std::function<void(HttpServer&)>& work) {
  std::promise<void> done;
  boost::asio::post(io_, [&] {
    work(*server_);
    done.set_value();
  });
  done.get_future().wait();
}

AccessRecord RunningServer::record(std::size_t index) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, patience, [&] { return records_.size() > index; });
  EXPECT_GT(records_.size(), index);
  return records_.size() > index ? records_[index] : AccessRecord{};
}

bool RunningServer::drained() {
  auto done = std::make_shared<std::promise<void>>();
  auto waiting = done->get_future();
  boost::asio::post(io_, [this, done] {
    boost::asio::co_spawn(io_, server_->drained(),
                          [done](std::exception_ptr) { done->set_value(); });
  });
  return waiting.wait_for(patience) == std::future_status::ready;
}

}  // namespace server::test
