"""Find the browsers of the tests, Chromium and Firefox, or install them: ``python tests/get_browser.py``.

Looked for in ``$PODGRAPH_CHROMIUM`` and ``$PODGRAPH_FIREFOX``, on the path, and, Chromium, where Playwright keeps its
own. Under ``$CI`` a machine on which one can not be had is an error; elsewhere its tests are skipped with a reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# A browser -> what it is called on the path; the first is the name of its package, too.
NAMES = {
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    "firefox": ("firefox-esr", "firefox"),
}


def find_browser(browser: str) -> str | None:
    """Return the path of a browser of ``NAMES``, or ``None``."""
    named = os.environ.get(f"PODGRAPH_{browser.upper()}", "")
    if named:
        return shutil.which(named)
    for name in NAMES[browser]:
        if found := shutil.which(name):
            return found
    if browser != "chromium":
        return None  # Playwright's own Firefox is a patched one
    try:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            own = playwright.chromium.executable_path
    except Exception:  # noqa: BLE001 - whatever ails it, it has no browser for us
        return None
    return own if Path(own).exists() else None


def install(browser: str) -> None:
    """Install a browser: the system's where we may, else, Chromium, the one Playwright brings."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update"], check=False, **quiet)
        if subprocess.run(["apt-get", "install", "-y", NAMES[browser][0]], check=False, **quiet).returncode == 0:
            return
    if browser == "chromium":
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    """Say where the browsers are; install first what is missing."""
    missing = 0
    for browser, names in NAMES.items():
        found = find_browser(browser)
        if found is None:
            install(browser)
            found = find_browser(browser)
        if found:
            print(f"browser for the tests: {found}")
        else:
            variable = f"$PODGRAPH_{browser.upper()}"
            print(f"no {browser} for the tests: install {names[0]}, or name one in {variable}", file=sys.stderr)
            missing += 1
    return 1 if missing and os.environ.get("CI") else 0


if __name__ == "__main__":
    raise SystemExit(main())
