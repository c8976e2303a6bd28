#pragma once

// The numbers that every Whisper model has (openai/whisper audio.py, model.py, tokenizer.py). What
// differs from model to model is in ModelDims.
namespace engine {

// The first numbers are of sound, at 16 kHz.
constexpr int n_fft = 400;
constexpr int hop_length = 160;         // samples a frame, 10 ms
constexpr int frames_per_second = 100;  // 16000 / hop_length
constexpr int window_s = 30;            // of sound that the encoder hears at once
constexpr int window_frames = window_s * frames_per_second;

// The encoder has positions that hear two frames each, and the decoder has one for each token.
constexpr int audio_positions = window_frames / 2;
constexpr int text_positions = 448;

constexpr int head_dim = 64;  // numbers of one attention head

// Sizes of the vocabularies that OpenAI published. All begin with GPT-2's tokens of text, of which
// multilingual ones have one more; all other tokens are behind them. Models that others changed
// have other sizes, or the same and other tokens (engine/whisper/text/token_layout.h).
constexpr int n_text_tokens = 50256;
constexpr int english_vocabulary = 51864;
constexpr int multilingual_vocabulary = 51865;
constexpr int cantonese_vocabulary = 51866;  // large-v3 and later: one language more

constexpr int n_timestamps = 1501;  // tokens that name the times of a window, 0.02 s apart

}  // namespace engine
