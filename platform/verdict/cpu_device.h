#pragma once

#include "platform/verdict/judgement.h"

namespace platform {

Verdict judge_cpu(const Facts& facts, const Matrix& matrix, const DeviceRequirements& request,
                  const Pack& pack);

}  // namespace platform
