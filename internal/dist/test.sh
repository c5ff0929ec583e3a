#!/usr/bin/env bash
# make dist-test: tests that `make dist` gives the same files in two clones of the last commit with
# different folders, umasks, time zones and settings of Go, and that these files can be unpacked,
# installed, run and removed. It tests only the platform of this machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
fail() { echo "dist-test: $1" >&2; exit 1; }

platform=$(go env GOHOSTOS)/$(go env GOHOSTARCH)
for clone in once deeper/again; do
    git clone -q . "$work/$clone"
    ln -s "$PWD/web/node_modules" "$work/$clone/web/node_modules"
    make --no-print-directory -C "$work/$clone" dist PLATFORMS="$platform" URL=https://example.org
    umask 077
    export TZ=Asia/Tokyo GOENV=$work/goenv
    echo GOFLAGS=-tags=other >"$GOENV"
done
umask 022
dist=$work/once/bin/dist
diff -r "$dist" "$work/deeper/again/bin/dist" || fail "the files differ"
(cd "$dist" && sha256sum --quiet -c SHA256SUMS)

# try runs an example of the README with a program, given by its path below $work.
try() {
    got=$("$work/$1" count name:pentominoes-6x10 --distinct)
    grep -qxF "$got" README.md || fail "$1 writes $got"
}

# The archive, unpacked in an empty folder, and the page of its program.
mkdir "$work/archive"
tar -C "$work/archive" --strip-components=1 -xf "$dist"/*.tar.gz
try archive/bin/pavage
man=$work/archive/share/man/man1/pavage-count.1
grep -q "^.TH .* \"$(TZ=UTC git log -1 --format=%cd --date=format-local:%F)\"" "$man" || fail "$(head -1 "$man")"
[ "$(stat -c %a "$work/archive/bin/pavage" "$man" | xargs)" = "755 644" ] || fail "the modes are wrong"
"$work/archive/bin/pavage" serve --listen 127.0.0.1:0 --data "$work/data" >"$work/log" 2>&1 &
until url=$(grep -o 'http://127[0-9.:]*' "$work/log" | head -1) && [ -n "$url" ]; do
    [ -n "$(jobs -r)" ] || fail "serve: $(cat "$work/log")"
    sleep 0.1
done
curl -sSf "$url/" | grep -q '<script type="module"' || fail "the page is not in the program"
kill %%
wait

# make install and make uninstall of the same program.
cp -R "$work/archive/bin/pavage" "$work/archive/share" "$work/once/bin"
make -s -C "$work/once" install DESTDIR="$work/installed" PREFIX=/opt/a
try installed/opt/a/bin/pavage
cmp "$man" "$work/installed/opt/a/share/man/man1/pavage-count.1"
make -s -C "$work/once" uninstall DESTDIR="$work/installed" PREFIX=/opt/a
[ -z "$(find "$work/installed" -type f)" ] || fail "make uninstall leaves files"

# make clean keeps a committed page; make dist refuses files that are not committed.
again=$work/deeper/again
git -C "$again" add -f web/dist
git -C "$again" -c user.name=test -c user.email=test@example.org commit -qm "the page"
make -s -C "$again" clean
[ -z "$(git -C "$again" status --porcelain)" ] || fail "make clean leaves $(git -C "$again" status --porcelain)"
echo >>"$again/README.md"
if out=$(make -s -C "$again" dist PLATFORMS="$platform" 2>&1); then fail "make dist of an edited clone succeeds"; fi
grep -q 'files that differ from the commit' <<<"$out" || fail "make dist of an edited clone: $out"

# The Debian package, installed in an empty root folder.
if [ "$(id -u)" != 0 ] || ! command -v dpkg >/dev/null; then
    echo "dist-test: the package is not installed: this test needs Debian's dpkg and root" >&2
    exit 0
fi
system=$work/system
mkdir -p "$system"/var/lib/dpkg/{info,updates,triggers}
touch "$system"/var/lib/dpkg/{status,available}
dpkg --root="$system" --log=/dev/null --install "$dist"/*.deb
try system/usr/bin/pavage
dpkg --root="$system" --log=/dev/null --purge pavage
[ -z "$(find "$system" -name '*pavage*')" ] || fail "the package leaves files"
