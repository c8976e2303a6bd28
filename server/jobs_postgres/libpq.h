#pragma once

#include <libpq-fe.h>

namespace server::postgres {

// The functions of libpq that are used here. The library is loaded when a database is named, and
// with it what that is linked with (Kerberos, LDAP, GnuTLS): every other start of scribed is spared
// those, and a machine without a database needs none of them.
struct Libpq {
  decltype(&PQbackendPID) backend_pid;
  decltype(&PQclear) clear;
  decltype(&PQcmdTuples) cmd_tuples;
  decltype(&PQconnectdbParams) connect;
  decltype(&PQconninfoFree) free_options;
  decltype(&PQconninfoParse) parse_options;
  decltype(&PQconsumeInput) consume_input;
  decltype(&PQerrorMessage) error_message;
  decltype(&PQfinish) finish;
  decltype(&PQflush) flush;
  decltype(&PQfnumber) fnumber;
  decltype(&PQfreemem) freemem;
  decltype(&PQgetisnull) getisnull;
  decltype(&PQgetResult) get_result;
  decltype(&PQgetvalue) getvalue;
  decltype(&PQisBusy) is_busy;
  decltype(&PQnotifies) notifies;
  decltype(&PQntuples) ntuples;
  decltype(&PQresultErrorField) result_error_field;
  decltype(&PQresultErrorMessage) result_error_message;
  decltype(&PQresultStatus) result_status;
  decltype(&PQserverVersion) server_version;
  decltype(&PQsendQuery) send_query;
  decltype(&PQsendQueryParams) send_query_params;
  decltype(&PQsetErrorVerbosity) set_error_verbosity;
  decltype(&PQsetnonblocking) set_nonblocking;
  decltype(&PQsetNoticeReceiver) set_notice_receiver;
  decltype(&PQsocket) socket;
  decltype(&PQstatus) status;
};

// Loads the library at the first call; it stays. Throws Failure where the machine has none.
const Libpq& libpq();

}  // namespace server::postgres
