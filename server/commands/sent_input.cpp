#include "server/commands/sent_input.h"

#include <sys/stat.h>

#include <filesystem>

namespace server {

SentFile sent_file(const Input& input, const std::string& name) {
  SentFile file{.fd = input.fd.get(), .name = name};
  struct ::stat status {};
  if (::fstat(file.fd, &status) == 0 && S_ISREG(status.st_mode)) {
    file.bytes = static_cast<std::uint64_t>(status.st_size);
  }
  return file;
}

Result<ApiAnswer> send_job(const ApiClient& client, const std::string& input,
                           const std::vector<std::pair<std::string, std::string>>& fields,
                           std::function<bool()> is_stopped) {
  const auto opened = open_input(input);
  if (!opened) return opened.error();
  const std::string name =
      input == "-" ? "stdin" : std::filesystem::path(input).filename().string();
  return client.call({.method = "POST",
                      .path = "/v1/jobs",
                      .fields = fields,
                      .file = sent_file(*opened, name),
                      .is_stopped = std::move(is_stopped)});
}

}  // namespace server
