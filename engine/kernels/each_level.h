#pragma once

// Behind this word a function is compiled for several levels of instructions, and the loader takes
// the CPU's. It is for plain loops that the compiler turns into vectors: with as many numbers side
// by side as the widest vectors have, and compiled without contracting products with sums
// (-ffp-contract=off), their results are the same at all levels. ThreadSanitizer cannot be called
// as early as the loader asks.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define SCRIBED_EACH_LEVEL [[gnu::target_clones("default", "avx2", "avx512f")]]
#else
#define SCRIBED_EACH_LEVEL
#endif
