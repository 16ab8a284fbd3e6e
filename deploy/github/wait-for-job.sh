#!/usr/bin/env bash
# The step of action.yml: waits for a Job, and annotates the run with the first line of `outlive why` if it is not as
# wanted. Exit status as `outlive wait`: 0 met, 1 ended otherwise, 2 usage or server, 3 timed out or unknown Job.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Text from a cluster is data: it must not end an annotation or begin another command.
escape_data() { local text=${1//'%'/%25}; text=${text//$'\r'/%0D}; printf '%s' "${text//$'\n'/%0A}"; }
escape_property() { local text; text=$(escape_data "$1"); text=${text//:/%3A}; printf '%s' "${text//,/%2C}"; }
annotate() { printf '::%s title=%s::%s\n' "$1" "$(escape_property "$2")" "$(escape_data "$3")"; }
# The runner reads ##[command] anywhere in a line, and a carriage return as the end of a line.
without_commands() { tr -d '\r' | sed 's/##\[/## [/g'; }
# It reads ::command:: after any white space at the beginning of a line.
print_lines() { printf '%s\n' "$@" | sed 's/^/| /'; }

# Without OUTLIVE_COMMAND, the checkout of the action runs with the dependencies of its lock file, which has a hash of
# each. No dependency runs a script or gets the token.
read -r -a outlive <<<"${OUTLIVE_COMMAND:-}"
if [ "${#outlive[@]}" = 0 ]; then
  if ! node -e 'process.exit(Number.parseInt(process.versions.node, 10) >= 24 ? 0 : 1)' >/dev/null 2>&1; then
    found=$(node --version 2>/dev/null || echo none)
    remedy="Add actions/setup-node with node-version 24 before it."
    annotate error "Outlive" "The action needs Node 24 and found $found. $remedy"
    exit 2
  fi
  outlive=(node "$root/cli/outlive.js")
  if [ ! -e "$root/node_modules/.package-lock.json" ]; then
    install=(npm ci --omit=dev --ignore-scripts --no-audit --no-fund)
    if ! message=$(cd "$root" && env -u OUTLIVE_TOKEN "${install[@]}" 2>&1 | without_commands); then
      print_lines "$message"
      annotate error "Outlive" "Cannot install the dependencies of the action: npm ci failed. Its output is above."
      exit 2
    fi
  fi
fi
[ -n "${OUTLIVE_TOKEN:-}" ] || unset OUTLIVE_TOKEN
place=(--namespace "${JOB_NAMESPACE:-default}")
[ -z "${JOB_CLUSTER:-}" ] || place+=(--cluster "$JOB_CLUSTER")
job="job/${JOB:?Set the input job to the name of a Job.}"
goal=(--for "${JOB_GOAL:-complete}" --timeout "${JOB_TIMEOUT:-30m}")

message=$("${outlive[@]}" wait "$job" "${place[@]}" "${goal[@]}" 2>&1 | without_commands)
status=$?
why=$("${outlive[@]}" why "$job" "${place[@]}" --color never 2>/dev/null | without_commands)
cause=${why%%$'\n'*}
text=${cause:-$message}

print_lines "$message" "$why"
if [ "$status" = 0 ]; then
  annotate notice "Job $JOB" "$text"
else
  annotate error "Job $JOB: exit status $status" "$text"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'status=%s\ncause=%s\n' "$status" "$cause" >>"$GITHUB_OUTPUT"
fi
exit "$status"
