#pragma once

#include "server/api/route.h"

// There is one handler for each route. Handlers of related routes share a file.
namespace server::api {

asio::awaitable<void> livez(Api& api, ApiCall& call);
asio::awaitable<void> readyz(Api& api, ApiCall& call);
asio::awaitable<void> health(Api& api, ApiCall& call);
asio::awaitable<void> metrics(Api& api, ApiCall& call);
asio::awaitable<void> openapi(Api& api, ApiCall& call);
asio::awaitable<void> front(Api& api, ApiCall& call);
asio::awaitable<void> page_file(Api& api, ApiCall& call);
asio::awaitable<void> docs(Api& api, ApiCall& call);
asio::awaitable<void> docs_file(Api& api, ApiCall& call);

asio::awaitable<void> transcriptions(Api& api, ApiCall& call);
asio::awaitable<void> translations(Api& api, ApiCall& call);
asio::awaitable<void> realtime(Api& api, ApiCall& call);
asio::awaitable<void> make_client_secret(Api& api, ApiCall& call);
asio::awaitable<void> make_flat_session(Api& api, ApiCall& call);
asio::awaitable<void> realtime_call(Api& api, ApiCall& call);
asio::awaitable<void> listen(Api& api, ApiCall& call);
asio::awaitable<void> listen_file(Api& api, ApiCall& call);
asio::awaitable<void> jigasi(Api& api, ApiCall& call);

asio::awaitable<void> list_models(Api& api, ApiCall& call);
asio::awaitable<void> get_model(Api& api, ApiCall& call);
asio::awaitable<void> model_report(Api& api, ApiCall& call);

asio::awaitable<void> asr(Api& api, ApiCall& call);
asio::awaitable<void> detect_language(Api& api, ApiCall& call);
asio::awaitable<void> inference(Api& api, ApiCall& call);
asio::awaitable<void> load_for_inference(Api& api, ApiCall& call);

asio::awaitable<void> submit_job(Api& api, ApiCall& call);
asio::awaitable<void> list_jobs(Api& api, ApiCall& call);
asio::awaitable<void> get_job(Api& api, ApiCall& call);
asio::awaitable<void> change_job(Api& api, ApiCall& call);
asio::awaitable<void> delete_job(Api& api, ApiCall& call);
asio::awaitable<void> cancel_job(Api& api, ApiCall& call);
asio::awaitable<void> job_again(Api& api, ApiCall& call);
asio::awaitable<void> job_audio(Api& api, ApiCall& call);
asio::awaitable<void> job_peaks(Api& api, ApiCall& call);
asio::awaitable<void> job_events(Api& api, ApiCall& call);
asio::awaitable<void> job_transcript(Api& api, ApiCall& call);
asio::awaitable<void> job_segments(Api& api, ApiCall& call);
asio::awaitable<void> edit_transcript(Api& api, ApiCall& call);
asio::awaitable<void> list_versions(Api& api, ApiCall& call);
asio::awaitable<void> restore_version(Api& api, ApiCall& call);

asio::awaitable<void> upload(Api& api, ApiCall& call);
// These speak tus 1.0. upload() leaves requests of that protocol to begin_upload().
asio::awaitable<void> tus_options(Api& api, ApiCall& call);
asio::awaitable<void> begin_upload(Api& api, ApiCall& call);
asio::awaitable<void> get_upload(Api& api, ApiCall& call);
asio::awaitable<void> continue_upload(Api& api, ApiCall& call);
asio::awaitable<void> list_uploads(Api& api, ApiCall& call);
asio::awaitable<void> delete_upload(Api& api, ApiCall& call);

asio::awaitable<void> status(Api& api, ApiCall& call);
asio::awaitable<void> storage(Api& api, ApiCall& call);
asio::awaitable<void> list_loaded(Api& api, ApiCall& call);
asio::awaitable<void> load_model(Api& api, ApiCall& call);
asio::awaitable<void> unload_model(Api& api, ApiCall& call);

asio::awaitable<void> catalog(Api& api, ApiCall& call);
asio::awaitable<void> pull_model(Api& api, ApiCall& call);
asio::awaitable<void> stop_pull(Api& api, ApiCall& call);
asio::awaitable<void> remove_model(Api& api, ApiCall& call);

asio::awaitable<void> get_session(Api& api, ApiCall& call);
asio::awaitable<void> begin_session(Api& api, ApiCall& call);
asio::awaitable<void> end_session(Api& api, ApiCall& call);
// GET /v1/proof: key_proof.h tells what it is for.
asio::awaitable<void> prove_key(Api& api, ApiCall& call);
asio::awaitable<void> options(Api& api, ApiCall& call);
asio::awaitable<void> events(Api& api, ApiCall& call);
asio::awaitable<void> doctor(Api& api, ApiCall& call);

asio::awaitable<void> share_job(Api& api, ApiCall& call);
asio::awaitable<void> list_shares(Api& api, ApiCall& call);
asio::awaitable<void> end_share(Api& api, ApiCall& call);
asio::awaitable<void> shared_job(Api& api, ApiCall& call);
asio::awaitable<void> shared_segments(Api& api, ApiCall& call);
asio::awaitable<void> shared_transcript(Api& api, ApiCall& call);
asio::awaitable<void> shared_audio(Api& api, ApiCall& call);
asio::awaitable<void> shared_peaks(Api& api, ApiCall& call);

asio::awaitable<void> reload_config(Api& api, ApiCall& call);
asio::awaitable<void> backup(Api& api, ApiCall& call);

asio::awaitable<void> mcp(Api& api, ApiCall& call);
asio::awaitable<void> protected_resource(Api& api, ApiCall& call);

}  // namespace server::api
