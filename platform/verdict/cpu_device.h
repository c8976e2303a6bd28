#pragma once

#include "platform/verdict/judgement.h"

namespace platform {

Verdict judge_cpu(const Facts& facts, const Matrix& matrix, const Request& request,
                  const Pack& pack);

}  // namespace platform
