import type { ComparisonAnswer } from "../../explain/compare/comparison-document.ts";
import { lastGoodOf } from "../../explain/compare/last-good.ts";
import { noLastGoodOf } from "../../explain/compare/last-good-text.ts";
import {
  type Compared,
  presentComparison,
  presentWithoutLastGood,
  runSubject,
} from "../../explain/compare/present-comparison.ts";
import { runSide } from "../../explain/compare/run-side.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { mayRead } from "../access/scope.ts";
import { rememberedMeta } from "../clusters/remembered-meta.ts";
import type { RunPorts } from "../ports.ts";
import { answerRow } from "../runs/answer-row.ts";
import type { ScopedRun, UnknownRun } from "../runs/find-run.ts";
import { getRun } from "../runs/get-run.ts";
import { listRuns, marked } from "../runs/list-runs.ts";
import type { CompareOptions } from "./compare-jobs.ts";

export type RunsCompared =
  | { readonly outcome: "compared"; readonly comparison: ComparisonAnswer }
  /** No run of the namespace has the uid of the other one. */
  | { readonly outcome: "unknownOther" }
  | UnknownRun;

/** A run beside another one of its namespace. Reads the records of both, and not their Jobs. */
export async function compareRuns(
  { meta, ...stores }: RunPorts,
  run: ScopedRun,
  { other, now }: CompareOptions,
): Promise<RunsCompared> {
  const ports = { ...stores, meta: rememberedMeta(meta) };
  const found = await getRun(ports, run, now);
  if (found.outcome !== "answered") return found;
  const after = compared(found.answer);
  if (other !== undefined) {
    const before = await readOther(ports, run, { other, now });
    if (before === undefined) return { outcome: "unknownOther" };
    return { outcome: "compared", comparison: presentComparison(compared(before), after, { chosen: "given" }) };
  }
  const last = await lastGoodRun(ports, run, { answer: found.answer, now });
  const comparison =
    last.outcome === "found"
      ? presentComparison(compared(last.answer), after, { chosen: "lastGood" })
      : presentWithoutLastGood(after.subject, last.noLastGood);
  return { outcome: "compared", comparison };
}

function compared(answer: RunAnswer): Compared {
  return { subject: runSubject(answer), side: runSide(answer) };
}

/** By its uid; of a run without an object, by its name. */
async function readOther(
  ports: RunPorts,
  run: ScopedRun,
  { other, now }: { readonly other: string; readonly now: Instant },
): Promise<RunAnswer | undefined> {
  const { cluster, namespace } = run.wanted;
  const jobUid = decodeJobUid(other);
  if (jobUid === undefined || !mayRead(run.scope, cluster, namespace)) return undefined;
  const row = (await ports.runs.read({ cluster, jobUid }))?.row;
  const answer = row?.namespace === namespace ? answerRow({ ...row, jobUid, cluster }) : undefined;
  if (answer !== undefined) return (await marked(ports, [answer], now))[0];
  const named = await getRun(ports, { scope: run.scope, wanted: { ...run.wanted, name: other, uid: undefined } }, now);
  return named.outcome === "answered" ? named.answer : undefined;
}

type LastGoodRun =
  | { readonly outcome: "found"; readonly answer: RunAnswer }
  | { readonly outcome: "none"; readonly noLastGood: NonNullable<ComparisonAnswer["noLastGood"]> };

/** The most runs that are judged. */
const MOST_RUNS = 50;

/** The last good run of the series, else of the name. */
async function lastGoodRun(
  ports: RunPorts,
  { scope, wanted: { cluster, namespace } }: ScopedRun,
  { answer, now }: { readonly answer: RunAnswer; readonly now: Instant },
): Promise<LastGoodRun> {
  const { series, name, kind } = answer;
  const createdAt = createdAtOf(answer);
  const same = series === undefined ? { kind, name } : { series: `${series.kind}/${series.name}` };
  const filter = { cluster, namespace, createdBefore: createdAt, ...same };
  const page = await listRuns(ports, scope, { filter, written: filter, limit: MOST_RUNS, now });
  const earlier = page.outcome === "listed" ? page.items : [];
  const last = lastGoodOf(earlier.map(asEarlier), createdAt);
  if (last.outcome === "found") return { outcome: "found", answer: last.run.answer };
  const which = series === undefined ? `named ${name}` : `of ${series.kind} ${series.name}`;
  const isPart = page.outcome === "listed" && page.nextCursor !== undefined;
  const looked = isPart ? "Only the runs shortly before it were searched." : undefined;
  return { outcome: "none", noLastGood: noLastGoodOf(last.reason, which, looked) };
}

function asEarlier(answer: RunAnswer) {
  const { uid = "", verdict, completeness } = answer;
  const isComplete = verdict.state === "Complete";
  return { uid, createdAt: createdAtOf(answer), isComplete, isAcrossGap: completeness.level !== "complete", answer };
}

function createdAtOf({ createdAt }: RunAnswer): Instant {
  return parseInstant(createdAt) ?? 0;
}
