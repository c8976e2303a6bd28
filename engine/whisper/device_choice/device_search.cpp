#include "engine/whisper/device_choice/device_search.h"

#include <limits>

namespace engine {
namespace {

constexpr float impossible = -std::numeric_limits<float>::infinity();

// The continuations of all beams of each search, [searches, beam_size·(beam_size + 1)] each: so
// many of each beam that beam_size remain even if one of each ends.
struct Candidates {
  at::Tensor tokens;
  at::Tensor logprobs;
  at::Tensor sums;
  at::Tensor exist;
};

Candidates candidates_of(const at::Tensor& logprobs, const Beams& beams) {
  const std::int64_t searches = beams.rows.size(0);
  const std::int64_t size = beams.rows.size(1);
  const at::Tensor rows = beams.rows.reshape(-1);
  const auto [values, tokens] = logprobs.index_select(0, rows).topk(size + 1, -1);
  const at::Tensor sums = beams.sum_logprobs.index_select(0, rows).unsqueeze(1) + values;
  const at::Tensor sizes = beams.sizes.view({searches, 1, 1});
  const at::Tensor rank = at::arange(size + 1, rows.options()).view({1, 1, size + 1});
  const at::Tensor beam = at::arange(size, rows.options()).view({1, size, 1});
  const at::Tensor exist = (rank <= sizes) & (beam < (beams.first ? at::ones_like(sizes) : sizes));
  const auto flat = [&](const at::Tensor& x) { return x.reshape({searches, size * (size + 1)}); };
  return {flat(tokens), flat(values), flat(sums), flat(exist)};
}

// Sorts numbers that `which` holds for before the others, and keeps their order besides.
at::Tensor first_where(const at::Tensor& which, std::int64_t count) {
  return which.logical_not()
      .to(at::kInt)
      .argsort(/*stable=*/true, 1, /*descending=*/false)
      .narrow(1, 0, count);
}

}  // namespace

BeamChoice search_beams(const at::Tensor& logprobs, const Beams& beams, int eot) {
  const std::int64_t size = beams.rows.size(1);
  const Candidates all = candidates_of(logprobs, beams);
  // Candidates that do not exist come behind those that are impossible.
  const at::Tensor keys = all.sums.clamp_min(std::numeric_limits<float>::lowest())
                              .masked_fill(all.exist.logical_not(), impossible);
  const at::Tensor order = keys.argsort(/*stable=*/true, 1, /*descending=*/true);
  const at::Tensor ends = all.tokens.gather(1, order) == eot;
  const at::Tensor sizes = beams.sizes.unsqueeze(1);

  const at::Tensor likeliest = order.gather(1, first_where(ends.logical_not(), size));
  const at::Tensor beam = at::arange(size, order.options()).unsqueeze(0);
  const at::Tensor chosen = at::where(beam < sizes, likeliest, likeliest.narrow(1, 0, 1));

  // A sequence ends where fewer than beam_size candidates that do not end are likelier.
  const at::Tensor likelier = ends.logical_not().cumsum(1);
  const at::Tensor ended_places = first_where(ends, size);
  const at::Tensor ended = order.gather(1, ended_places);
  const at::Tensor is_ended = ends.gather(1, ended_places) &
                              (likelier.gather(1, ended_places) < sizes) &
                              all.exist.gather(1, ended);
  const auto source = [&](const at::Tensor& candidates) {
    return candidates.div(size + 1, "floor");
  };
  return {source(chosen),
          all.tokens.gather(1, chosen),
          all.logprobs.gather(1, chosen),
          all.sums.gather(1, chosen),
          source(ended).masked_fill(is_ended.logical_not(), -1),
          all.sums.gather(1, ended)};
}

}  // namespace engine
