#!/usr/bin/env bash
# Builds the container images and runs them with podman (Tests/Container): `setup/test-container.sh PROGRAMS`. Needs root.
# The base is made with debootstrap, so no registry is needed. The storage is a folder of its own, data/containers.
set -euo pipefail
cd "$(dirname "$0")/.."
. setup/steps.sh

programs="${1:-.build/release}"
[ "$(id -u)" = 0 ] || fail "Run this as root: only root can create the Debian in a folder."
for program in podman buildah crun podman-compose; do
  command -v "$program" >/dev/null || fail "$program is missing: run \`setup/setup.sh test-container\`."
done

# crun knows cgroup v1 and v2, but not both at once: hide v2 where it is mounted below v1.
if [ -z "${FAROL_CONTAINER_TEST:-}" ]; then
  export FAROL_CONTAINER_TEST=1
  # shellcheck disable=SC2016
  exec unshare --mount --propagation private sh -c \
    'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi; exec "$@"' sh "$0" "$@"
fi

work="$(mktemp -d)"
storage="$PWD/data/containers"
mkdir -p "$storage"
trap 'podman rm --all --force --time 5 >/dev/null 2>&1; podman volume prune --force >/dev/null 2>&1; rm -rf "$work"' EXIT

runtime=/usr/bin/crun
# Where the limits of this process may not be raised, containers get those of the machine.
(ulimit -Hn 1048576) 2>/dev/null || runtime="$PWD/Tests/Container/runtime/crun"
# netavark, because containers find each other by name with it.
cat >"$work/containers.conf" <<END
[network]
network_backend = "netavark"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "crun"
[engine.runtimes]
crun = ["$runtime"]
END
cat >"$work/storage.conf" <<END
[storage]
driver = "${STORAGE_DRIVER:-overlay}"
graphroot = "$storage"
runroot = "$work/run"
END
export CONTAINERS_CONF="$work/containers.conf" CONTAINERS_STORAGE_CONF="$work/storage.conf"

BASE="${BASE:-debootstrap}" BUILD_FLAGS='--isolation chroot' setup/image.sh "$programs"
say "Running the images"
export PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 Tests/Container "$work"
