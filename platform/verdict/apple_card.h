#pragma once

#include "platform/verdict/card.h"
#include "platform/verdict/judgement.h"

namespace platform {

// Judges one pack on one GPU of a Mac; a pack without a worker stands for "there is none".
Verdict judge_apple_card(const Facts& facts, const Matrix& matrix,
                         const DeviceRequirements& request, const Pack& pack, const Card& card);

}  // namespace platform
