#include "platform/facts/os_facts.h"

#include <sys/utsname.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "platform/facts/text.h"

namespace platform {
namespace {

std::string os_name(const FileReader& files) {
  for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    if (auto name = parse_os_release(files.text(path).value_or("")); !name.empty()) return name;
  }
  return {};
}

utsname kernel_names() {
  utsname names{};
  ::uname(&names);
  return names;
}

std::string architecture(const FileReader& files) {
  std::string name = files.word("/proc/sys/kernel/arch");  // since Linux 6.1
  if (name.empty() && files.this_machine()) name = kernel_names().machine;
  return name == "aarch64" ? "arm64" : name;
}

// Returns the version of the C library that programs get: the one of this process, or the one in a
// copied tree.
std::string glibc_version(const FileReader& files) {
#ifdef __GLIBC__
  if (files.this_machine()) return ::gnu_get_libc_version();
#endif
  for (const char* folder : {"/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/lib"}) {
    const auto library = files.text(std::string(folder) + "/libc.so.6", std::size_t{8} << 20);
    if (library) return parse_glibc_banner(*library);
  }
  return {};
}

// Returns the refused ones of the system calls that scribed needs to start programs. Old seccomp
// profiles of containers and old kernels do not know them.
std::vector<std::string> read_refused_calls() {
  std::vector<std::string> refused;
#ifdef __linux__
  const long fd = ::syscall(SYS_pidfd_open, ::getpid(), 0);
  if (fd >= 0) {
    ::close(static_cast<int>(fd));
  } else if (errno == EPERM || errno == ENOSYS) {
    refused.push_back(std::string("pidfd_open: ") + std::strerror(errno));
  }
#endif
  return refused;
}

bool names_wsl(std::string kernel) {
  std::transform(kernel.begin(), kernel.end(), kernel.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return kernel.find("microsoft") != std::string::npos || kernel.find("wsl") != std::string::npos;
}

}  // namespace

std::string parse_os_release(std::string_view text) {
  constexpr std::string_view key = "PRETTY_NAME=";
  for (auto line : split(text, '\n')) {
    line = trim(line);
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    const bool quoted = line.size() >= 2 && (line[0] == '"' || line[0] == '\'');
    return std::string(quoted ? line.substr(1, line.size() - 2) : line);
  }
  return {};
}

std::string parse_glibc_banner(std::string_view library) {
  constexpr std::string_view key = "stable release version ";
  const auto start = library.find(key);
  if (start == std::string_view::npos) return {};
  library = library.substr(start + key.size(), 32);
  auto version = library.substr(0, library.find_first_not_of("0123456789."));
  while (version.ends_with('.')) version.remove_suffix(1);
  return std::string(version);
}

std::string read_container(const FileReader& files,
                           const std::map<std::string, std::string>& environment) {
  if (environment.contains("KUBERNETES_SERVICE_HOST")) return "kubernetes";
  if (files.exists("/run/.containerenv")) return "podman";
  if (files.exists("/.dockerenv")) return "docker";
  const auto named = environment.find("container");  // set by podman, lxc, systemd-nspawn, …
  if (named != environment.end() && !named->second.empty()) {
    const auto& name = named->second;
    return name == "docker" || name == "podman" || name == "lxc" ? name : "container";
  }
  // A part of the group's path, and what it means.
  using Hint = std::pair<const char*, const char*>;
  constexpr std::array hints{Hint{"/kubepods", "kubernetes"}, Hint{"/docker", "docker"},
                             Hint{"libpod-", "podman"}, Hint{"/lxc", "lxc"}};
  const auto groups = files.text("/proc/self/cgroup").value_or("");
  for (const auto& [part, meaning] : hints) {
    if (groups.find(part) != std::string::npos) return meaning;
  }
  return files.exists("/run/host/container-manager") ? "container" : "";
}

OsFacts read_os(const FileReader& files, const std::map<std::string, std::string>& environment) {
  OsFacts os;
  os.name = os_name(files);
  os.kernel = files.word("/proc/sys/kernel/osrelease");
  if (os.kernel.empty() && files.this_machine()) os.kernel = kernel_names().release;
  os.architecture = architecture(files);
  os.glibc = glibc_version(files);
  os.container = read_container(files, environment);
  os.wsl = files.exists("/dev/dxg") || names_wsl(os.kernel);
  if (files.this_machine()) os.refused_calls = read_refused_calls();
#ifdef __APPLE__
  os.macos = files.this_machine();
  if (os.macos) os.name = "macOS";  // Metal's facts know the release
#endif
  return os;
}

}  // namespace platform
