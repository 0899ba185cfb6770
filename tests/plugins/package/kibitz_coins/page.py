"""The page."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from kibitz.web.added_page import Page


async def show(request: Request) -> PlainTextResponse:
    """Answer with a word."""
    return PlainTextResponse("a page about coins")


PAGE = Page("Coins", lambda lobby: [Route("/", show)])
