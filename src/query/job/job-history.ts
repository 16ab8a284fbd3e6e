import * as v from "valibot";
import { type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import { canonical } from "../../job/model/canonical.ts";
import type { Fact, HintFact, JobFact } from "../../job/model/fact.ts";
import { datedAt, instantOf } from "../../job/model/fact-instant.ts";
import { isPodFact } from "../../job/model/fact.ts";
import { podName } from "../../job/model/evidence.ts";
import { decodePodUid } from "../../job/model/ids.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { JobRecord } from "../../job/model/job-record.ts";
import { describeFact } from "../../explain/describe-fact.ts";
import type { ScopedReference, UnknownJob } from "./find-job.ts";
import { isAboutJob } from "./is-about-job.ts";
import { type DatedFact, loggedFacts, shownFrom } from "./logged-facts.ts";
import { comparePlaces, type Paged, type PageQuery, pageOfItems, type Place } from "../list/page.ts";
import type { QueryPorts } from "../ports.ts";
import { type LoadedJob, loadJob, recordOf } from "./load-job.ts";

/** One fact of a Job's history, in the form of evidence. */
export const historyEntrySchema = v.pipe(
  v.object({
    kind: text,
    time: instant,
    /** The object does not date the fact, and its arrival is unknown. */
    bound: maybe(v.literal("lower")),
    resourceVersion: text,
    object: maybe(text),
    detail: maybe(text),
  }),
  v.description("One recorded fact. With `bound`, it may have become true later than `time`."),
);
export type HistoryEntry = AnswerOf<typeof historyEntrySchema>;

export interface HistoryQuery extends PageQuery {
  /** Only what is about this Pod. */
  readonly podUid?: string | undefined;
}

/**
 * The facts about a Job and its Pods, and the hints about them. They are sorted by the instants that the objects
 * contain, and within a second by resourceVersion.
 */
export async function listJobHistory(
  ports: QueryPorts,
  { scope, wanted }: ScopedReference,
  { podUid, ...query }: HistoryQuery,
): Promise<Paged<HistoryEntry> | UnknownJob> {
  const loaded = await loadJob(ports, scope, wanted);
  if (loaded.outcome !== "loaded") return loaded;
  const record = podUid === undefined ? await recordOf(loaded) : await recordOfPod(loaded, podUid);
  const facts = await factsAbout(loaded, record, podUid === undefined);
  const question = { history: record.job.uid, ...(podUid !== undefined && { podUid }) };
  const page = pageOfItems({ items: inOrder(facts), question, placeOf: ({ place }) => place }, query);
  if (page.outcome === "badCursor") return page;
  const names = podNames(record);
  return { ...page, items: page.items.map((entry) => describeEntry(entry, record, names)) };
}

/** The facts and hints about the Pods of a record, and with `ofJob` also those about its Job and its Nodes. */
async function factsAbout(loaded: LoadedJob, record: JobRecord, ofJob: boolean): Promise<readonly PlacedFact[]> {
  const facts = new Map<string, PlacedFact>();
  for await (const dated of loggedFacts(loaded)) {
    const { fact } = dated;
    // Pods of other namespaces may name the Job as their owner, but do not belong to it.
    if (isPodFact(fact) ? record.pods.has(fact.podUid) : ofJob) keep(facts, dateOf(dated));
  }
  const isAbout = ofJob ? isAboutJob(record) : isAboutPod(record);
  for (const hint of [...loaded.clusterContext.hints.values()].flat()) {
    if (isAbout(hint)) keep(facts, { fact: hint, at: instantOf(hint) });
  }
  return [...facts.values()];
}

/** The Job with this Pod alone. */
async function recordOfPod(loaded: LoadedJob, podUid: string): Promise<JobRecord> {
  const uid = decodePodUid(podUid);
  const pod = uid && (await loaded.pod(uid));
  return { job: loaded.view.job, pods: new Map(pod === undefined ? [] : [[pod.uid, pod]]) };
}

/** Whether a hint is about the one Pod of a record. */
function isAboutPod(record: JobRecord): (hint: HintFact) => boolean {
  const isAbout = isAboutJob(record);
  const names = new Set(Array.from(record.pods.values(), podName));
  return (hint) => hint.target.kind === "Pod" && names.has(hint.target.name) && isAbout(hint);
}

interface ShownFact extends Pick<HistoryEntry, "bound"> {
  readonly fact: JobFact | HintFact;
  /** The instant that history shows. */
  readonly at: Instant;
}

interface PlacedFact extends ShownFact {
  readonly place: Place;
}

function dateOf(dated: DatedFact): ShownFact {
  const { fact, arrivedBy } = dated;
  const at = datedAt(fact);
  if (at !== undefined) return { fact, at };
  return { fact, at: shownFrom(dated), ...(arrivedBy === undefined && { bound: "lower" }) };
}

/** The same fact may be in several segments. Its earliest instant counts, and a known one before a bound. */
function keep(facts: Map<string, PlacedFact>, shown: ShownFact): void {
  const text = canonical(shown.fact);
  const known = facts.get(text);
  if (known === undefined || isBetter(shown, known)) facts.set(text, placed(shown, text.length));
}

function isBetter(shown: ShownFact, known: ShownFact): boolean {
  return shown.bound === known.bound ? shown.at < known.at : shown.bound === undefined;
}

function placed({ fact, at, bound }: ShownFact, tieBreak: number): PlacedFact {
  const place = [at, fact.epoch, fact.resourceVersion, subjectOf(fact), rankOf(fact), fact.kind, tieBreak];
  return { fact, at, ...(bound !== undefined && { bound }), place };
}

/**
 * Sorts by time. A deletion comes after all other facts about the object in the same second, because object times are
 * whole seconds and request times are not.
 */
function inOrder(facts: readonly PlacedFact[]): readonly PlacedFact[] {
  const latest = new Map<string, Instant>();
  for (const { fact, at } of facts) latest.set(targetOf(fact), Math.max(at, latest.get(targetOf(fact)) ?? at));
  const dated = facts.map((entry) => {
    const lastAt = latest.get(targetOf(entry.fact)) ?? entry.at;
    const isEarly = isGone(entry.fact) && lastAt > entry.at && lastAt - entry.at < SECOND;
    return isEarly ? placed({ ...entry, at: lastAt }, Number.MAX_SAFE_INTEGER) : entry;
  });
  return dated.sort((a, b) => comparePlaces(a.place, b.place));
}
const SECOND = 1000;

function isGone({ kind }: Fact): boolean {
  return kind === "PodDeleted" || kind === "PodVanished" || kind === "JobDeleted" || kind === "JobVanished";
}

/** The object of a fact or hint, by name: a hint may have no uid. */
function targetOf(fact: JobFact | HintFact): string {
  return "jobUid" in fact ? subjectOf(fact) : (fact.target.uid ?? fact.target.name);
}

function subjectOf(fact: JobFact | HintFact): string {
  if (!("jobUid" in fact)) return fact.hintId;
  return isPodFact(fact) ? fact.podUid : fact.jobUid;
}

/** Orders the facts of one observation of an object: its creation comes before its end. */
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

function describeEntry(
  { fact, at, bound }: PlacedFact,
  { job }: JobRecord,
  names: ReadonlyMap<string, string>,
): HistoryEntry {
  return {
    kind: fact.kind,
    time: formatInstant(at),
    ...(bound !== undefined && { bound }),
    resourceVersion: String(fact.resourceVersion),
    object: objectOf(fact, job.created?.name ?? job.uid, names),
    detail: describeFact(fact),
  };
}

function objectOf(fact: JobFact | HintFact, jobName: string, podName: ReadonlyMap<string, string>): string {
  if (!("jobUid" in fact)) return `${fact.target.kind.toLowerCase()}/${fact.target.name}`;
  return isPodFact(fact) ? `pod/${podName.get(fact.podUid) ?? fact.podUid}` : `job/${jobName}`;
}
