"""Find Chromium for the browser tests, or install it: ``python tests/get_browser.py``.

Looked for in ``$PODGRAPH_CHROMIUM``, on the path, and where Playwright keeps its own. Under ``$CI`` a machine on which
none can be had is an error; elsewhere the browser tests are skipped with a reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_chromium() -> str | None:
    """Return the path of a Chromium, or ``None``."""
    named = os.environ.get("PODGRAPH_CHROMIUM", "")
    if named:
        return shutil.which(named)
    for name in NAMES:
        if found := shutil.which(name):
            return found
    try:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            own = playwright.chromium.executable_path
    except Exception:  # noqa: BLE001 - whatever ails it, it has no browser for us
        return None
    return own if Path(own).exists() else None


def install() -> None:
    """Install Chromium: the system's where we may, else the one Playwright brings."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update"], check=False, **quiet)
        if subprocess.run(["apt-get", "install", "-y", "chromium"], check=False, **quiet).returncode == 0:
            return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    """Say where the browser is; install it first if there is none."""
    found = find_chromium()
    if found is None:
        install()
        found = find_chromium()
    if found:
        print(f"browser for the tests: {found}")
        return 0
    print("no browser for the tests: install chromium, or name one in $PODGRAPH_CHROMIUM", file=sys.stderr)
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    raise SystemExit(main())
