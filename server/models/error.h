#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <string>

#include "server/base/error.h"

// Expected failures of the model store, as values. Whoever shows them to somebody decides on exit
// codes and HTTP statuses.
namespace server {

enum class StoreErrc {
  unknown_model = 1,   // no registered or installed name, and no path
  not_installed,       // a registered name whose files are not here
  already_installed,   // import or pull would replace it
  damaged,             // an installed file has not the size or checksum it was installed with
  invalid_model,       // the bytes are not a model that the engine can read
  missing_vocabulary,  // weights without vocabulary, and no installed model of the family has one
  unreachable,         // network, name resolution, proxy, time limit, or the server is in trouble
  refused,             // the server wants other credentials
  not_on_server,       // the server does not have the file
  wrong_content,       // what arrived is not what was announced
  busy,                // another process works on the same model
  out_of_disk,
  no_permission,
  missing_tool,  // a program that is needed is not on this machine
  cancelled,
  io,  // any other failure of the file system
};

// Returns the stable name of a code, as it appears in JSON: "not_installed".
const char* name(StoreErrc code);

// `message` says what happened with both sides (found, expected); `fix` what to do about it.
struct StoreError {
  StoreErrc code = StoreErrc::io;
  std::string message;
  std::string fix;
};

// Returns the error as other parts of server/ report it.
Error to_error(const StoreError& error);

template <class T>
using StoreResult = boost::system::result<T, StoreError>;

// Makes the error for a failed system call: errno decides the code and the advice.
StoreError system_error(const std::string& what, int error_number);

// boost::system::result calls this, found by argument lookup, when value() is called on a failure.
[[noreturn]] void throw_exception_from_error(const StoreError& error,
                                             const boost::source_location& where);

}  // namespace server
