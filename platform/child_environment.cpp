#include "platform/child_environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

extern char** environ;

namespace platform {
namespace {

// Names of variables; a * at the end stands for any ending.
using Names = std::span<const std::string_view>;

// Variables that the dynamic linker, the C library and the sanitizers of test builds read.
constexpr std::array<std::string_view, 6> of_every_program{
    "LD_LIBRARY_PATH", "TZ", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"};

constexpr std::array<std::string_view, 29> of_workers{
    "PATH", "HOME", "LANG", "LC_*", "TMPDIR", "XDG_CACHE_HOME", "CACHE_DIRECTORY",
    // Settings of scribed and of its tests. Its own secrets have names that mark them as secrets.
    "SCRIBED_*",
    // Settings of threads and of memory allocation.
    "OMP_*", "GOMP_*", "KMP_*", "MKL_*", "DNNL_*", "ONEDNN_*", "MALLOC_*", "GLIBC_TUNABLES",
    // The visible GPUs, and settings of their libraries.
    "CUDA_*", "NVIDIA_*", "CUBLAS*", "CUDNN_*", "TORCH_*", "PYTORCH_*", "GPU_*", "HIP_*", "ROC*",
    "HSA_*", "AMD_*", "MIOPEN_*", "HIPBLASLT_*"};

constexpr std::array<std::string_view, 19> of_package_clients{
    "PATH", "HOME", "LANG", "LC_*", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS",
    // Proxies, and the certificates that are trusted.
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NETRC",
    // The package client's settings, with the passwords of a private index.
    "PIP_*", "PYTHONHOME", "PYTHONUSERBASE"};

constexpr std::array<std::string_view, 7> words_of_secrets{
    "KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"};

bool fits(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  pattern.remove_suffix(1);
  return name.starts_with(pattern);
}

bool is_one_of(std::string_view name, Names names) {
  return std::ranges::any_of(names,
                             [name](std::string_view pattern) { return fits(name, pattern); });
}

std::string upper(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

bool names_a_secret(std::string_view name) {
  const std::string text = upper(name);
  return std::ranges::any_of(words_of_secrets, [&](std::string_view word) {
    return text.find(word) != std::string::npos;
  });
}

}  // namespace

bool is_for_child(ChildKind kind, std::string_view name) {
  // Names of proxies occur in upper and lower case. A client's settings may name a keyring, so the
  // words of secrets do not count there.
  if (kind == ChildKind::packages && is_one_of(upper(name), of_package_clients)) return true;
  if (names_a_secret(name)) return false;
  if (kind == ChildKind::worker && is_one_of(name, of_workers)) return true;
  return is_one_of(name, of_every_program);
}

std::vector<std::string> child_environment(ChildKind kind) {
  std::vector<std::string> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (is_for_child(kind, text.substr(0, text.find('=')))) kept.emplace_back(text);
  }
  return kept;
}

std::vector<std::string> worker_environment(const std::string& library_path) {
  constexpr std::string_view name = "LD_LIBRARY_PATH=";
  std::vector<std::string> kept = child_environment(ChildKind::worker);
  if (library_path.empty()) return kept;
  std::string entry = std::string(name) + library_path;
  const auto own =
      std::ranges::find_if(kept, [&](const std::string& text) { return text.starts_with(name); });
  if (own == kept.end()) {
    kept.push_back(std::move(entry));
  } else {
    if (own->size() > name.size()) entry += ":" + own->substr(name.size());
    *own = std::move(entry);
  }
  return kept;
}

}  // namespace platform
