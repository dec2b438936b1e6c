"""A proxy in front of the service, with real connections that fail as planned."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Mapping, Sequence, Union
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Respond:
    """A proxy responds instead of the service."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


#: ``cut_request``: closed before the request reaches the service. ``lose_response``: the service processes the request,
#: and its response is lost. ``cut_body``: closed in the middle of the body. ``silence``: no response.
Fault = Union[str, Respond]


@dataclass(frozen=True)
class Passed:
    method: str
    path: str
    headers: Mapping[str, str]


def refusal(status: int, code: str, kind: str, seconds: int | None = None) -> Respond:
    headers = {"content-type": "application/json", **({} if seconds is None else {"retry-after": str(seconds)})}
    detail = {"code": code, "type": kind, "message": code, "request_id": "req_1"}
    return Respond(status, headers, json.dumps({"detail": detail}))


class FaultyNetwork:
    def __init__(self, target: str) -> None:
        self.target = target
        self.requests: list[Passed] = []
        self._choose: Callable[[Passed, int], Fault] = lambda _, __: "none"
        self._lock = threading.Lock()
        self._ending = threading.Event()
        network = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                network._handle(self)

            do_GET = do_POST = do_PUT = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                pass  # connections are cut on purpose

        self._server = Server(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def plan(self, choose: Callable[[Passed, int], Fault] | Sequence[Fault] = ()) -> None:
        """Faults of the next requests, by number from 0; without faults after the last one of a sequence."""
        if not callable(choose):
            faults = list(choose)
            choose = lambda _, n: faults[n] if n < len(faults) else "none"  # noqa: E731
        with self._lock:
            self.requests.clear()
            self._choose = choose

    def close(self) -> None:
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        passed = Passed(handler.command, handler.path, headers)
        with self._lock:
            fault = self._choose(passed, len(self.requests))
            self.requests.append(passed)
        body = handler.rfile.read(int(headers.get("content-length", "0")))
        if fault == "silence":
            self._ending.wait(10)
        if fault in ("cut_request", "silence"):
            return self._cut(handler)
        if isinstance(fault, Respond):
            return self._send(handler, fault.status, fault.headers, fault.body.encode())
        status, returned, content = self._forward(passed, body)
        if fault == "lose_response":
            return self._cut(handler)
        self._send(handler, status, returned, content, cut=fault == "cut_body")

    def _forward(self, passed: Passed, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        connection = http.client.HTTPConnection(urlsplit(self.target).netloc, timeout=30)
        headers = {name: value for name, value in passed.headers.items() if name not in ("host", "accept-encoding")}
        connection.request(passed.method, passed.path, body or None, headers)
        response = connection.getresponse()
        content = response.read()
        kept = {
            name: value
            for name, value in response.getheaders()
            if name.lower() not in ("content-length", "connection", "transfer-encoding", "keep-alive", "date")
        }
        connection.close()
        # the file store is behind the network too
        if "json" in kept.get("Content-Type", kept.get("content-type", "")):
            content = content.replace(f"{self.target}/storage/".encode(), f"{self.origin}/storage/".encode())
        return response.status, kept, content

    def _send(
        self,
        handler: BaseHTTPRequestHandler,
        status: int,
        headers: Mapping[str, str],
        content: bytes,
        cut: bool = False,
    ) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[: len(content) // 2] if cut else content)
        handler.wfile.flush()
        if cut:
            self._cut(handler)

    def _cut(self, handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        try:
            handler.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
