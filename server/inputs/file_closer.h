#pragma once

#include <boost/asio/thread_pool.hpp>

#include "platform/unique_fd.h"

namespace server {

// Closes the last descriptors of removed files on a thread of its own. A file system frees the
// blocks of a file then, which takes half a second for a gigabyte. It may be used on any thread.
class FileCloser {
 public:
  void close(platform::UniqueFd fd);

 private:
  boost::asio::thread_pool thread_{1};
};

}  // namespace server
