// Gives the precompiled ATen header a target to live in.
