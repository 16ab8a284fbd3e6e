import { parseRetention } from "../retention/retention-option.ts";
import { CLUSTER } from "./common-questions.ts";
import { type Plan, shellWord } from "./plan.ts";
import type { Answers, Question } from "./question.ts";

const SERVER = "http://127.0.0.1:8080";

/** When Jobs are deleted. `outlive serve` and the chart take the same form. */
export const RETENTION: Question = {
  name: "retention",
  value: "days",
  ask: "Days for which Jobs are kept after their end (empty: for ever)",
  fallback: "",
  problem: (days) => {
    try {
      parseRetention(days);
      return undefined;
    } catch {
      return "write a number of days, such as 30, or of hours, such as 36h.";
    }
  },
};

export const MACHINE_QUESTIONS: readonly Question[] = [
  CLUSTER,
  {
    name: "context",
    value: "name",
    ask: "Context of the kubeconfig (empty: the current one)",
    fallback: "",
    problem: (context) => (/^[^\p{Cc}]+$/u.test(context) ? undefined : "a context has no control characters."),
  },
  RETENTION,
];

export interface MachinePlace {
  readonly folder: string;
  /** The program that writes the script: `outlive` may not be on the PATH. */
  readonly program: string;
}

/** A relative path is one of the folder from which the script is called. */
const KUBECONFIG: readonly string[] = [
  'kubeconfig="${KUBECONFIG:-$HOME/.kube/config}"',
  'case "$kubeconfig" in',
  "  *:*)",
  '    echo "error: KUBECONFIG lists several files, and outlive serve reads one. Merge them with" \\',
  '      "\\"kubectl config view --flatten > FILE\\", and set KUBECONFIG to that file." >&2',
  "    exit 2",
  "    ;;",
  "  /*) ;;",
  '  *) kubeconfig="$PWD/$kubeconfig" ;;',
  "esac",
];

/** `outlive serve` on this machine, as a script. */
export function planMachine({ cluster = "", context = "", retention = "" }: Answers, place: MachinePlace): Plan {
  const options = [
    "--database outlive.sqlite",
    '--kubeconfig "$kubeconfig"',
    `--cluster ${shellWord(cluster)}`,
    ...(context === "" ? [] : [`--context ${shellWord(context)}`]),
    ...(retention === "" ? [] : [`--retention ${retention}`]),
  ];
  const text = [
    "#!/bin/sh",
    `# Watches the cluster, and serves its Jobs on ${SERVER}. Written by "outlive init machine".`,
    ...KUBECONFIG,
    'cd "$(dirname "$0")" || exit',
    `exec ${shellWord(place.program)} serve ${options.join(" \\\n  ")} "$@"`,
    "",
  ].join("\n");
  return {
    files: [{ path: "serve.sh", text, isProgram: true }],
    commands: [
      shellWord(`${place.folder}/serve.sh`),
      `outlive doctor --server ${SERVER}`,
      `outlive jobs -A --attention --server ${SERVER}`,
    ],
  };
}
