"""The base of every object that the API returns.

An object keeps the JSON as it arrived and converts nested objects when they are first read. Fields and enum values that
this version does not know are therefore never an error: they are readable like any other.
"""

from __future__ import annotations

import copy
import sys
from typing import TYPE_CHECKING, Any, ClassVar, Iterator, Mapping, TypeVar

ModelT = TypeVar("ModelT", bound="Model")


class Model:
    """A read-only object with the fields of a JSON object as attributes.

    ``model["field"]`` reads a field by its JSON name, known or not; ``"field" in model`` says whether the response had it.
    An optional field that the response did not have is ``None``. ``repr`` shows type and id only, so that a log line
    never contains personal data.
    """

    __slots__ = ("_data", "_built")

    #: attribute to JSON name, for fields whose JSON name is not a Python name
    _names: ClassVar[Mapping[str, str]] = {}
    #: attribute to the class of its value: ``Name``, ``[Name]`` for a list, ``{Name}`` for a map
    _nested: ClassVar[Mapping[str, str]] = {}
    #: attributes that a response may leave out
    _optional: ClassVar[frozenset[str]] = frozenset()

    _data: dict[str, Any]
    _built: dict[str, Any]

    def __init__(self, data: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_data", dict(data))
        object.__setattr__(self, "_built", {})

    @classmethod
    def build(cls: type[ModelT], data: Any) -> ModelT:
        """Wraps a JSON object; any other value is returned unchanged, because a reader must survive new types."""
        return cls(data) if isinstance(data, Mapping) else data

    def to_dict(self) -> dict[str, Any]:
        """The JSON object as it arrived, as a copy."""
        return copy.deepcopy(self._data)

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def __contains__(self, name: object) -> bool:
        return name in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._data == self._data if isinstance(other, Model) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        handle = self._data.get("id") or self._data.get("upload_id")
        return f"<{type(self).__name__} {handle}>" if isinstance(handle, str) else f"<{type(self).__name__}>"

    def __dir__(self) -> list[str]:
        known = {json: name for name, json in self._names.items()}
        return sorted({*object.__dir__(self), *(known.get(name, name) for name in self._data)})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only")

    # hidden from type checkers, so that they report a misspelled attribute
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            built = self._built
            if name in built:
                return built[name]
            json_name = self._names.get(name, name)
            if json_name not in self._data:
                if name in self._optional:
                    return None
                raise AttributeError(f"{type(self).__name__} has no field {json_name!r} in this response")
            value = self._data[json_name]
            nested = self._nested.get(name)
            if nested is not None:
                value = built[name] = _convert(type(self), nested, value)
            return value


def _convert(owner: type[Model], nested: str, value: Any) -> Any:
    target = getattr(sys.modules[owner.__module__], nested.strip("[]{}"))
    if nested[0] == "[":
        return [target.build(item) for item in value] if isinstance(value, list) else value
    if nested[0] == "{":
        return {key: target.build(item) for key, item in value.items()} if isinstance(value, Mapping) else value
    return target.build(value)


class UnionOf:
    """Objects that one field tells apart. A value that this version does not know becomes ``fallback``."""

    def __init__(self, field: str, members: Mapping[str, type[Model]], fallback: type[Model]) -> None:
        self._field, self._members, self._fallback = field, members, fallback

    def build(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        return self._members.get(str(data.get(self._field)), self._fallback)(data)
