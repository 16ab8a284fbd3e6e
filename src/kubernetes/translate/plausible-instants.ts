import type { Fact } from "../../job/model/fact.ts";
import { DAY_MILLIS, type Instant } from "../../job/model/instant.ts";
import { rejected, type Translated } from "./translated.ts";

/** No cluster is older than Kubernetes, whose first commit is of June 2014. */
const FIRST_PLAUSIBLE: Instant = Date.UTC(2014, 0, 1);

/** The fields of facts that contain instants, at any depth. */
const INSTANTS: ReadonlySet<string> = new Set([
  "acceptedAt",
  "at",
  "completionTime",
  "createdAt",
  "disruptedAt",
  "finishedAt",
  "firstAt",
  "lastAt",
  "lastScheduledAt",
  "lastSuccessfulAt",
  "lastTransitionAt",
  "requestedAt",
  "scheduledAt",
  "since",
  "startTime",
  "startedAt",
  "unreadySince",
]);
/** The instants that a fact always has. */
const REQUIRED: ReadonlySet<string> = new Set(["at", "createdAt", "firstAt", "lastAt", "requestedAt", "since"]);
/** Everything below the first level is optional. */
const NESTED: ReadonlySet<string> = new Set(["condition", "conditions", "lifecycle", "status", "unscheduled"]);

/**
 * The writer of an object or an Event chooses the instants in it, so they may be wrong. An instant before 2014, or more
 * than a day after `arrivedAt`, counts as unknown: an optional one is left out, a required one becomes 1970 or the
 * arrival. A hint whose own time is implausible is rejected, because it explains nothing.
 */
export function withPlausibleInstants(translated: Translated, arrivedAt: Instant | undefined): Translated {
  if (translated.outcome !== "translated") return translated;
  const latest = arrivedAt === undefined ? Number.POSITIVE_INFINITY : arrivedAt + DAY_MILLIS;
  const isPlausible = (instant: Instant): boolean => instant >= FIRST_PLAUSIBLE && instant <= latest;
  // The usual case, for each watch event: nothing is copied.
  if (translated.facts.every((fact) => isBounded(fact, isPlausible))) return translated;
  if (!translated.facts.flatMap(timesOfHint).every(isPlausible)) {
    return rejected("", "Its time is before 2014, or over a day ahead. Check the clock of its sender.");
  }
  const replace = (instant: Instant): Instant => (instant > latest ? (arrivedAt ?? 0) : 0);
  return { outcome: "translated", facts: translated.facts.map((fact) => bounded(fact, { isPlausible, replace })) };
}

interface Bounds {
  readonly isPlausible: (instant: Instant) => boolean;
  readonly replace: (instant: Instant) => Instant;
}

function bounded(fact: Fact, bounds: Bounds): Fact {
  return isBounded(fact, bounds.isPlausible) ? fact : (copy(fact, bounds, REQUIRED) as Fact);
}

function isBounded(value: object, isPlausible: Bounds["isPlausible"]): boolean {
  const fields = value as Readonly<Record<string, unknown>>;
  for (const field in fields) {
    const content = fields[field];
    if (typeof content === "number") {
      if (INSTANTS.has(field) && !isPlausible(content)) return false;
    } else if (isNested(field, content) && !partsOf(content).every((part) => isBounded(part, isPlausible))) {
      return false;
    }
  }
  return true;
}

/** `required`: these instants are replaced; others are left out. */
function copy(value: object, bounds: Bounds, required: ReadonlySet<string>): object {
  const fields: [string, unknown][] = [];
  for (const [field, content] of Object.entries(value)) {
    if (typeof content === "number" && INSTANTS.has(field) && !bounds.isPlausible(content)) {
      if (required.has(field)) fields.push([field, bounds.replace(content)]);
    } else if (isNested(field, content)) {
      const copies = partsOf(content).map((part) => copy(part, bounds, NOTHING));
      fields.push([field, Array.isArray(content) ? copies : copies[0]]);
    } else fields.push([field, content]);
  }
  return Object.fromEntries(fields);
}

const NOTHING: ReadonlySet<string> = new Set();

function isNested(field: string, content: unknown): content is object {
  return typeof content === "object" && content !== null && NESTED.has(field);
}

function partsOf(content: object): readonly object[] {
  return Array.isArray(content) ? (content as readonly object[]) : [content];
}

/** An Event without a time is as of 1970. */
function timesOfHint(fact: Fact): readonly Instant[] {
  if (fact.kind === "EvictionObserved") return [fact.createdAt];
  if (fact.kind === "RequestHinted") return [fact.at, fact.requestedAt];
  return fact.kind === "EventHinted" && fact.at !== 0 ? [fact.at] : [];
}
