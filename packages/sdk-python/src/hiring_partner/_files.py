"""Files to upload."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import IO, Union

FileInput = Union[bytes, str, "os.PathLike[str]", IO[bytes]]

_TYPES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "doc": "application/msword",
    "rtf": "application/rtf",
    "txt": "text/plain",
}


@dataclass(frozen=True)
class UploadFile:
    content: bytes
    content_type: str
    filename: str | None


def file_of(file: FileInput, content_type: str | None, filename: str | None) -> UploadFile:
    """The bytes of a file with its type, which follows from the name if it is not given."""
    if isinstance(file, bytes):
        content = file
    elif isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as opened:
            content = opened.read()
        filename = filename or os.path.basename(os.fspath(file))
    else:
        content = file.read()
        name = getattr(file, "name", None)
        filename = filename or (os.path.basename(name) if isinstance(name, str) else None)
    found = content_type or _TYPES.get((filename or "").rpartition(".")[2].lower())
    if found is None:
        raise ValueError(f"give content_type, or a file name that ends with .{', .'.join(_TYPES)}")
    return UploadFile(content, found, filename)
