"""Pictures of the browser: python -m tests.screens [NAME ...] writes docs/pictures/browser-NAME.png."""

import base64
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from tests.browser.chromium import ARGUMENTS, MISSING, chromium
from tests.browser.person import Person, begin
from tests.browser.serving import ROOT, running

PICTURES = ROOT / "docs" / "pictures"
ME, CLUB = {"kind": "me"}, {"kind": "level", "level": "club"}
DESK = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
RIVALS = {"quarto": 1, "chexers": 2, "cartagena": 2, "colonizers": 3, "fours": 1, "tricks": 2, "frogs": 1, "race": 2}
DECLARED = [ROOT / "tests" / name for name in ("fours", "tricks", "frogs", "race")]  # games that declare their scenes
COLOURS = 256
PIXELS = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const brush = canvas.getContext("2d");
  brush.drawImage(image, 0, 0);
  const { data } = brush.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
  return [image.width, image.height, btoa(text)];
}"""


def table(me, game, plies):
    """Sit down at a game and play until `plies` moves have been made."""
    me.sit(begin(me.server, game, [ME, *[CLUB] * RIVALS[game]]))
    me.until_yours()
    if plies:
        me.play(plies)


def start(me):
    me.go()
    me.until("() => document.querySelectorAll('.card-picture svg').length >= 4")


def analysis(me, game, plies):
    table(me, game, plies)
    me.page.click("#tab-analysis")
    me.page.click("#panel-analysis button.main")
    me.until("() => document.querySelectorAll('.lines > li').length > 1 && document.querySelector('.shares g')")
    me.until("() => !document.querySelector('.note').textContent.startsWith('Deepening')")


def grading(me):
    me.watch(begin(me.server, "quarto", [{"kind": "level", "level": "beginner"}] * 2))
    me.until("() => document.querySelector('.payoff')")
    me.page.click("#tab-analysis")
    me.page.click("text=Grade every move")
    me.until("() => document.querySelector('.counts')")


SCREENS: dict[str, tuple[dict, Callable]] = {
    "start": (DESK, start),
    "quarto": (DESK, lambda me: table(me, "quarto", 9)),
    "chexers": (DESK, lambda me: table(me, "chexers", 18)),
    "cartagena": (DESK, lambda me: table(me, "cartagena", 30)),
    "colonizers": (DESK, lambda me: table(me, "colonizers", 60)),
    "dark": ({**DESK, "color_scheme": "dark"}, lambda me: table(me, "colonizers", 60)),
    "phone": (PHONE, lambda me: table(me, "cartagena", 24)),
    "analysis": (DESK, lambda me: analysis(me, "chexers", 12)),
    "grading": (DESK, grading),
    "fours": (DESK, lambda me: table(me, "fours", 12)),
    "tricks": (PHONE, lambda me: table(me, "tricks", 10)),
    "frogs": ({**DESK, "color_scheme": "dark"}, lambda me: table(me, "frogs", 6)),
    "race": (DESK, lambda me: table(me, "race", 5)),
}


def small_png(picture: np.ndarray) -> bytes:
    """Return a picture as a PNG of its most frequent colours; others become the nearest of those."""
    height, width, _ = picture.shape
    colours, where, counts = np.unique(picture.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    coarse = (colours // 8).astype(np.int64) @ [1024, 32, 1]
    _, first = np.unique(coarse, return_inverse=True)
    weight = np.bincount(first, counts)
    chosen = []
    for group in np.argsort(-weight)[:COLOURS]:
        members = np.flatnonzero(first == group)
        chosen.append(colours[members[np.argmax(counts[members])]])
    palette = np.array(chosen)
    away = ((colours[:, None].astype(np.int64) - palette[None].astype(np.int64)) ** 2).sum(axis=2)
    rows = away.argmin(axis=1).astype(np.uint8)[where.reshape(-1)].reshape(height, width)
    lines = np.hstack([np.zeros((height, 1), dtype=np.uint8), rows])
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)), (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""),
    ]  # fmt: skip
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def main(names: list[str], folder: Path = PICTURES) -> None:
    """Write the pictures that are named, or all."""
    path = chromium()
    if path is None:
        raise SystemExit(MISSING)
    folder.mkdir(parents=True, exist_ok=True)
    with (
        sync_playwright() as driver,
        tempfile.TemporaryDirectory() as kept,
        running(Path(kept) / "tables.db", paths=DECLARED) as server,
    ):
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        for name in names or SCREENS:
            options, show = SCREENS[name]
            me = Person(browser, server, **options)
            show(me)
            width, height, pixels = me.page.evaluate(PIXELS, base64.b64encode(me.page.screenshot()).decode())
            picture = np.frombuffer(base64.b64decode(pixels), dtype=np.uint8).reshape(height, width, 4)[:, :, :3]
            (folder / f"browser-{name}.png").write_bytes(small_png(picture))
            me.context.close()
            print(f"browser-{name}.png: {(folder / f'browser-{name}.png').stat().st_size // 1000} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
