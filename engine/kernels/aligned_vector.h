#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <vector>

namespace engine::kernels {

// The memory begins at a cache line, as the kernels' loads of whole vectors ask for.
template <class T>
using AlignedVector = std::vector<T, boost::alignment::aligned_allocator<T, 64>>;

}  // namespace engine::kernels
