import { createHash } from "node:crypto";
import { type Fact, isJobFact, type JobFact } from "../../src/job/model/fact.ts";
import { translate } from "../../src/kubernetes/translate/translate.ts";
import { FactDeduplicator } from "../../src/segment/fact-deduplicator.ts";
import { endedJob } from "../../test/support/archive/archive-scene.ts";
import { eventsOfJob, type JobEnd } from "../fleet/job-template.ts";

/** Numbers of facts that are larger are instants. */
const FIRST_INSTANT = 1e12;
const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** How a copy of a Job differs from the Job. */
interface Copy {
  readonly number: string;
  /** Milliseconds between the times of both. */
  readonly shift: number;
  readonly uids: Map<string, string>;
}

/** Makes a value of a copy. */
type Copier = (copy: Copy) => unknown;

/** A Job that is copied with other names, uids and times. What copies have in common is shared by them. */
export class JobTemplate {
  readonly #first: number;
  readonly #facts: readonly Copier[];

  /** Facts that occur again, which an exporter does not send, are left out. */
  constructor(all: readonly JobFact[]) {
    const deduplicator = new FactDeduplicator({ jobs: 1, pods: all.length });
    const facts = all.filter((fact) => deduplicator.isNew(fact));
    this.#first = facts.reduce((least, { at }) => Math.min(least, at), Infinity);
    this.#facts = facts.map((fact) => copierOf("", fact) ?? (() => fact));
  }

  /** The facts of a copy that begins at an instant. Each copy of a template has a number of its own. */
  copy(number: number, beginsAt: number): readonly JobFact[] {
    const copy = { number: String(number), shift: beginsAt - this.#first, uids: new Map<string, string>() };
    return this.#facts.map((copied) => copied(copy) as JobFact);
  }
}

/** `undefined` for a value that all copies share. */
function copierOf(key: string, value: unknown): Copier | undefined {
  if (typeof value === "number") return value > FIRST_INSTANT ? ({ shift }) => value + shift : undefined;
  if (typeof value === "string") return copierOfText(key, value);
  if (typeof value !== "object" || value === null) return undefined;
  const entries = Object.entries(value).map(([name, field]: [string, unknown]) => {
    return { name, field, copied: copierOf(name, field) };
  });
  if (entries.every(({ copied }) => copied === undefined)) return undefined;
  if (Array.isArray(value)) return (copy) => entries.map(({ field, copied }) => (copied ? copied(copy) : field));
  return (copy) => Object.fromEntries(entries.map(({ name, field, copied }) => [name, copied ? copied(copy) : field]));
}

function copierOfText(key: string, text: string): Copier | undefined {
  if (UID.test(text) || key === "jobUid" || key === "podUid") return (copy) => uidOf(text, copy);
  return key === "name" ? ({ number }) => `${text}-${number}` : undefined;
}

/** A uid that looks as random as the original, because equal digits would compress too well. */
function uidOf(uid: string, { number, uids }: Copy): string {
  const known = uids.get(uid);
  if (known !== undefined) return known;
  const digits = createHash("md5").update(`${uid}${number}`).digest("hex");
  const made = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  uids.set(uid, made);
  return made;
}

/** The Jobs of a recording. */
export function recordedJobs(facts: readonly Fact[]): readonly JobTemplate[] {
  const jobs = Map.groupBy(facts.filter(isJobFact), ({ jobUid }) => jobUid);
  return [...jobs.values()].map((ofJob) => new JobTemplate(ofJob));
}

/** The one-Pod Jobs of the reference fleet: one of a hundred fails after three retries. */
export function fleetJobs(): readonly JobTemplate[] {
  const [completes, fails] = [jobThat("completes", 0), jobThat("fails", 1)];
  return Array.from({ length: 100 }, (_, index) => (index === 0 ? fails : completes));
}

/** Jobs with one Pod and 11 facts, of which one of a hundred fails at once. */
export function shortJobs(): readonly JobTemplate[] {
  const job = { name: "nightly", namespace: "batch", createdAt: Date.UTC(2026, 0, 1) };
  const [completes, fails] = [true, false].map((succeeds) => new JobTemplate(endedJob({ ...job, succeeds })));
  if (completes === undefined || fails === undefined) throw new Error("The recording has no Jobs to copy.");
  return Array.from({ length: 100 }, (_, index) => (index === 0 ? fails : completes));
}

function jobThat(end: JobEnd, number: number): JobTemplate {
  const planned = { end, cluster: "bench", namespace: "batch", name: `nightly-${end}`, number };
  const events = eventsOfJob({ ...planned, lifetime: 300_000, ttl: 60_000 }, Date.UTC(2026, 0, 1));
  const facts = events.flatMap(({ event }) => {
    const translated = translate(event);
    return translated.outcome === "translated" ? translated.facts : [];
  });
  return new JobTemplate(facts.filter(isJobFact));
}
