#include "server/jobs_postgres/libpq.h"

#include <dlfcn.h>

#include "server/jobs_postgres/connection.h"

namespace server::postgres {
namespace {

#ifdef __APPLE__
constexpr char library_name[] = "libpq.5.dylib";
#else
constexpr char library_name[] = "libpq.so.5";
#endif

[[noreturn]] void refuse() {
  const char* why = ::dlerror();
  throw Failure(Failure::Kind::refused, no_library, why == nullptr ? library_name : why);
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) refuse();
}

Libpq load() {
  void* library = ::dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse();
  Libpq pq{};
  find(library, "PQbackendPID", pq.backend_pid);
  find(library, "PQclear", pq.clear);
  find(library, "PQcmdTuples", pq.cmd_tuples);
  find(library, "PQconnectdbParams", pq.connect);
  find(library, "PQconninfoFree", pq.free_options);
  find(library, "PQconninfoParse", pq.parse_options);
  find(library, "PQconsumeInput", pq.consume_input);
  find(library, "PQerrorMessage", pq.error_message);
  find(library, "PQfinish", pq.finish);
  find(library, "PQflush", pq.flush);
  find(library, "PQfnumber", pq.fnumber);
  find(library, "PQfreemem", pq.freemem);
  find(library, "PQgetisnull", pq.getisnull);
  find(library, "PQgetResult", pq.get_result);
  find(library, "PQgetvalue", pq.getvalue);
  find(library, "PQisBusy", pq.is_busy);
  find(library, "PQnotifies", pq.notifies);
  find(library, "PQntuples", pq.ntuples);
  find(library, "PQresultErrorField", pq.result_error_field);
  find(library, "PQresultErrorMessage", pq.result_error_message);
  find(library, "PQresultStatus", pq.result_status);
  find(library, "PQserverVersion", pq.server_version);
  find(library, "PQsendQuery", pq.send_query);
  find(library, "PQsendQueryParams", pq.send_query_params);
  find(library, "PQsetErrorVerbosity", pq.set_error_verbosity);
  find(library, "PQsetnonblocking", pq.set_nonblocking);
  find(library, "PQsetNoticeReceiver", pq.set_notice_receiver);
  find(library, "PQsocket", pq.socket);
  find(library, "PQstatus", pq.status);
  return pq;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq loaded = load();
  return loaded;
}

}  // namespace server::postgres
