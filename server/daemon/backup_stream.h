#pragma once

#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <utility>

#include "server/http/exchange.h"
#include "server/jobs/store_copy.h"
#include "server/submission/services.h"

namespace server {

// Answers with backups of the state folder, as tar: the jobs as they are now, the recordings that
// they need, and the uploads. Work goes on meanwhile, but for the copy of the jobs, for which the
// store's thread is needed, and which lies on the disk until it is sent: so there is one backup at
// a time, and another one is refused (backup_running). An answer that breaks off has no end.
class BackupStream {
 public:
  // `services` must outlive this object.
  BackupStream(Services& services, std::filesystem::path state_folder)
      : services_(services), state_folder_(std::move(state_folder)) {}

  asio::awaitable<void> send(Exchange& exchange);

  const std::filesystem::path& folder() const { return state_folder_; }

 private:
  asio::awaitable<void> send_copy(Exchange& exchange, StoreCopy copy);

  Services& services_;
  const std::filesystem::path state_folder_;
  bool is_running_ = false;
};

}  // namespace server
