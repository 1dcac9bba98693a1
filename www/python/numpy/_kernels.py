"""The way to the loops written in JavaScript, present only inside the page; elsewhere `ready` is False.

Each function answers whether it did the work; where it did not, the caller's own Python loop does.
"""

from __future__ import annotations

ready = False
