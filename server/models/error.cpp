#include "server/models/error.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace server {

const char* name(StoreErrc code) {
  switch (code) {
    case StoreErrc::unknown_model:
      return "unknown_model";
    case StoreErrc::not_installed:
      return "not_installed";
    case StoreErrc::already_installed:
      return "already_installed";
    case StoreErrc::damaged:
      return "damaged_model";
    case StoreErrc::invalid_model:
      return "invalid_model";
    case StoreErrc::missing_vocabulary:
      return "missing_vocabulary";
    case StoreErrc::unreachable:
      return "unreachable";
    case StoreErrc::refused:
      return "refused";
    case StoreErrc::not_on_server:
      return "not_on_server";
    case StoreErrc::wrong_content:
      return "wrong_content";
    case StoreErrc::busy:
      return "store_busy";
    case StoreErrc::out_of_disk:
      return "out_of_disk";
    case StoreErrc::no_permission:
      return "no_permission";
    case StoreErrc::missing_tool:
      return "missing_tool";
    case StoreErrc::cancelled:
      return "cancelled";
    case StoreErrc::io:
      return "io_error";
  }
  return "io_error";
}

Error to_error(const StoreError& error) {
  return {name(error.code), error.message, error.fix};
}

StoreError system_error(const std::string& what, int error_number) {
  const std::string message = what + ": " + std::strerror(error_number);
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return {StoreErrc::out_of_disk, message,
              "Free some space, or set SCRIBED_DATA_DIR to a folder on a larger disk."};
    case EACCES:
    case EPERM:
    case EROFS:
      return {
          StoreErrc::no_permission, message,
          "Run as a user who may write there, or set SCRIBED_DATA_DIR to a folder of your own."};
    default:
      return {StoreErrc::io, message, ""};
  }
}

void throw_exception_from_error(const StoreError& error, const boost::source_location&) {
  throw std::runtime_error("[store] " + error.message);
}

}  // namespace server
