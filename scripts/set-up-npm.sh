#!/bin/sh
# Installs the npm packages that the site is made and tested with into node_modules, as package-lock.json pins them.
# Does nothing if they are there already.
set -eu
cd "$(dirname "$0")/.."

stamp=node_modules/duizhao.stamp

if [ -f "$stamp" ] && cmp -s package-lock.json "$stamp"; then
    exit 0
fi
for program in node npm; do
    if ! command -v "$program" >/dev/null 2>&1; then
        echo "duizhao: $program was not found. The site needs Node.js 20 or newer with npm (make check and make test" >&2
        echo "do not)." >&2
        exit 2
    fi
done
echo "duizhao: installing the npm packages pinned in package-lock.json (once; about 100 MB on disk)" >&2
npm ci --ignore-scripts --no-progress >&2
cp package-lock.json "$stamp"
