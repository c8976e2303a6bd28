#pragma once

// Φ(x) = ½ + x·P(x²) on ±gelu_limit, coefficients from the highest power down: fitted to erf, least
// squares of the error of x·Φ(x), reweighted to level it. x·Φ(x) is within 4e-5 for |x| ≤ 8, beyond
// that within 5e-6·|x|.
namespace engine::kernels {

constexpr float gelu_limit = 4.5F;
constexpr float gelu_polynomial[] = {
    3.036335072e-11F,  -3.314585051e-09F, 1.590968850e-07F,  -4.451672794e-06F, 8.142450679e-05F,
    -1.037586830e-03F, 9.585185908e-03F,  -6.598462164e-02F, 3.987125754e-01F,
};

// erfc(z) ≈ t·Q(t)·e^(-z²) with t = 1/(1 + p·z): p/√2, and Q from the highest power down.
constexpr float erfc_step = 0.231641888F;
constexpr float erfc_polynomial[] = {1.061405429F, -1.453152027F, 1.421413741F, -0.284496736F,
                                     0.254829592F};

}  // namespace engine::kernels
