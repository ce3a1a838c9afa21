# shellcheck shell=bash disable=SC2154
# What the servers in this folder share; sourced, not run. A server's script defines `programs` (installs what
# is missing), `ports` (how many it takes in a row) and `start`; then it calls `main "$@"`.
#
# The processes of a server are those in DIR/*.pid. Nothing else is ever signalled, and not even those unless their
# command line still names DIR: a process id may have been given to someone else since.

source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

access_key=${S3_ACCESS_KEY:-testaccesskey}
secret_key=${S3_SECRET_KEY:-testsecretkey0123456789}

main() {
  case ${1:-}:$# in
    install:1) programs ;;
    start:2 | start:3) DIR=$(realpath -m "$2") && prepare "${3:-0}" && start && print_access ;;
    stop:2) DIR=$(realpath -m "$2") && stop ;;
    *) manual >&2 && exit 64 ;;
  esac
}

prepare() { # PORT
  mkdir -p "$DIR/log"
  ! compgen -G "$DIR/*.pid" >/dev/null || die 75 "$DIR holds a server that was started: stop it first"
  PORT=$1
  ((PORT)) || PORT=$(free_ports)
  ! listens "$PORT" || die 69 "port $PORT is taken"
  programs
}

print_access() {
  printf 'S3_ENDPOINT=http://127.0.0.1:%s\nAWS_ACCESS_KEY_ID=%s\nAWS_SECRET_ACCESS_KEY=%s\n' \
    "$PORT" "$access_key" "$secret_key"
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# The first port of `ports` free ones in a row, below the range that the kernel hands out to clients.
free_ports() {
  local base port
  for _ in {1..200}; do
    base=$((10000 + RANDOM % 20000))
    for ((port = base; port < base + ports; port++)); do
      ! listens "$port" || continue 2
    done
    echo "$base"
    return
  done
  die 69 "found no $ports free ports in a row"
}

answers_http() {
  local line=
  { exec 3<>"/dev/tcp/127.0.0.1/$PORT" && printf 'GET / HTTP/1.0\r\n\r\n' >&3 && read -rt 5 line <&3; } 2>/dev/null
  { exec 3>&-; } 2>/dev/null
  [[ $line == HTTP/* ]]
}

launch() { # NAME PROGRAM ARGUMENT...: in the background, in a session of its own; one argument must name DIR
  local name=$1
  shift
  setsid nohup "$@" </dev/null >"$DIR/log/$name.out" 2>&1 &
  echo $! >"$DIR/$name.pid"
}

wait_for() { # NAME SECONDS COMMAND...: until COMMAND succeeds, while process NAME lives
  local name=$1 end=$((SECONDS + $2))
  shift 2
  until "$@"; do
    kill -0 "$(<"$DIR/$name.pid")" 2>/dev/null || fail "$name ended before it was ready"
    ((SECONDS < end)) || fail "$name was not ready in time"
    sleep 0.1
  done
}

fail() { # MESSAGE
  say "$1; its log:"
  tail -n 5 "$DIR"/log/*.out >&2
  stop
  exit 69
}

ours() { # PID
  [[ $(tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline") == *"$DIR/"* ]]
}

stop() { # the newest first: a gateway goes before the store under it
  local file pid
  while read -r file; do
    pid=$(<"$file")
    if ours "$pid"; then
      kill "$pid" 2>/dev/null || true
      for _ in {1..50}; do
        ours "$pid" || break
        sleep 0.1
      done
      ! ours "$pid" || kill -9 "$pid" 2>/dev/null || true
    fi
    rm -f "$file"
  done < <(ls -t "$DIR"/*.pid 2>/dev/null)
}
