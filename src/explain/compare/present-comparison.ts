import type { JobAnswer } from "../answer-document.ts";
import type { RunAnswer } from "../run/run-document.ts";
import { list, sentence } from "../../job/text/sentence.ts";
import { type ComparedField, compareSides, groupOf, type Side, type SideValue } from "./compared-field.ts";
import type { ComparedFieldAnswer, ComparedSubject, ComparisonAnswer, SideValueAnswer } from "./comparison-document.ts";
import { fieldTitle, sideText } from "./field-text.ts";

/** A Job or run as one of the two. */
export interface Compared {
  readonly subject: ComparedSubject;
  readonly side: Side;
}

/** What is known besides the two. */
export type ComparisonContext = Pick<ComparisonAnswer, "chosen" | "expected" | "noExpectation">;

/** The answer about two runs. */
export function presentComparison(before: Compared, after: Compared, context: ComparisonContext): ComparisonAnswer {
  const fields = compareSides(before.side, after.side);
  const differences = fields.filter(({ outcome }) => outcome === "different");
  return {
    answer: comparisonText({ before: before.subject, after: after.subject, fields }),
    ...context,
    before: before.subject,
    after: after.subject,
    differences: differences.map(presentField),
    equal: fields.filter(({ outcome }) => outcome === "equal").map(presentField),
    unknown: fields.filter(({ outcome }) => outcome === "unknown").map(presentField),
  };
}

/** The answer about a run that has no good run before it. */
export function presentWithoutLastGood(
  after: ComparedSubject,
  noLastGood: NonNullable<ComparisonAnswer["noLastGood"]>,
): ComparisonAnswer {
  const { message } = noLastGood;
  return { answer: message, chosen: "lastGood", after, noLastGood, differences: [], equal: [], unknown: [] };
}

export function jobSubject(job: JobAnswer): ComparedSubject {
  return { ...subjectOf(job), kind: "Job", uid: job.uid };
}

export function runSubject(run: RunAnswer): ComparedSubject {
  return { ...subjectOf(run), kind: run.kind, ...(run.uid !== undefined && { uid: run.uid }) };
}

function subjectOf({ cluster, namespace, name, createdAt, finishedAt, verdict, completeness }: JobAnswer | RunAnswer) {
  return {
    cluster,
    namespace,
    name,
    ...(createdAt !== undefined && { createdAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    state: verdict.state,
    completeness: completeness.level,
  };
}

function presentField({ kind, key, before, after }: ComparedField): ComparedFieldAnswer {
  const field = { kind, ...(key !== undefined && { key }) };
  return {
    ...field,
    group: groupOf(kind),
    title: fieldTitle(field),
    before: presentSide(field, before),
    after: presentSide(field, after),
  };
}

function presentSide(field: Pick<ComparedField, "kind" | "key">, side: SideValue): SideValueAnswer {
  return {
    text: sideText(field, side),
    ...(side.is === "known" && { value: side.value }),
    ...(side.is === "unknown" && { unknown: side.why }),
  };
}

interface Told {
  readonly before: ComparedSubject;
  readonly after: ComparedSubject;
  readonly fields: readonly ComparedField[];
}

/** The most settings that the answer names. */
const MOST_NAMED = 3;

/** Settings come first: they are what a person can change. */
function comparisonText({ before, after, fields }: Told): string {
  const of = before.createdAt === undefined ? "" : ` of ${before.createdAt}`;
  const states = `${after.name} is ${after.state}; ${before.name}${of} is ${before.state}.`;
  const settings = fields.filter(({ kind, outcome }) => groupOf(kind) === "settings" && outcome === "different");
  const isUnknown = fields.some(({ kind, outcome }) => kind === "image" && outcome === "unknown");
  const images = isUnknown ? " Whether images differ is unknown." : "";
  if (settings.length === 0) return `${states} No recorded setting differs.${images}`;
  const named = settings.map((field) => `${fieldTitle(field)} ${sideText(field, field.after)} (${beforeText(field)})`);
  return `${states} Settings that differ: ${sentence(list(named, MOST_NAMED))}${images}`;
}

function beforeText(field: ComparedField): string {
  return `before: ${sideText(field, field.before)}`;
}
