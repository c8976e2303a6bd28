#include "engine/exception_error.h"

#include <new>
#include <string>

namespace engine {

Error error_of_current_exception(const char* where) {
  try {
    throw;
  } catch (const Exception& exception) {
    return exception.error;
  } catch (const std::bad_alloc&) {
    return {Errc::out_of_memory, "memory ran out",
            "Use a smaller model, a smaller --beam-size or --compute-type bfloat16."};
  } catch (const std::exception& error) {
    return {Errc::internal, std::string("[") + where + "] " + error.what(), ""};
  }
}

}  // namespace engine
