import { describeRun, type DescribedRun, seenAtOf, workloadsOf } from "../../explain/run/answer-run.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { RunRecord } from "../../explain/run/run-record.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { queueOf } from "../../parents/run/run-queue.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import { recordOf } from "../../projection/run-state/project-run.ts";
import { mayRead } from "../access/scope.ts";
import type { RunPorts } from "../ports.ts";
import { findRun, findRunByName, type FoundRun, type ScopedRun, type UnknownRun } from "./find-run.ts";
import { marked } from "./list-runs.ts";

export type RunFound =
  | { readonly outcome: "answered"; readonly answer: RunAnswer; readonly others: readonly string[] }
  | UnknownRun;

/** The current answer about a run. */
export async function getRun(ports: RunPorts, run: ScopedRun, now: Instant): Promise<RunFound> {
  const found = await findRun(ports, run);
  if (found.outcome !== "found") return found;
  return { outcome: "answered", answer: await answerFoundRun(ports, run, { found, now }), others: found.others };
}

/** The current answer about a run; `undefined` while it is unknown. Every call reads it again. */
export async function pollRun(ports: RunPorts, run: ScopedRun, now: Instant): Promise<RunAnswer | undefined> {
  const found = await findRunByName(ports, run);
  return found && answerFoundRun(ports, run, { found, now });
}

interface FoundNow {
  readonly found: FoundRun;
  readonly now: Instant;
}

async function answerFoundRun(ports: RunPorts, run: ScopedRun, found: FoundNow): Promise<RunAnswer> {
  return (await describeFoundRun(ports, run, found))?.answer ?? found.found.answer;
}

/** The current answer about a run that was found, with what explains it. */
export async function describeFoundRun(
  ports: RunPorts,
  run: ScopedRun,
  { found, now }: FoundNow,
): Promise<DescribedRun | undefined> {
  const { record } = found;
  const others = await preemptorsOf(ports, run, record);
  const described = describeRun(record, { cluster: run.wanted.cluster, now: seenAtOf(record), others });
  if (described === undefined) return undefined;
  const [answer = described.answer] = await marked(ports, [described.answer], now);
  return { ...described, answer };
}

/** The most preemptors that are named. */
const MAX_PREEMPTORS = 8;

/** The Workloads that preempted this run, as far as the reader may see them: their names are those of other runs. */
async function preemptorsOf(
  { runs }: RunPorts,
  { scope, wanted: { cluster } }: ScopedRun,
  record: RunRecord,
): Promise<ReadonlyMap<string, ParentRecord>> {
  const evictions = queueOf(workloadsOf(record))?.evictions ?? [];
  const owners = new Set(evictions.flatMap(({ by }) => decodeJobUid(by?.ownerUid) ?? []));
  const stored = await Promise.all(
    [...owners].slice(-MAX_PREEMPTORS).map(async (jobUid) => recordOf(jobUid, await runs.read({ cluster, jobUid }))),
  );
  const workloads = stored
    .flatMap(workloadsOf)
    .filter(({ first }) => first !== undefined && mayRead(scope, cluster, first.namespace));
  return new Map(workloads.map((workload) => [workload.uid, workload]));
}
