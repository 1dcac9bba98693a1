"""Text: how wide it is, and TeX's mathematics as plain characters."""

from __future__ import annotations

import re

_NARROW = frozenset("iljtfI.,:;'!|()[] ")
_WIDE = frozenset("mwMW@%—")


def width(text: str, size: float) -> float:
    """About how wide a line of text is; rather too wide than too narrow, as fonts differ."""
    units = sum(0.36 if letter in _NARROW else 0.92 if letter in _WIDE else 0.62 for letter in text)
    return units * size


def lines(text: str) -> list[str]:
    """The lines of a text, with its mathematics as plain characters."""
    return plain_math(text).split("\n")


_GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega "
        "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega varepsilon vartheta varphi ell hbar".split(),
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩεϑφℓℏ",
    )
)
_SIGNS = {
    "partial": "∂",
    "nabla": "∇",
    "infty": "∞",
    "cdot": "·",
    "times": "×",
    "pm": "±",
    "mp": "∓",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "neq": "≠",
    "ne": "≠",
    "approx": "≈",
    "sim": "∼",
    "propto": "∝",
    "equiv": "≡",
    "to": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "Rightarrow": "⇒",
    "mapsto": "↦",
    "in": "∈",
    "notin": "∉",
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "forall": "∀",
    "exists": "∃",
    "subset": "⊂",
    "cup": "∪",
    "cap": "∩",
    "circ": "∘",
    "star": "⋆",
    "ast": "∗",
    "dots": "…",
    "ldots": "…",
    "cdots": "⋯",
    "langle": "⟨",
    "rangle": "⟩",
    "dagger": "†",
    "top": "⊤",
    "perp": "⊥",
    "otimes": "⊗",
    "oplus": "⊕",
    "ll": "≪",
    "gg": "≫",
    "mid": "|",
    "vert": "|",
    "Vert": "‖",
    "prime": "′",
    "degree": "°",
    "quad": "  ",
    "qquad": "    ",
    "left": "",
    "right": "",
    "big": "",
    "Big": "",
    "displaystyle": "",
    "limits": "",
}
_RAISED = dict(zip("0123456789+-=()nixyTabcdefghjklmoprstuvwz*′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣʸᵀᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷᶻ*′"))
_LOWERED = dict(zip("0123456789+-=()aeijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"))
_ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7"}
_BOLD = "mathbf|boldsymbol|bm|mathrm|mathit|mathsf|mathtt|text|textbf|textit|operatorname|mathcal"
_BOARD = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "E": "𝔼", "P": "ℙ"}


def plain_math(text: str) -> str:
    """The text with each `$…$` in it as characters: Greek letters, signs, raised and lowered figures."""
    if "$" not in text:
        return text
    parts = re.split(r"(?<!\\)\$", text)
    if len(parts) % 2 == 0:
        return text
    return "".join(_math(part) if index % 2 else part for index, part in enumerate(parts)).replace("\\$", "$")


def _math(source: str) -> str:
    """One formula. Braces are resolved from the inside out."""
    source = source.replace("\\{", "\ue000").replace("\\}", "\ue001").replace("\\|", "‖")
    source = re.sub(r"\\[,;:! ]", " ", source)
    source = re.sub(r"\\(left|right|big|Big|displaystyle|limits)(?![a-zA-Z])", "", source)
    while True:
        reduced = re.sub(r"\{([^{}]*)\}", lambda found: _group(found[1]), source, count=1)
        reduced = _commands(reduced)
        if reduced == source:
            break
        source = reduced
    source = re.sub(r"\\([a-zA-Z]+) ?", lambda found: _sign(found[1]), source)
    source = re.sub(r"([\^_])(\ue002[^\ue003]*\ue003|.)", _script, source)
    for mark in "\ue002\ue003":
        source = source.replace(mark, "")
    return source.replace("\ue000", "{").replace("\ue001", "}").replace("-", "−").replace("'", "′")


def _group(inner: str) -> str:
    """A group whose braces are gone: its ends are kept as marks, for what takes it as one."""
    inner = re.sub(r"\\([a-zA-Z]+) ?", lambda found: _sign(found[1]), inner)
    inner = re.sub(r"([\^_])(\ue002[^\ue003]*\ue003|.)", _script, inner)
    return "\ue002" + inner.replace("\ue002", "").replace("\ue003", "") + "\ue003"


_ARGUMENT = "\ue002([^\ue003]*)\ue003"


def _commands(source: str) -> str:
    """Commands whose arguments have been resolved."""
    source = re.sub(rf"\\[dt]?frac{_ARGUMENT}{_ARGUMENT}", lambda f: f"{_bracket(f[1])}/{_bracket(f[2])}", source)
    source = re.sub(rf"\\sqrt{_ARGUMENT}", lambda f: f"√{_bracket(f[1])}", source)
    source = re.sub(rf"\\mathbb{_ARGUMENT}", lambda f: "".join(_BOARD.get(c, c) for c in f[1]), source)
    source = re.sub(rf"\\({'|'.join(_ACCENTS)}){_ARGUMENT}", lambda f: f[2] + _ACCENTS[f[1]], source)
    return re.sub(rf"\\(?:{_BOLD}){_ARGUMENT}", lambda f: f[1], source)


def _bracket(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() or text[0] in "∂√" and len(text) < 4 else f"({text})"


def _sign(name: str) -> str:
    return _GREEK.get(name) or _SIGNS.get(name, name)


def _script(found: re.Match[str]) -> str:
    """A raised or lowered part, where there are such characters for all of it; else it stays spelled."""
    inner = found[2].strip("\ue002\ue003")
    table = _RAISED if found[1] == "^" else _LOWERED
    if all(letter in table for letter in inner):
        return "".join(table[letter] for letter in inner)
    if found[1] == "^" and inner in ("∗", "*", "⋆", "†", "′", "⊤", "∘"):
        return {"∘": "°", "⊤": "ᵀ"}.get(inner, inner)
    return f"{found[1]}{inner}" if len(inner) < 2 else f"{found[1]}({inner})" if found[1] == "^" else f"_{inner}"


def raised(number: int) -> str:
    """An integer in raised figures."""
    return "".join(_RAISED[figure] for figure in str(number))
