#!/usr/bin/env bash
# Builds MicroPython for the Raspberry Pi Pico from Debian's source packages: build_uf2.sh OUT.uf2 WORK_FOLDER
# The sources come from the machine's own Debian mirror, checked by apt's keys. Each line on standard output is a step;
# what the tools say goes to WORK_FOLDER/build.log, and the reason for giving up to standard error.
set -euo pipefail
out=$1 work=$2
suite=trixie # the release of Debian that has MicroPython 1.25
packages=(gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make gcc libc6-dev dpkg-dev python3)
export SOURCE_DATE_EPOCH=1744675200 # the day of the release: the image does not depend on the day it is built
mkdir -p "$work"
cd "$work"

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
    echo "installing the compiler with apt-get"
    apt-get install -y --no-install-recommends "${missing[@]}" >>build.log 2>&1 \
        || { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >>build.log 2>&1 \
        || fail "apt-get could not install ${missing[*]}"
fi

echo "fetching the sources from the Debian mirror"
# A private apt root that knows only this suite: the machine's own sources stay as they are.
mkdir -p apt/etc/sources.list.d apt/etc/preferences.d apt/state/lists/partial apt/cache/archives/partial
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/?$' | head -n1) \
    || mirror=https://deb.debian.org/debian
printf 'Types: deb deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' "$mirror" "$suite" \
    /usr/share/keyrings/debian-archive-keyring.gpg >apt/etc/sources.list.d/only.sources
apt=(apt-get -q -o Dir::Etc="$PWD/apt/etc" -o Dir::Etc::sourcelist=/dev/null
    -o Dir::Etc::sourceparts="$PWD/apt/etc/sources.list.d" -o Dir::State="$PWD/apt/state"
    -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User="$(id -un)")
{
    "${apt[@]}" update
    "${apt[@]}" source --download-only micropython mbedtls
    "${apt[@]}" download pico-sdk-source tinyusb-source
} >>build.log 2>&1 || fail "the Debian mirror $mirror does not give the sources of $suite"

echo "unpacking"
{
    for deb in ./*.deb; do dpkg-deb -x "$deb" deb; done
    rm -rf mp mbedtls
    dpkg-source --no-check --skip-patches -x micropython_*.dsc mp
    dpkg-source --no-check --skip-patches -x mbedtls_*.dsc mbedtls
} >>build.log 2>&1
# Debian strips the bundled libraries: the empty folders are pointed at the packaged ones.
sdk=$PWD/deb/usr/src/pico-sdk tinyusb=$PWD/deb/usr/src/tinyusb
for pair in pico-sdk:"$sdk" tinyusb:"$tinyusb" mbedtls:"$PWD/mbedtls"; do
    rm -rf "mp/lib/${pair%%:*}"
    ln -s "${pair#*:}" "mp/lib/${pair%%:*}"
done
mkdir -p "$sdk/lib" mp/lib/micropython-lib
rm -rf "$sdk/lib/tinyusb"
ln -s "$tinyusb" "$sdk/lib/tinyusb"
touch "$sdk/README.md" mp/lib/micropython-lib/README.md # make asks whether these are there
printf 'freeze("$(PORT_DIR)/modules")\ninclude("$(MPY_DIR)/extmod/asyncio")\n' >manifest.py

echo "compiling (about a minute and a half)"
board=$PWD/mp/ports/rp2/boards/RPI_PICO
{
    make -C mp/mpy-cross -j"$(nproc)"
    make -C mp/ports/rp2 -j"$(nproc)" BOARD=RPI_PICO CMAKE_ARGS="-DPICO_NO_PICOTOOL=1 -DMICROPY_BOARD=RPI_PICO \
        -DMICROPY_BOARD_DIR=$board -DMICROPY_FROZEN_MANIFEST=$PWD/manifest.py"
    python3 mp/tools/uf2conv.py -f 0xe48bff56 -b 0x10000000 -c -o "$out" mp/ports/rp2/build-RPI_PICO/firmware.bin
} >>build.log 2>&1 || fail "the compiler stopped"
