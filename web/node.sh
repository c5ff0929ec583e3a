#!/bin/sh
# Checks, for the Makefile, whether this machine has the programs that build and test the page.
#
#   web/node.sh                 if a program is missing, fails with a line that names it
#   web/node.sh chromium        checks also the browser of the tests
#   web/node.sh quietly …       fails without a message
#   web/node.sh skip …          says what is missing and that tests are skipped; with TEST_PAGE it fails

how=aloud
case "$1" in quietly | skip) how=$1 && shift ;; esac

[ "$how" = skip ] && [ -n "$TEST_PAGE" ] && how=aloud

missing() {
    case "$how" in
    quietly) exit 1 ;;
    aloud) echo "make: $1" >&2 && exit 1 ;;
    esac
    echo "make: tests of the page are skipped: $1" >&2
    exit 0
}

need='pavage needs Node.js 20.19 or later (of 22: 22.12) with npm, see https://nodejs.org; "make program" builds without the page'
command -v node >/dev/null || missing "there is no node in PATH, $need"
command -v npm >/dev/null || missing "there is no npm in PATH, $need"
node -e 'const [a, b] = process.versions.node.split(".").map(Number)
process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' ||
    missing "node is $(node --version), $need"

if [ "$1" = chromium ]; then
    [ -x "${CHROMIUM:-/usr/bin/chromium}" ] ||
        missing "there is no ${CHROMIUM:-/usr/bin/chromium}: install Debian's chromium, or name another in CHROMIUM"
fi
exit 0
