#!/usr/bin/env bash
# Makes what is shipped, byte for byte the same wherever it is made from the same
# sources by the same Go:
#
#   ibcheck-VERSION-OS-ARCH.tar.gz  the program, its manual pages and completions
#   ibcheck_VERSION_ARCH.deb        the same for Debian and its kin
#   SHA256SUMS
#
# usage: tools/dist.sh [FOLDER]      default: dist
# PLATFORMS: what to make it for, as "linux/amd64 darwin/arm64".
# SOURCE_DATE_EPOCH: the date in the archives, by default that of the commit.
# It needs GNU tar and, for the .deb files, dpkg-deb.
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."

out=${1:-dist}
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/arm64}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export CGO_ENABLED=0 LC_ALL=C
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

compile() { # OS ARCH
	local to=$stage/ibcheck-$1-$2
	[ -e "$to" ] || GOOS=$1 GOARCH=$2 go build -trimpath -ldflags="-s -w -buildid=" -o "$to" ./cmd/ibcheck
}

# The pages and the completions come from the program itself.
compile "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)"
host=$stage/ibcheck-$(go env GOHOSTOS)-$(go env GOHOSTARCH)
version=$("$host" version | cut -d' ' -f2)
"$host" man "$stage/man"
for shell in bash zsh fish; do "$host" completion "$shell" >"$stage/$shell"; done

archive() { # OS ARCH
	local name=ibcheck-$version-$1-$2
	local root=$stage/tar/$name
	compile "$1" "$2"
	install -D -m 0755 "$stage/ibcheck-$1-$2" "$root/ibcheck"
	install -D -m 0644 -t "$root" LICENSE README.md CHANGELOG.md
	install -D -m 0644 -t "$root/man/man1" "$stage"/man/*.1
	install -D -m 0644 "$stage/bash" "$root/completions/ibcheck.bash"
	install -D -m 0644 "$stage/zsh" "$root/completions/_ibcheck"
	install -D -m 0644 "$stage/fish" "$root/completions/ibcheck.fish"
	tar -C "$stage/tar" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" |
		gzip -9n >"$out/$name.tar.gz"
}

# A version of Debian begins with a digit, and what comes before a release is
# marked by a tilde.
debian_version() {
	case $version in
	v[0-9]*) echo "${version#v}" | sed 's/-/~/' | tr - . ;;
	*) echo "0~$version" ;;
	esac
}

debian() { # ARCH
	local root=$stage/deb/$1 v
	v=$(debian_version)
	local doc=$root/usr/share/doc/ibcheck
	install -D -m 0755 "$stage/ibcheck-linux-$1" "$root/usr/bin/ibcheck"
	install -D -m 0644 -t "$root/usr/share/man/man1" "$stage"/man/*.1
	install -D -m 0644 CHANGELOG.md "$doc/NEWS"
	gzip -9n "$root"/usr/share/man/man1/*.1 "$doc/NEWS"
	install -D -m 0644 "$stage/bash" "$root/usr/share/bash-completion/completions/ibcheck"
	install -D -m 0644 "$stage/zsh" "$root/usr/share/zsh/vendor-completions/_ibcheck"
	install -D -m 0644 "$stage/fish" "$root/usr/share/fish/vendor_completions.d/ibcheck.fish"
	cat >"$doc/copyright" <<-END
		Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
		Upstream-Name: ibcheck

		Files: *
		Copyright: The authors of ibcheck
		License: Apache-2.0
		 On Debian systems, the full text of the Apache License, version 2.0, is in
		 /usr/share/common-licenses/Apache-2.0.
	END
	mkdir -p "$root/DEBIAN"
	cat >"$root/DEBIAN/control" <<-END
		Package: ibcheck
		Version: $v
		Architecture: $1
		Maintainer: The authors of ibcheck <ibcheck@ibcheck.invalid>
		Installed-Size: $(($(find "$root/usr" -type f -printf '%s\n' | awk '{ n += $1 } END { printf "%d", n / 1024 }') + 1))
		Section: devel
		Priority: optional
		Description: model checker for programs that use RDMA verbs
		 ibcheck explores every interleaving of what queue pairs, completion queues,
		 programs and the wire may do, under a bounded number of faults, and says
		 whether one completion can come before another: with a proof that it cannot,
		 or with the shortest run in which it does.
	END
	find "$root" -depth -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	dpkg-deb --root-owner-group -Zgzip --build "$root" "$out/ibcheck_${v}_$1.deb" >/dev/null
}

for platform in $platforms; do
	os=${platform%/*} arch=${platform#*/}
	archive "$os" "$arch"
	if [ "$os" = linux ] && command -v dpkg-deb >/dev/null; then debian "$arch"; fi
done
command -v dpkg-deb >/dev/null || echo "dist: no dpkg-deb, so no Debian packages" >&2
(cd "$out" && sha256sum -- *.* >SHA256SUMS && cat SHA256SUMS)
