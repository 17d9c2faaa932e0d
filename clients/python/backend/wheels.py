"""Builds the wheel and the source archive with the standard library alone (PEP 517), so that a build needs no network.

The archives depend on their sources only: names are sorted, and times are SOURCE_DATE_EPOCH or the first day of 1980.
"""

from __future__ import annotations

import base64
import hashlib
import io
import os
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Any

try:
    import tomllib
except ImportError:  # Python 3.10
    from pip._vendor import tomli as tomllib  # type: ignore[import-not-found,no-redef]

ROOT = Path(__file__).resolve().parent.parent


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return []


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    return []


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    project = _project()
    info = f"{project['name']}-{project['version']}.dist-info"
    files = {path.relative_to(ROOT / "src").as_posix(): path.read_bytes() for path in _sources() if (ROOT / "src") in path.parents}
    files[f"{info}/METADATA"] = _metadata(project)
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: somnograph\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{name},sha256={_digest(text)},{len(text)}\n" for name, text in sorted(files.items()))
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{project['name']}-{project['version']}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, text in sorted(files.items()):
            entry = zipfile.ZipInfo(path, time.gmtime(max(_epoch(), 315532800))[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, text)
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    project = _project()
    base = f"{project['name']}-{project['version']}"
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _sources()}
    files["PKG-INFO"] = _metadata(project)
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path, text in sorted(files.items()):
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size, entry.mtime, entry.mode = len(text), _epoch(), 0o644
            archive.addfile(entry, io.BytesIO(text))
    return f"{base}.tar.gz"


def _project() -> dict[str, Any]:
    with open(ROOT / "pyproject.toml", "rb") as file:
        project: dict[str, Any] = tomllib.load(file)["project"]
    return project


def _sources() -> list[Path]:
    found = [ROOT / name for name in ("pyproject.toml", "README.md", "backend/wheels.py")]
    found += [path for path in (ROOT / "src").rglob("*") if path.suffix == ".py" or path.name == "py.typed"]
    return sorted(found)


def _metadata(project: dict[str, Any]) -> bytes:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License: {project['license']}",
        f"Keywords: {','.join(project['keywords'])}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Project-URL: {name}, {url}" for name, url in project["urls"].items()),
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        "Description-Content-Type: text/markdown",
    ]
    return ("\n".join(lines) + "\n\n").encode() + (ROOT / project["readme"]).read_bytes()


def _digest(text: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()


def _epoch() -> int:
    return int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))
