#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// All doubles share this: the document that $SCRIBED_FAKE_GPU names, and the behaviour of their
// functions by it. See README.md.
namespace fake {

// Returns the part of one library: "cuda", "nvml", "hip", "cudnn". An empty object if there is
// none.
const nlohmann::json& section(const char* library);

// Every function of a double calls this first. It hangs or ends the process if the document says
// so; otherwise it returns the code that the document gives for the function, 0 by default.
int enter(const char* library, const char* function);

// Returns the devices of a library that a variable such as CUDA_VISIBLE_DEVICES leaves, in its
// order: indices, or beginnings of UUIDs.
std::vector<nlohmann::json> visible_devices(const char* library,
                                            const std::vector<const char*>& variables);

// Copies as C interfaces do: cut to `size` with a closing NUL.
void copy_text(const std::string& text, char* out, std::size_t size);

inline constexpr long long mebibyte = 1 << 20;

}  // namespace fake
