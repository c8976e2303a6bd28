#include "engine/speakers/networks/share_work.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace engine {

void share_work(std::size_t items, int threads,
                const std::function<void(std::size_t begin, std::size_t end)>& work) {
  const auto parts = std::min(items, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<std::exception_ptr> failures(parts);
  const auto do_part = [&](std::size_t part) {
    try {
      work(items * part / parts, items * (part + 1) / parts);
    } catch (...) {
      failures[part] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    others.reserve(parts);
    std::size_t begun = 1;
    try {
      for (; begun < parts; ++begun) others.emplace_back(do_part, begun);
    } catch (const std::system_error&) {
      // A limit of threads is reached.
    }
    if (parts > 0) do_part(0);
    for (; begun < parts; ++begun) do_part(begun);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace engine
