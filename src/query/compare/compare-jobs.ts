import type { ComparisonAnswer } from "../../explain/compare/comparison-document.ts";
import { jobSide } from "../../explain/compare/job-side.ts";
import { PodTraitSearch } from "../../explain/compare/pod-traits.ts";
import {
  type Compared,
  jobSubject,
  presentComparison,
  presentWithoutLastGood,
} from "../../explain/compare/present-comparison.ts";
import { presentExpectation } from "../../explain/expectation/expectation-text.ts";
import { presentJob } from "../../explain/present-job.ts";
import { currentSpec } from "../../job/model/current-spec.ts";
import { decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { expectationOf } from "../../parents/series/expectation.ts";
import { templateOf } from "../../parents/series/past-run.ts";
import { mayRead } from "../access/scope.ts";
import { rememberedMeta } from "../clusters/remembered-meta.ts";
import type { ScopedReference, UnknownJob } from "../job/find-job.ts";
import { deriveLoaded, type LoadedJob, loadFound, loadJob, rulesOf } from "../job/load-job.ts";
import type { QueryPorts } from "../ports.ts";
import { type AnsweredJob, lastGoodJob } from "./last-good-job.ts";
import { readImages } from "./read-images.ts";

export interface CompareOptions {
  readonly now: Instant;
  /** The uid of the other one. @default the last good one */
  readonly other?: string | undefined;
}

export type JobsCompared =
  | { readonly outcome: "compared"; readonly comparison: ComparisonAnswer }
  /** No Job of the namespace has the uid of the other one. */
  | { readonly outcome: "unknownOther" }
  | UnknownJob;

/** A Job beside another one of its namespace. Reads both of them, with all of their Pods. */
export async function compareJobs(
  { meta, ...stores }: QueryPorts,
  { scope, wanted }: ScopedReference,
  { other, now }: CompareOptions,
): Promise<JobsCompared> {
  const ports = { ...stores, meta: rememberedMeta(meta) };
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const after = await compared(loaded, now);
  const last = other === undefined ? await lastGoodJob({ ports, scope }, after) : undefined;
  if (last?.outcome === "none") {
    return { outcome: "compared", comparison: presentWithoutLastGood(after.subject, last.noLastGood) };
  }
  const before = await loadOther(ports, { scope, wanted }, last?.uid ?? other);
  if (before === undefined) return { outcome: "unknownOther" };
  const chosen = last === undefined ? "given" : "lastGood";
  const usual = await usualOf(before);
  return {
    outcome: "compared",
    comparison: presentComparison(await compared(before, now), after, { chosen, ...usual }),
  };
}

/** Another Job of the same namespace, with any name. */
async function loadOther(
  ports: QueryPorts,
  { scope, wanted: { cluster, namespace } }: ScopedReference,
  uid: string | undefined,
): Promise<LoadedJob | undefined> {
  const jobUid = decodeJobUid(uid);
  if (jobUid === undefined || !mayRead(scope, cluster, namespace)) return undefined;
  const stored = await ports.jobs.read({ cluster, jobUid });
  if (stored?.row?.namespace !== namespace) return undefined;
  return loadFound(ports, cluster, { outcome: "found", jobUid, stored, generations: [] });
}

async function compared(loaded: LoadedJob, now: Instant): Promise<Compared & AnsweredJob> {
  const { view, clusterContext, cluster } = loaded;
  const search = new PodTraitSearch({ job: view.job, clusterContext, rules: rulesOf(loaded) });
  const derived = await deriveLoaded(loaded, { now, visit: (pod) => search.visit(pod) });
  const described = { derived, answer: presentJob(derived, { cluster }), traits: search.found() };
  const { answer } = described;
  const side = jobSide({ ...described, images: await readImages(loaded) });
  return { loaded, answer, subject: jobSubject(answer), side };
}

/** How long runs of its series usually take, with its template. */
async function usualOf(loaded: LoadedJob) {
  const { view, clusterContext } = loaded;
  const [runs, spec] = [await loaded.pastRuns(), currentSpec(view.job)];
  if (runs === undefined || spec === undefined) return {};
  const usual = expectationOf(runs, { template: templateOf(spec), elapsed: 0 }, clusterContext.gaps);
  const { expected, noExpectation } = presentExpectation(usual);
  if (expected === undefined) return noExpectation === undefined ? {} : { noExpectation };
  const { remaining: _, ...ofRun } = expected;
  return { expected: ofRun };
}
