import { describeRun, type DescribedRun, readRun, seenAtOf } from "../../explain/run/answer-run.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { RunRecord } from "../../explain/run/run-record.ts";
import { type ClusterContext, hintKey } from "../../job/model/cluster-context.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { deletedTarget } from "../../parents/run/run-deletion.ts";
import { readHints } from "../clusters/cluster-records.ts";
import type { RunPorts } from "../ports.ts";
import { findRun, findRunByName, type FoundRun, type ScopedRun, type UnknownRun } from "./find-run.ts";
import { marked } from "./list-runs.ts";
import { withLiveUsage } from "./live-usage.ts";
import { preemptorsOf } from "./preemptors.ts";

export type RunFound =
  | { readonly outcome: "answered"; readonly answer: RunAnswer; readonly others: readonly string[] }
  | UnknownRun;

/** The current answer about a run, with what its Jobs reserve. */
export async function getRun(ports: RunPorts, run: ScopedRun, now: Instant): Promise<RunFound> {
  const found = await findRun(ports, run);
  if (found.outcome !== "found") return found;
  const { record, asOf } = await withLiveUsage(ports, { cluster: run.wanted.cluster, record: found.record }, now);
  const answer = await answerFoundRun(ports, run, { found: { ...found, record }, now, asOf });
  return { outcome: "answered", answer, others: found.others };
}

/** The current answer about a run; `undefined` while it is unknown. Every call reads it again. */
export async function pollRun(ports: RunPorts, run: ScopedRun, now: Instant): Promise<RunAnswer | undefined> {
  const found = await findRunByName(ports, run);
  return found && answerFoundRun(ports, run, { found, now });
}

interface FoundNow {
  readonly found: FoundRun;
  readonly now: Instant;
  /** @default the latest instant that is known of the run */
  readonly asOf?: Instant;
}

async function answerFoundRun(ports: RunPorts, run: ScopedRun, found: FoundNow): Promise<RunAnswer> {
  return (await describeFoundRun(ports, run, found))?.answer ?? found.found.answer;
}

/** The current answer about a run that was found, with what explains it. */
export async function describeFoundRun(
  ports: RunPorts,
  run: ScopedRun,
  { found, now, asOf = seenAtOf(found.record) }: FoundNow,
): Promise<DescribedRun | undefined> {
  const { record } = found;
  const { cluster } = run.wanted;
  const others = await preemptorsOf(ports.runs, { scope: run.scope, cluster }, record);
  const hints = await hintsAbout(ports, cluster, record);
  const described = describeRun(record, { cluster, now: asOf, others, hints });
  if (described === undefined) return undefined;
  const [answer = described.answer] = await marked(ports, [described.answer], now);
  return { ...described, answer };
}

/** Those that name who deleted its object: one read for a run that was deleted. */
async function hintsAbout(
  { meta }: RunPorts,
  cluster: ClusterName,
  record: RunRecord,
): Promise<ClusterContext["hints"]> {
  const parent = readRun(record)?.parent;
  const target = parent && deletedTarget(parent);
  if (target === undefined) return new Map();
  return new Map([[hintKey(target), (await readHints(meta, cluster, target)).hints]]);
}
