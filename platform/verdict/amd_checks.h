#pragma once

#include <string>

#include "platform/verdict/card.h"
#include "platform/verdict/judgement.h"

namespace platform {

// Adds why HIP does not list a card: the first cause that the facts show, and always one. It adds
// nothing if HIP lists the card.
void check_amd_driver(Judgement& judgement, const Card& card);

// Returns the card's own architecture, "gfx1031", regardless of HSA_OVERRIDE_GFX_VERSION; empty
// if it is not known.
std::string gfx_of(const Card& card);

// Judges one pack on one card; a pack without a worker stands for "there is none".
Verdict judge_amd_card(const Facts& facts, const Matrix& matrix, const DeviceRequirements& request,
                       const Pack& pack, const Card& card);

}  // namespace platform
