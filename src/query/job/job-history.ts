import type { FactRef } from "../../explain/answer-document.ts";
import { canonical } from "../../job/model/canonical.ts";
import type { Fact, HintFact, JobFact } from "../../job/model/fact.ts";
import { datedAt, instantOf } from "../../job/model/fact-instant.ts";
import { isPodFact } from "../../job/model/fact.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import { describeFact } from "../../explain/describe-fact.ts";
import type { ScopedReference, UnknownJob } from "./find-job.ts";
import { isAboutJob } from "./is-about-job.ts";
import { loggedFacts, shownFrom } from "./logged-facts.ts";
import { comparePlaces, type Paged, type PageQuery, pageOfItems, type Place } from "../list/page.ts";
import type { QueryPorts } from "../ports.ts";
import { recordOf, loadJob } from "./load-job.ts";

/** One fact of a Job's history, as evidence is written. */
export type HistoryEntry = FactRef;

/**
 * What happened to a Job and its Pods, and the hints about them, by the time the objects themselves name; what happened
 * in the same second, by resourceVersion.
 */
export async function listJobHistory(
  ports: QueryPorts,
  { scope, wanted }: ScopedReference,
  query: PageQuery,
): Promise<Paged<HistoryEntry> | UnknownJob> {
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const record = await recordOf(loaded);
  const facts = new Map<string, PlacedFact>();
  for await (const dated of loggedFacts(ports.log, loaded.view)) {
    const { fact } = dated;
    // Pods elsewhere may name the Job as their owner, and are not its own.
    if (!isPodFact(fact) || record.pods.has(fact.podUid)) keep(facts, fact, datedAt(fact) ?? shownFrom(dated));
  }
  const isAbout = isAboutJob(record);
  for (const hint of [...loaded.clusterContext.hints.values()].flat()) {
    if (isAbout(hint)) keep(facts, hint, instantOf(hint));
  }
  const ordered = inOrder([...facts.values()]);
  const page = pageOfItems(
    { items: ordered, question: { history: record.job.uid }, placeOf: ({ place }) => place },
    query,
  );
  if (page.outcome === "badCursor") return page;
  const names = podNames(record);
  return { ...page, items: page.items.map((entry) => describeEntry(entry, record, names)) };
}

interface PlacedFact {
  readonly fact: JobFact | HintFact;
  /** What history says of when it happened. */
  readonly at: Instant;
  readonly place: Place;
}

/** The same fact may be in several segments: the first one that brought it dates it. */
function keep(facts: Map<string, PlacedFact>, fact: JobFact | HintFact, at: Instant): void {
  const text = canonical(fact);
  const known = facts.get(text);
  if (known === undefined || at < known.at) facts.set(text, placed(fact, at, text.length));
}

function placed(fact: JobFact | HintFact, at: Instant, tieBreak: number): PlacedFact {
  const place = [at, fact.epoch, fact.resourceVersion, subjectOf(fact), rankOf(fact), fact.kind, tieBreak];
  return { fact, at, place };
}

/**
 * In order of time. An object is gone after everything else that happened to it in that second: its own dates are whole
 * seconds, a request's are not.
 */
function inOrder(facts: readonly PlacedFact[]): readonly PlacedFact[] {
  const latest = new Map<string, Instant>();
  for (const { fact, at } of facts) latest.set(targetOf(fact), Math.max(at, latest.get(targetOf(fact)) ?? at));
  const dated = facts.map((entry) => {
    const lastAt = latest.get(targetOf(entry.fact)) ?? entry.at;
    const isEarly = isGone(entry.fact) && lastAt > entry.at && lastAt - entry.at < SECOND;
    return isEarly ? placed(entry.fact, lastAt, Number.MAX_SAFE_INTEGER) : entry;
  });
  return dated.sort((a, b) => comparePlaces(a.place, b.place));
}
const SECOND = 1000;

function isGone({ kind }: Fact): boolean {
  return kind === "PodDeleted" || kind === "PodVanished" || kind === "JobDeleted" || kind === "JobVanished";
}

/** What a fact or a hint is about: a hint may not know the uid. */
function targetOf(fact: JobFact | HintFact): string {
  return "jobUid" in fact ? subjectOf(fact) : (fact.target.uid ?? fact.target.name);
}

function subjectOf(fact: JobFact | HintFact): string {
  if (!("jobUid" in fact)) return fact.hintId;
  return isPodFact(fact) ? fact.podUid : fact.jobUid;
}

/** Of one observation of one object, what came into being is told before what became of it. */
function rankOf({ kind }: Fact): number {
  const rank = [
    "JobCreated",
    "PodCreated",
    "JobSpecified",
    "JobTracked",
    "PodTracked",
    "PodScheduled",
    "PodStarted",
  ].indexOf(kind);
  return rank < 0 ? Number.MAX_SAFE_INTEGER : rank;
}

function podNames({ pods }: JobRecord): ReadonlyMap<string, string> {
  return new Map([...pods.values()].map(({ uid, created }) => [uid, created?.name ?? uid]));
}

function describeEntry({ fact, at }: PlacedFact, { job }: JobRecord, names: ReadonlyMap<string, string>): HistoryEntry {
  return {
    kind: fact.kind,
    time: formatInstant(at),
    resourceVersion: String(fact.resourceVersion),
    object: objectOf(fact, job.created?.name ?? job.uid, names),
    detail: describeFact(fact),
  };
}

function objectOf(fact: JobFact | HintFact, jobName: string, podName: ReadonlyMap<string, string>): string {
  if (!("jobUid" in fact)) return `${fact.target.kind.toLowerCase()}/${fact.target.name}`;
  return isPodFact(fact) ? `pod/${podName.get(fact.podUid) ?? fact.podUid}` : `job/${jobName}`;
}
