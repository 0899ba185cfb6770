"""The request guard: it refuses what comes from other sites, and lets browsers run only our own files."""

import re
from collections.abc import Sequence

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.web import messages
from kibitz.web.http_answers import FailedRequest

HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.IGNORECASE | re.ASCII)  # as a request names it
LOCAL = ("127.0.0.1", "localhost", "::1")
SECURITY = {
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


def json_answer(data: Struct | Sequence[Struct], status: int = 200) -> Response:
    """Return an answer as JSON."""
    return Response(messages.write(data), status, media_type="application/json")


class RequestGuard:
    """Refuses what comes from other sites, and tells browsers to run only our own files."""

    def __init__(self, app: ASGIApp, local_only: bool):
        self.app, self.local_only = app, local_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        objection = self._objection(Headers(scope=scope))
        if objection and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": objection})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in SECURITY.items()]
                message["headers"] = [*message.get("headers", []), *extra]
            await send(message)

        if objection:
            await json_answer(FailedRequest(objection), 403)(scope, receive, guarded)
        else:
            await self.app(scope, receive, guarded)

    def _objection(self, headers: Headers) -> str:
        """Return why a request is refused: another site's page must not reach us through somebody's browser."""
        host, origin = headers.get("host", ""), headers.get("origin")
        name = HOST.fullmatch(host)
        if name is None:
            return f"{host!r:.80} is not a host; it must be a name or an address, with or without a port"
        if self.local_only and name[1].strip("[]").lower() not in LOCAL:
            return "this server answers under localhost and 127.0.0.1 only"
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return "this request comes from a page of another site"
        return ""
