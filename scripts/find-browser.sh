#!/bin/sh
# Prints the browser to test the site with: $BROWSER_PATH if it is set, else the first Chromium that is found. Where there is
# none, and apt can install it because this runs as root, installs Debian's. Exits 2, saying what to install, if not.
set -eu

found() {
    for candidate in ${BROWSER_PATH:+"$BROWSER_PATH"} chromium chromium-browser google-chrome; do
        if command -v "$candidate" 2>/dev/null; then
            return 0
        fi
    done
    return 1
}

if found; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "duizhao: installing Chromium with apt-get (once; about 500 MB on disk)" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update >&2
    apt-get install --yes --no-install-recommends chromium >&2
    if found; then
        exit 0
    fi
fi
echo "duizhao: no Chromium was found. Install it, or name it: make test-site BROWSER_PATH=/path/to/chromium" >&2
exit 2
