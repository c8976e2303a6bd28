#include "server/objects/s3_keys.h"

#include <fstream>
#include <optional>
#include <string_view>

namespace server {
namespace {

constexpr std::size_t longest_line = 4096;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

void take_line(std::string_view line, S3Keys& keys) {
  const auto equals = line.find('=');
  if (equals == line.npos) return;
  const auto name = trimmed(line.substr(0, equals));
  const std::string value(trimmed(line.substr(equals + 1)));
  if (name == "aws_access_key_id") keys.id = value;
  if (name == "aws_secret_access_key") keys.secret = value;
  if (name == "aws_session_token") keys.token = value;
}

std::optional<S3Keys> read_file(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  S3Keys keys;
  bool is_ours = true;  // lines before the first section count, too
  for (std::string line; std::getline(stream, line);) {
    const auto text = trimmed(line);
    if (text.empty() || text.front() == '#' || text.size() > longest_line) continue;
    if (text.front() == '[') {
      is_ours = text == "[default]";
    } else if (is_ours) {
      take_line(text, keys);
    }
  }
  return keys;
}

// A line break would begin another header.
bool is_usable(const S3Keys& keys) {
  const auto has_control = [](std::string_view text) {
    return std::string_view(text).find_first_of("\r\n\t ") != text.npos;
  };
  return !keys.id.empty() && !keys.secret.empty() && keys.id.find(':') == keys.id.npos &&
         !has_control(keys.id) && !has_control(keys.secret) && !has_control(keys.token);
}

}  // namespace

Result<S3Keys> read_keys(const S3KeySource& source) {
  const auto keys = source.file.empty() ? source.keys : read_file(source.file);
  if (!keys) {
    return Error{errc::bad_config, "cannot read " + source.file,
                 "It is the file with the keys of the bucket (cluster.objects_keys)."};
  }
  if (is_usable(*keys)) return *keys;
  return Error{errc::bad_config,
               source.file.empty() ? "there are no keys for the bucket of cluster.objects"
                                   : source.file + " has no keys of a bucket",
               "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or cluster.objects_keys to a file "
               "with aws_access_key_id and aws_secret_access_key."};
}

}  // namespace server
