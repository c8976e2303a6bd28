#include "platform/version.h"

#include <algorithm>
#include <charconv>

namespace platform {
namespace {

std::optional<int> parse_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Version> Version::parse(std::string_view text) {
  Version version;
  version.text_ = text;
  while (true) {
    const auto dot = text.find('.');
    const auto number = parse_number(text.substr(0, dot));
    if (!number) return std::nullopt;
    version.parts_.push_back(*number);
    if (dot == std::string_view::npos) return version;
    text.remove_prefix(dot + 1);
  }
}

std::strong_ordering operator<=>(const Version& a, const Version& b) {
  const auto length = std::max(a.parts_.size(), b.parts_.size());
  for (std::size_t i = 0; i < length; ++i) {
    if (const auto order = a.part(i) <=> b.part(i); order != 0) return order;
  }
  return std::strong_ordering::equal;
}

std::optional<ComputeCapability> ComputeCapability::parse(std::string_view text) {
  if (text.starts_with("sm_") || text.starts_with("compute_")) {
    text.remove_prefix(text.find('_') + 1);
    const auto number = parse_number(text);
    if (!number || *number < 10) return std::nullopt;
    return ComputeCapability{*number / 10, *number % 10};
  }
  const auto version = Version::parse(text);
  if (!version || text.find('.') == std::string_view::npos) return std::nullopt;
  return ComputeCapability{version->major(), version->minor()};
}

std::string ComputeCapability::text() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

Version decode_cudnn_version(long number) {
  const long unit = number >= 90000 ? 10000 : 1000;
  const std::string text = std::to_string(number / unit) + "." +
                           std::to_string(number % unit / 100) + "." + std::to_string(number % 100);
  return Version::parse(text).value_or(Version{});
}

Version decode_cuda_version(int number) {
  const std::string text = std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  return Version::parse(text).value_or(Version{});
}

std::string decode_gfx(std::uint32_t target_version) {
  if (target_version == 0) return "";
  constexpr char digits[] = "0123456789abcdef";
  const std::uint32_t minor = target_version / 100 % 100, step = target_version % 100;
  if (minor > 15 || step > 15) return "";
  return "gfx" + std::to_string(target_version / 10000) + digits[minor] + digits[step];
}

}  // namespace platform
