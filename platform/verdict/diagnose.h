#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platform/matrix/matrix.h"
#include "platform/verdict/finding.h"

namespace platform {

// The finding that the text of a failure belongs to: what a worker or a library said before it
// died. Nothing where no signature of the matrix matches. `card` and `pack` fill the headline.
std::optional<Finding> diagnose(std::string_view failure, const Matrix& matrix,
                                std::string_view card, std::string_view pack);

}  // namespace platform
