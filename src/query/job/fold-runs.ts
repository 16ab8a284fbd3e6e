import type { JobAnswer } from "../../explain/answer-document.ts";
import type { DerivedJob } from "../../explain/derived-job.ts";
import { presentSeries } from "../../explain/present-lineage.ts";
import { describeRun, type DescribedRun, ownersAboveRun } from "../../explain/run/answer-run.ts";
import { inRun, runMemberOf, runUidOfAnswer } from "../../explain/run/job-in-run.ts";
import { joinedRuns, type NamedRecord } from "../../explain/run/joined-runs.ts";
import type { RunAnswer } from "../../explain/run/run-document.ts";
import { emptyRun, joinRunFacts, type RunMember, type RunRecord } from "../../explain/run/run-record.ts";
import type { ClusterContext } from "../../job/model/cluster-context.ts";
import { compareText } from "../../job/model/compare-text.ts";
import type { RunFact } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { PodRun } from "../../kubernetes/runs/translate-run-pod.ts";
import { runOfJob } from "../../parents/run/run-uid.ts";
import type { ParentRecord } from "../../parents/status/parent-record.ts";
import { withGaps } from "../clusters/known-gaps.ts";
import { RUN_GAPS } from "../runs/run-gaps.ts";

/** The runs of a recording, by the uid of the object that starts the Jobs. */
export type RunRecords = ReadonlyMap<string, RunRecord>;

/** Joins what was observed of objects that Jobs belong to. */
export class RunFactFold {
  readonly records = new Map<string, RunRecord>();

  add(fact: RunFact): void {
    const { runUid } = fact;
    this.records.set(runUid, joinRunFacts(this.records.get(runUid) ?? emptyRun(runUid), [fact]));
  }
}

type FoldedContext = Pick<ClusterContext, "gaps" | "hints">;

/** Collects the runs of a recording while the answers about its Jobs are given. */
export class RunFold {
  readonly #records: Map<string, RunRecord>;
  readonly #parents: ReadonlyMap<string, ParentRecord>;
  readonly #members = new Map<string, Map<string, RunMember>>();

  readonly #context: FoldedContext;

  /** `context`: the recorded gaps of the cluster, and who deleted what. */
  constructor(records: RunRecords, context: FoldedContext = { gaps: [], hints: new Map() }) {
    this.#context = context;
    const parents = new Map([...records.values()].flatMap((record) => [...record.parents]));
    this.#parents = parents;
    this.#records = new Map([...records].map(([uid, record]) => [uid, withParentsAbove(record, parents)]));
  }

  /** The answer with what its run adds: the owners above, and the queue. `withAttempts` has an attempt for each Pod. */
  add(answer: JobAnswer, derived: Pick<DerivedJob, "job" | "usage">, withAttempts: () => JobAnswer): JobAnswer {
    const { job, usage } = derived;
    const { created } = job;
    const record = this.#records.get(runUidOfAnswer(answer));
    const full = record === undefined ? answer : inRun(answer, record, this.#parents);
    const run = created && runOfJob(created);
    if (run !== undefined) {
      const member = { ...runMemberOf(created, withAttempts()), ...(usage !== undefined && { usage }) };
      this.#membersOf(run.uid).set(answer.uid, member);
    }
    return full;
  }

  /** Adds the Pods of a run that have no Job, as the answer about a Job with these Pods. */
  addPods({ key, series, externalIds, ...of }: PodRun, answer: JobAnswer, usage: DerivedJob["usage"]): void {
    const { attempts = [], cause, completeness } = answer;
    const named = { ...of, ...(series !== undefined && { series: presentSeries(series) }) };
    const pods = {
      of: named,
      externalIds,
      attempts,
      level: completeness.level,
      ...(cause !== undefined && { cause }),
      ...(usage !== undefined && { usage }),
    };
    this.#records.set(key, { ...(this.#records.get(key) ?? emptyRun(key)), pods });
  }

  *answers(cluster: string, now: Instant): Generator<RunAnswer> {
    for (const { answer } of this.described(cluster, now)) yield answer;
  }

  /** The runs with what their explanations need, by name. */
  *described(cluster: string, now: Instant): Generator<DescribedRun> {
    for (const { record } of this.#inOrder()) {
      const { gaps, hints } = this.#context;
      const run = describeRun(record, { cluster, now, others: this.#parents, hints });
      if (run !== undefined) yield { ...run, answer: withGaps(run.answer, gaps, RUN_GAPS) };
    }
  }

  #inOrder(): readonly NamedRecord[] {
    for (const [uid, jobs] of this.#members) {
      this.#records.set(uid, { ...(this.#records.get(uid) ?? emptyRun(uid)), jobs });
    }
    return [...joinedRuns(this.#records.values())].sort((a, b) => compareText(sortKeyOf(a), sortKeyOf(b)));
  }

  #membersOf(uid: string): Map<string, RunMember> {
    const known = this.#members.get(uid) ?? new Map<string, RunMember>();
    this.#members.set(uid, known);
    return known;
  }
}

/** With the objects above the one that starts the Jobs, as far as they were observed. */
function withParentsAbove(record: RunRecord, parents: ReadonlyMap<string, ParentRecord>): RunRecord {
  const above = ownersAboveRun({ ...record, parents }).flatMap(({ uid }) => parents.get(uid) ?? []);
  return { ...record, parents: new Map([...record.parents, ...above.map((parent) => [parent.uid, parent] as const)]) };
}

/** Runs of two series may have equal names. */
function sortKeyOf({ identity: { namespace, name, kind, uid, series } }: NamedRecord): string {
  return `${namespace}/${name}/${kind}/${uid}/${series?.name}`;
}
