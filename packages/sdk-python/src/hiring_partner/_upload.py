"""The flow that uploads a file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ._files import UploadFile
from ._flow import Context, Flow, Send, call_json, require_success, with_retries
from ._wire import Operation, Request, Response


def send_file(ctx: Context, file: UploadFile, workspace_id: str | None) -> Flow[dict[str, Any]]:
    """Reserves an upload and sends the file. The result is the reservation."""
    body = {"content_type": file.content_type, "size_bytes": len(file.content)}
    if file.filename:
        body["filename"] = file.filename
    reserve = Operation("POST", "/uploads", query={"workspace_id": workspace_id}, body=body, write=True)
    reserved = yield from call_json(ctx, reserve)
    target = reserved["upload"]
    # the URL is signed: no API key goes to the file store
    request = Request(str(target["method"]), str(target["url"]), dict(target["headers"]), file.content)
    attempts = 0

    def attempt() -> Flow[Response]:
        nonlocal attempts
        attempts += 1
        response: Response = yield Send(request)
        # a repeat is refused if the first attempt stored the file and only its response was lost
        if attempts > 1 and response.status in (409, 412):
            return replace(response, status=200)
        return require_success(response)

    yield from with_retries(ctx, Operation(request.method, "upload.url"), attempt)
    return reserved
