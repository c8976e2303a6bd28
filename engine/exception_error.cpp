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
    return memory_ran_out();
  } catch (const std::exception& error) {
    return unforeseen(where, error.what());
  }
}

Error memory_ran_out() {
  return {Errc::out_of_memory, "memory ran out",
          "Use a smaller model, a smaller --beam-size or --compute-type bfloat16."};
}

Error unforeseen(const char* where, const std::string& what) {
  return {Errc::internal, std::string("[") + where + "] " + what, ""};
}

}  // namespace engine
