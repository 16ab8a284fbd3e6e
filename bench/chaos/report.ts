import { FAULT_KINDS, type Fault, type FaultKind } from "./schedule.ts";
import { RULES, type Violation } from "./violation.ts";

/** The figures of one run. */
export interface RunReport {
  readonly seed: number;
  readonly minutes: number;
  readonly path: string;
  /** Injected faults by kind, and those that this machine does not allow. */
  readonly faults: Readonly<Record<FaultKind, number>>;
  readonly notInjected: number;
  readonly jobs: number;
  readonly trueEvents: number;
  readonly segments: number;
  readonly gaps: number;
  readonly lostInGaps: number;
  readonly questions: number;
  readonly unanswered: number;
  readonly judgedAnswers: number;
  readonly violations: readonly Violation[];
}

export function countFaults(faults: readonly Fault[]): Readonly<Record<FaultKind, number>> {
  const counts = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  for (const { kind } of faults) counts[kind] += 1;
  return counts;
}

const MOST_LISTED = 10;

/** The report as a table, and the first violations of each promise. */
export function reportText(report: RunReport): string {
  const { faults, violations, ...figures } = report;
  const rows: (readonly [string, string])[] = [
    ...Object.entries(figures).map(([name, value]) => [words(name), String(value)] as const),
    ...FAULT_KINDS.map((kind) => [`faults: ${kind}`, String(faults[kind])] as const),
    ...RULES.map((rule) => [rule, violationsText(violations.filter((one) => one.rule === rule).length)] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const listed = RULES.flatMap((rule) => violations.filter((one) => one.rule === rule).slice(0, MOST_LISTED));
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...listed.map(({ rule, subject, detail }) => `VIOLATION: ${rule}. ${subject}: ${detail}`),
  ].join("\n");
}

function violationsText(count: number): string {
  return count === 0 ? "held" : `${count} violations`;
}

/** "trueEvents" as "true events". */
function words(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** All runs of a command. */
export interface Summary {
  readonly runs: readonly RunReport[];
  readonly faults: Readonly<Record<FaultKind, number>>;
  readonly violations: number;
}

export function summaryOf(runs: readonly RunReport[]): Summary {
  const faults = Object.fromEntries(
    FAULT_KINDS.map((kind) => [kind, runs.reduce((sum, run) => sum + run.faults[kind], 0)]),
  ) as Record<FaultKind, number>;
  return { runs, faults, violations: runs.reduce((sum, { violations }) => sum + violations.length, 0) };
}

export function summaryText(runs: readonly RunReport[]): string {
  const { faults, violations } = summaryOf(runs);
  const byKind = FAULT_KINDS.map((kind) => `${kind} ${faults[kind]}`).join(", ");
  return `${runs.length} runs, ${violations} violations. Faults: ${byKind}.`;
}
