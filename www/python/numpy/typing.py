"""Types for annotations."""

from __future__ import annotations

from typing import Any, Union

from ._array import ndarray
from ._dtypes import dtype

ArrayLike = Union[ndarray, int, float, complex, bool, list, tuple]
DTypeLike = Union[dtype, type, str, None]


class _Subscriptable:
    """An array annotated with its dtype: `NDArray[np.float32]`."""

    def __getitem__(self, item: Any) -> Any:
        return ndarray

    def __call__(self) -> Any:
        return ndarray


NDArray = _Subscriptable()
NBitBase = object
