#include "engine/whisper/text/white_space.h"

#include <unicode/uchar.h>

namespace engine {

bool is_white_space(char32_t c) {
  return u_isUWhiteSpace(static_cast<UChar32>(c)) || (c >= 0x1C && c <= 0x1F);
}

}  // namespace engine
