#!/usr/bin/env bash
# The step of action.yml: waits for a Job, and annotates the run with the first line of `outlive why` if it is not as
# wanted. Exit status as `outlive wait`: 0 met, 1 ended otherwise, 2 usage or server, 3 timed out or unknown Job.
set -uo pipefail

read -r -a outlive <<<"${OUTLIVE_COMMAND:-npx --yes outlive}"
[ -n "${OUTLIVE_TOKEN:-}" ] || unset OUTLIVE_TOKEN
place=(--namespace "${JOB_NAMESPACE:-default}")
[ -z "${JOB_CLUSTER:-}" ] || place+=(--cluster "$JOB_CLUSTER")
job="job/${JOB:?Set the input job to the name of a Job.}"

# Text from a cluster is data: it must not end an annotation or begin another command.
escape_data() { local text=${1//'%'/%25}; text=${text//$'\r'/%0D}; printf '%s' "${text//$'\n'/%0A}"; }
escape_property() { local text; text=$(escape_data "$1"); text=${text//:/%3A}; printf '%s' "${text//,/%2C}"; }

message=$("${outlive[@]}" wait "$job" "${place[@]}" --for "${JOB_GOAL:-complete}" --timeout "${JOB_TIMEOUT:-30m}" 2>&1)
status=$?
why=$("${outlive[@]}" why "$job" "${place[@]}" --color never 2>/dev/null)
cause=${why%%$'\n'*}
text=${cause:-$message}

# GitHub would read "::" at the beginning of a line as a command.
printf '%s\n' "$message" "$why" | sed -E 's/^[[:space:]]*::/ : :/'
if [ "$status" = 0 ]; then
  echo "::notice title=$(escape_property "Job $JOB")::$(escape_data "$text")"
else
  echo "::error title=$(escape_property "Job $JOB: exit status $status")::$(escape_data "$text")"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  # A value of one line cannot contain another output.
  printf 'status=%s\ncause=%s\n' "$status" "${cause//[$'\r\n']/ }" >>"$GITHUB_OUTPUT"
fi
exit "$status"
