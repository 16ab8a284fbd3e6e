import type { Gap } from "../../../src/explain/answer-document.ts";
import type { WhyAnswer } from "../../../src/query/job/explain-job.ts";
import { NOT_REPORTING_AFTER } from "../../clusters/cluster-freshness.ts";
import { localTime, millisOf } from "../../text/instant-text.ts";
import type { JobWithGenerations } from "../job-with-generations.ts";

/** An instant behind the Pods. */
export interface Mark {
  readonly at: number;
  readonly text: string;
  readonly kind: "job" | "node";
}

/** An interval behind the Pods; `undefined` is the edge of the axis. */
export interface Band {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly text: string;
}

/** The Job's own milestones, and events of the Nodes that its Pods ran on. */
export function marksOf(job: JobWithGenerations, why: WhyAnswer | undefined): readonly Mark[] {
  const nodes = [...job.findings.flatMap(({ evidence }) => evidence), ...chainOf(why)].filter(({ object = "" }) =>
    object.startsWith("node/"),
  );
  const marks = [
    mark(job.startedAt, "Job started", "job"),
    mark(job.finishedAt, `Job ${job.verdict.state === "Failed" ? "failed" : "finished"}`, "job"),
    ...nodes.map(({ time, object = "", detail = "" }) => mark(time, `${object.slice(5)} ${detail}`, "node")),
  ];
  const unique = new Map(marks.flatMap((one) => (one === undefined ? [] : [[`${one.at} ${one.text}`, one]])));
  return [...unique.values()].sort((a, b) => a.at - b.at);
}

function chainOf(why: WhyAnswer | undefined) {
  return (why?.chain ?? []).map(({ time, object, sentence }) => ({ time, object, detail: asClause(sentence) }));
}

/** A sentence of the chain as a clause, as evidence has it, so that the same event is recognised. */
function asClause(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");
}

function mark(time: string | undefined, text: string, kind: Mark["kind"]): Mark | undefined {
  const at = millisOf(time);
  return at === undefined ? undefined : { at, text, kind };
}

export function bandsOf(gaps: readonly Gap[]): readonly Band[] {
  return gaps.map(({ from, to, reason }) => ({
    from: millisOf(from),
    to: millisOf(to),
    text: `monitoring gap: ${reason}`,
  }));
}

/** The time at the end of an axis for which the cluster sent nothing, if it is longer than a cluster may be quiet. */
export function silenceBefore(to: number, heardAt: number | undefined): readonly Band[] {
  if (heardAt === undefined || to - heardAt <= NOT_REPORTING_AFTER) return [];
  return [{ from: heardAt, to, text: "no data from the cluster" }];
}

export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly isObserved: boolean;
}

/** The pieces of a time, in order: those outside of all bands were observed. */
export function piecesOf({ from, to }: Pick<Piece, "from" | "to">, bands: readonly Band[]): readonly Piece[] {
  const inside = (at: number) => bands.some((band) => (band.from ?? from) <= at && at < (band.to ?? to));
  const edges = bands.flatMap((band) => [band.from ?? from, band.to ?? to]).filter((at) => from < at && at < to);
  const cuts = [...new Set([from, ...edges, to])].sort((a, b) => a - b);
  return cuts.slice(1).map((end, index) => {
    const begin = cuts[index] ?? from;
    return { from: begin, to: end, isObserved: !inside(begin) };
  });
}

/** The marks as text. */
export function markTexts(marks: readonly Mark[]): readonly string[] {
  return marks.map(({ at, text }) => `${localTime(at)} ${text}`);
}
