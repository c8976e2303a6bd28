#include "server/inputs/file_closer.h"

#include <boost/asio/post.hpp>
#include <memory>
#include <utility>

namespace server {

void FileCloser::close(platform::UniqueFd fd) {
  if (!fd) return;
  const auto held = std::make_shared<platform::UniqueFd>(std::move(fd));
  boost::asio::post(thread_, [held] { held->reset(); });
}

}  // namespace server
