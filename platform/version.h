#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace platform {

// A dotted version of any length: "580", "535.54.03", "2.11.0". Missing parts count as 0, so that
// "580" equals "580.0".
class Version {
 public:
  static std::optional<Version> parse(std::string_view text);

  int major() const { return part(0); }
  int minor() const { return part(1); }
  int part(std::size_t index) const { return index < parts_.size() ? parts_[index] : 0; }
  const std::string& text() const { return text_; }  // as it was given

  friend std::strong_ordering operator<=>(const Version& a, const Version& b);
  friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }

 private:
  std::string text_{};
  std::vector<int> parts_{};
};

// NVIDIA's compute capability: 8.6 is {8, 6}.
struct ComputeCapability {
  int major = 0;
  int minor = 0;

  static std::optional<ComputeCapability> parse(std::string_view text);  // "8.6" or "sm_86"
  std::string text() const;                                              // "8.6"
  friend auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

// Decodes cudnnGetVersion(): 8907 is 8.9.7, 91002 is 9.10.2.
Version decode_cudnn_version(long number);

// Decodes cuDriverGetVersion(): 12040 is 12.4.
Version decode_cuda_version(int number);

// Decodes gfx_target_version of the KFD: 100300 is gfx1030, 90010 gfx90a. Empty for 0, which is a
// CPU.
std::string decode_gfx(std::uint32_t target_version);

}  // namespace platform
