"""Packages of others, installed into an environment of their own, in which Kibitz is installed too."""

import subprocess
import sys
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent / "package"
COINS = {
    "games": {"coins": "kibitz_coins.coins"},
    "agents": {"taker": "kibitz_coins.taker"},
    "commands": {"coins": "kibitz_coins.command:coins"},
    "pages": {"coins": "kibitz_coins.page:PAGE"},
}


def fresh_environment(folder: Path) -> Path:
    """Make a virtual environment that sees what is installed in ours; return its Python."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    words = [str(python), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"]
    site = Path(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip())
    ours = [path for path in sys.path if path.endswith("site-packages")]
    (site / "ours.pth").write_text("".join(f"import site; site.addsitedir({path!r})\n" for path in ours))
    return python


def install(python: Path, name: str, version: str, points: Mapping[str, Mapping[str, str]], files: Mapping[str, str]):
    """Install a package, made of files by name, with entry points by group."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    groups = (
        f"[kibitz.{group}]\n" + "".join(f"{point} = {target}\n" for point, target in found.items())
        for group, found in points.items()
    )
    parts = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "\n".join(groups),
    }
    wheel = python.parent.parent / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in parts.items():
            archive.writestr(path, text)
        archive.writestr(f"{info}/RECORD", "".join(f"{path},,\n" for path in [*parts, f"{info}/RECORD"]))
    install_wheel(python, wheel)


def install_wheel(python: Path, wheel: Path) -> None:
    """Install a wheel, without looking for what it depends on."""
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--disable-pip-version-check", str(wheel)], check=True, capture_output=True)


def install_coins(python: Path) -> None:
    """Install the package with a game, an agent, a command and a page."""
    files = {str(path.relative_to(HERE)): path.read_text() for path in HERE.rglob("*.py")}
    install(python, "kibitz-coins", "1.2", COINS, files)
