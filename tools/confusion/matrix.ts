import { RESPONSIBLE, type Responsibility, RETRIES } from "../../src/job/cause/responsibility.ts";
import { EXPECTED, type TrueCause } from "./truth.ts";

/** One Job: what truly happened to it, and what its answer says. */
export interface Judged {
  readonly recording: string;
  readonly job: string;
  readonly truth: TrueCause;
  readonly answer: Responsibility | undefined;
}

const NONE = "none";

/** The matrices of responsibility and retry, and each difference, in Markdown. */
export function matrixText(judged: readonly Judged[]): string {
  const wrong = judged.filter((one) => !isRight(one));
  return [
    summary(judged, wrong),
    "A row is what truly happened, a column what the answer says. `none`: nothing went wrong, or the answer says so.",
    table("responsible", [...RESPONSIBLE, NONE], judged.map(responsibilities)),
    "In the rows of `retry`, `same` includes `other-node`.",
    table("retry", [...RETRIES, NONE], judged.map(retries)),
    "The differences:",
    differences(wrong),
  ].join("\n\n");
}

function summary(judged: readonly Judged[], differing: readonly Judged[]): string {
  const recordings = new Set(judged.map(({ recording }) => recording)).size;
  const well = judged.filter(({ truth }) => truth === "none").length;
  const wrong = differing.filter(({ answer }) => answer !== undefined && answer.responsible !== "unknown").length;
  return [
    `* Jobs that have ended, in ${recordings} recordings: ${judged.length}, of them without trouble: ${well}`,
    `* answers that are right: ${judged.length - differing.length}`,
    `* answers \`unknown\` or \`none\` where the truth is known: ${differing.length - wrong}`,
    `* answers that are wrong: ${wrong}`,
  ].join("\n");
}

export function isRight({ truth, answer }: Judged): boolean {
  const expected = EXPECTED[truth];
  if (expected === undefined || answer === undefined) return expected === answer;
  return expected.responsible === answer.responsible && expected.retries.includes(answer.retry);
}

type Pair = readonly [string, string];

function responsibilities({ truth, answer }: Judged): Pair {
  return [EXPECTED[truth]?.responsible ?? NONE, answer?.responsible ?? NONE];
}

function retries({ truth, answer }: Judged): Pair {
  return [EXPECTED[truth]?.retries[0] ?? NONE, answer?.retry ?? NONE];
}

/** Columns and rows that are empty are left out. */
function table(what: string, values: readonly string[], pairs: readonly Pair[]): string {
  const rows = values.filter((value) => pairs.some(([truly]) => truly === value));
  const columns = values.filter((value) => pairs.some((pair) => pair.includes(value)));
  const counted = (row: string, column: string): string => {
    const count = pairs.filter(([truly, found]) => truly === row && found === column).length;
    return count === 0 ? "" : String(count);
  };
  return [
    [`truly \\ ${what}`, ...columns],
    columns.map(() => "---").concat("---"),
    ...rows.map((row) => [row, ...columns.map((column) => counted(row, column))]),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** One line for the Jobs of a recording with the same difference; it names the first of them. */
function differences(wrong: readonly Judged[]): string {
  const grouped = Map.groupBy(wrong, ({ recording, truth, answer }) => `${recording}|${truth}|${textOf(answer)}`);
  const lines = [...grouped.values()].map((jobs) => {
    const [first] = jobs;
    if (first === undefined) return "";
    const names = [...new Set(jobs.map(({ job }) => job))].slice(0, MAX_NAMES).map((name) => `\`${name}\``);
    const others = jobs.length > names.length ? ` (${jobs.length} Jobs)` : "";
    return `| \`${first.recording}\` | ${names.join(", ")}${others} | ${first.truth} | ${textOf(first.answer)} |`;
  });
  return ["| recording | Jobs | truly | answer |", "| --- | --- | --- | --- |", ...lines].join("\n");
}

const MAX_NAMES = 4;

function textOf(answer: Responsibility | undefined): string {
  return answer === undefined ? NONE : `${answer.responsible}, ${answer.retry}`;
}
