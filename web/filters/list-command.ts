import { shellWord } from "../text/shell-word.ts";

const COMMON = { cluster: "--cluster", created: "--since", attention: "--attention" } as const;

/** The options of a list command, by the parameters of the address that they stand for. */
const OPTIONS = {
  jobs: {
    ...COMMON,
    name: "--name",
    state: "--state",
    labelSelector: "--selector",
    fieldSelector: "--field-selector",
    owner: "--owner",
    run: "--run",
    createdAfter: "--created-after",
    createdBefore: "--created-before",
    finishedAfter: "--finished-after",
    finishedBefore: "--finished-before",
    waiting: "--waiting",
    sort: "--sort",
  },
  runs: {
    ...COMMON,
    kind: "--kind",
    name: "--name",
    state: "--state",
    series: "--series",
    externalId: "--external-id",
    labelSelector: "--selector",
  },
  cronjobs: { cluster: "--cluster", attention: "--attention" },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export interface ListedView {
  readonly list: keyof typeof OPTIONS;
  /** The parameters of the address, as far as the API has them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly server: string;
}

/** The command that prints every row of a list as CSV. */
export function listCommand({ list, parameters, server }: ListedView): string {
  const { namespace } = parameters;
  const options = Object.entries<string>(OPTIONS[list]).flatMap(([name, option]) => {
    const value = parameters[name];
    return value === undefined || value === "" ? [] : [optionText(option, value)];
  });
  const place = namespace === undefined ? "-A" : `-n ${shellWord(namespace)}`;
  const all = list === "cronjobs" ? [] : ["--limit 0"];
  return ["outlive", list, place, ...options, ...all, "-o csv", `--server ${shellWord(server)}`].join(" ");
}

/** Flags have no value. A value after `=` may begin with a minus. */
function optionText(option: string, value: string): string {
  if (value === "true") return option;
  return `${option}=${shellWord(value)}`;
}
