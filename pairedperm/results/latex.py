"""Text for a paper in LaTeX."""

from __future__ import annotations

import re

_MATH = """
α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu µ mu
ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega
∞ infty ≤ leq ≥ geq ≈ approx √ surd → rightarrow × times ± pm · cdot
"""  # noqa: RUF001
_TEXT = r"""
\ textbackslash ~ textasciitilde ^ textasciicircum < textless > textgreater | textbar
` textasciigrave
"""
_WRITTEN = str.maketrans(
    {x: f"\\{x}" for x in "%&_#${}"}
    | {x: f"\\{name}{{}}" for x, name in re.findall(r"(\S) (\S+)", _TEXT)}
    | {x: f"$\\{name}$" for x, name in re.findall(r"(\S) (\S+)", _MATH)}
    | {"−": "$-$"}  # noqa: RUF001
)
_MINUS = re.compile(r"(?<![\w.-])-(?=[\d∞])")


def latex_text(text: str) -> str:
    """Return what LaTeX typesets as this text, with Greek letters and minus signs as mathematics.

    Other letters that are not ASCII stay: LaTeX reads UTF-8, and its fonts must have them.
    """
    written = _MINUS.sub("−", text).translate(_WRITTEN)  # noqa: RUF001
    return re.sub("-(?=-)", "-{}", written)  # or two are a dash
