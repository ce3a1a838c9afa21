# shellcheck shell=bash
# Shell pieces that the scripts and Tests/Servers share; sourced, not run.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() { # STATUS MESSAGE
  local status=$1
  shift
  say "$@"
  exit "$status"
}

# Prints the comment at the head of the script that runs, which is its manual.
manual() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

has() { type -P "$1" >/dev/null; }

as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }

need_root() { # WHAT FOR
  ((EUID == 0)) || has sudo || die 69 "only root may $1, and there is no sudo: do that as root, then start again"
}

apt_install() { # PACKAGE...: package lists that are missing or stale are fetched only when they are needed
  local install=(
    env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 install -qq -y --no-install-recommends "$@"
  )
  has apt-get || die 69 "there is no apt-get here; install what corresponds to the Debian packages: $*"
  need_root "install $*"
  say "installing through apt: $*"
  as_root "${install[@]}" >/dev/null 2>&1 && return
  as_root apt-get update -qq >&2 || say 'apt-get update failed; going on with the package lists that are here'
  as_root "${install[@]}" >&2 || die 69 "apt-get could not install: $*"
}

# Where the tests' own Python packages live; survives a fresh clone.
tools_cache() { printf '%s/sync-tests\n' "${XDG_CACHE_HOME:-${HOME:?HOME is not set, nor is XDG_CACHE_HOME}/.cache}"; }

tools_venv() { printf '%s/venv\n' "$(tools_cache)"; }

venv_install() { # PACKAGE...: from PyPI into the tests' own virtual environment
  local venv
  venv=$(tools_venv)
  if [[ ! -x $venv/bin/pip ]]; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || apt_install python3 python3-venv
    python3 -m venv --clear "$venv" >&2 || die 69 "could not make a Python environment in $venv"
  fi
  say "installing from PyPI into $venv: $*"
  "$venv/bin/pip" install -q --disable-pip-version-check "$@" >&2 || die 69 "pip could not install: $*"
}
