#!/usr/bin/env bash
# Fetches and unpacks what the image is compiled from, and the compiler: sources.sh FOLDER VERSION-OF-MICROPYTHON
# MicroPython, the SDK of the Pico and TinyUSB are Debian's source packages, from the machine's own mirror, checked by
# apt's keys. Each line on standard output is a step; what the tools say goes to FOLDER/sources.log, and the reason for
# giving up to standard error.
set -euo pipefail
work=$1 version=$2 here=$(cd "$(dirname "$0")" && pwd)
suites=(trixie forky sid) # releases of Debian: the first one with this MicroPython is taken, for 1.25.0 trixie
packages=(gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make gcc libc6-dev dpkg-dev python3)
mkdir -p "$work"
cd "$work"
log=$PWD/sources.log

fail() {
    echo "$1" >&2
    exit 1
}

{ command -v apt-get && command -v dpkg-query; } >/dev/null || fail "this is no Debian: its source packages cannot be fetched here"

missing=()
for package in "${packages[@]}"; do
    [[ $(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
done
if ((${#missing[@]})); then
    ((EUID == 0)) || fail "the compiler is not complete: as root, run apt-get install ${missing[*]}"
    echo "installing the compiler: apt-get install ${missing[*]}"
    apt-get install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 \
        || { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >>"$log" 2>&1 \
        || fail "apt-get could not install ${missing[*]}"
fi

echo "fetching the sources from the Debian mirror"
# A private apt root that knows only this suite: the machine's own sources stay as they are.
mkdir -p apt/etc/sources.list.d apt/etc/preferences.d apt/state/lists/partial apt/cache/archives/partial
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/?$' | head -n1) \
    || mirror=https://deb.debian.org/debian
options=(-q -o Dir::Etc="$PWD/apt/etc" -o Dir::Etc::sourcelist=/dev/null
    -o Dir::Etc::sourceparts="$PWD/apt/etc/sources.list.d" -o Dir::State="$PWD/apt/state"
    -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User="$(id -un)")
apt=(apt-get "${options[@]}")
found="" others=""
for suite in "${suites[@]}"; do
    printf 'Types: deb deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$mirror" "$suite" \
        /usr/share/keyrings/debian-archive-keyring.gpg >apt/etc/sources.list.d/only.sources
    "${apt[@]}" update >>"$log" 2>&1 || fail "the Debian mirror $mirror does not give the sources of $suite (the log is $log)"
    has=$(apt-cache "${options[@]}" showsrc micropython 2>>"$log" | sed -n 's/^Version: \([0-9.]*\).*/\1/p' | sort -V | tail -n1)
    [[ $has == "$version" ]] && found=$suite && break
    others+="${others:+, }$suite has ${has:-none}"
done
[[ $found ]] || fail "Debian has no sources of MicroPython $version ($others)"
{
    "${apt[@]}" source --download-only micropython mbedtls
    "${apt[@]}" download pico-sdk-source tinyusb-source
} >>"$log" 2>&1 || fail "the Debian mirror $mirror does not give the sources of $suite (the log is $log)"

echo "unpacking"
{
    rm -rf micropython mbedtls deb
    for deb in ./*.deb; do dpkg-deb -x "$deb" deb; done
    dpkg-source --no-check --skip-patches -x micropython_*.dsc micropython
    dpkg-source --no-check --skip-patches -x mbedtls_*.dsc mbedtls
} >>"$log" 2>&1 || fail "the sources cannot be unpacked (the log is $log)"
# Debian strips the bundled libraries: the empty folders are pointed at the packaged ones.
sdk=deb/usr/src/pico-sdk tinyusb=deb/usr/src/tinyusb
for pair in pico-sdk:"$sdk" tinyusb:"$tinyusb" mbedtls:mbedtls; do
    rm -rf "micropython/lib/${pair%%:*}"
    ln -s "../../${pair#*:}" "micropython/lib/${pair%%:*}"
done
mkdir -p "$sdk/lib" micropython/lib/micropython-lib
rm -rf "$sdk/lib/tinyusb"
ln -s "../../tinyusb" "$sdk/lib/tinyusb"
touch "$sdk/README.md" micropython/lib/micropython-lib/README.md # make asks whether these are there
# The linker scripts mean to put the interpreter's loop and the collector into RAM, where they run without waiting for the
# flash, and the parser, which nobody here uses; they miss all three, because cmake calls their objects .c.o here.
for script in micropython/ports/rp2/memmap_mp_rp2040.ld micropython/ports/rp2/memmap_mp_rp2350.ld; do
    sed -i 's:\*gc\.c\.obj \*vm\.c\.obj \*parse\.c\.obj:*/py/gc.c.o */py/vm.c.o:' "$script"
    grep -q 'py/vm\.c\.o' "$script" || fail "the linker script ${script##*/} of MicroPython has changed"
done
# Machine code for the RP2040 loads its larger constants from words in the code: frozen at an odd halfword, it reads others
freezer=micropython/tools/mpy-tool.py
sed -i 's/__attribute__ ((aligned (2)))/__attribute__ ((aligned (4)))/' "$freezer"
[ "$(grep -c 'aligned (4)' "$freezer")" = 2 ] || fail "mpy-tool.py aligns machine code in another way than expected"
for change in "$here"/patches/*.patch; do
    patch -d micropython -p1 --fuzz=0 <"$change" >>"$log" 2>&1 || fail "${change##*/} does not fit this MicroPython"
done
rm -rf apt/state/lists

echo "compiling mpy-cross"
make -C micropython/mpy-cross -j"$(nproc)" >>"$log" 2>&1 || fail "mpy-cross does not compile (the log is $log)"
