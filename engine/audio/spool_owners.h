#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace engine {

// The disk that the spool files of a process take, by their owners. Calls are from any thread.
class SpoolOwners {
 public:
  // The bytes that one file takes, which count until this object is destroyed.
  class Share {
   public:
    Share(std::shared_ptr<SpoolOwners> owners, std::string owner)
        : owners_(std::move(owners)), owner_(std::move(owner)) {}
    Share(const Share&) = delete;
    ~Share() { set(0); }

    // Sets the bytes of the file, and returns those of all files of its owner.
    std::int64_t set(std::int64_t bytes);

   private:
    std::shared_ptr<SpoolOwners> owners_;
    std::string owner_;
    std::int64_t bytes_ = 0;
  };

 private:
  std::mutex mutex_{};
  std::map<std::string, std::int64_t> bytes_{};  // only owners who have some
};

// Whose a spool file is. `owners` is null where nobody counts, or where there is one owner.
struct SpoolOwner {
  std::shared_ptr<SpoolOwners> owners{};
  std::string name{};
};

}  // namespace engine
