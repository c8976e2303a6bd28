#include "engine/model/exception_error.h"

#include <c10/util/Exception.h>

#include <new>
#include <string>

namespace engine {
namespace {

Error out_of_memory() {
  return {Errc::out_of_memory, "memory ran out",
          "Use a smaller model, a smaller --beam-size or --compute-type bfloat16."};
}

Error internal(const char* where, const std::string& what) {
  return {Errc::internal, std::string("[") + where + "] " + what, ""};
}

}  // namespace

Error error_of_current_exception(const char* where) {
  try {
    throw;
  } catch (const Exception& exception) {
    return exception.error;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const c10::Error& error) {
    // The allocator's failure has no type of its own; what() would print a backtrace.
    const std::string what = error.what_without_backtrace();
    const bool allocation = what.find("can't allocate memory") != std::string::npos;
    return allocation ? out_of_memory() : internal(where, what);
  } catch (const std::exception& error) {
    return internal(where, error.what());
  }
}

}  // namespace engine
