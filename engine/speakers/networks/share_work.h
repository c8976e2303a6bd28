#pragma once

#include <cstddef>
#include <functional>

namespace engine {

// Shares items among threads that live as long as the call, and have the caller's priority: calls
// work(begin, end) once for each of `threads` neighbouring parts, the first on the caller, and
// returns when all are done. With fewer items than threads each part has one; where the system
// gives fewer threads, the caller does more. Throws what the first part that failed has thrown.
void share_work(std::size_t items, int threads,
                const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace engine
