import type { CronJobRecord } from "../../job/model/cluster-context.ts";
import type { CronJobObserved } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import { dueTimes, parseCronSchedule } from "./cron-schedule.ts";
import { isTimeZone } from "./local-time.ts";

/** When a CronJob had to run, from its first observation until its deletion. */
export interface CronPlan {
  /** When it was first observed, by the instants in its object. */
  readonly observedFrom: Instant;
  /** In order of time. */
  readonly spans: readonly CronSpan[];
  /** The last scheduled time that its status reports. */
  readonly lastScheduledAt?: Instant;
}

/** An interval in which the spec of a CronJob did not change. */
export interface CronSpan extends Pick<
  CronJobObserved,
  "schedule" | "timeZone" | "suspend" | "concurrencyPolicy" | "startingDeadlineSeconds"
> {
  /** Exclusive: a change at a due time comes after it. */
  readonly from: Instant;
  /** Inclusive. Absent: until now. */
  readonly to?: Instant;
}

/** The plan of a CronJob; `undefined` if only its deletion was observed. */
export function cronPlan({ observed, specs = [], deleted }: CronJobRecord): CronPlan | undefined {
  if (observed === undefined) return undefined;
  const changes = withLatest(specs, observed);
  const [first = observed] = changes;
  const spans = changes.map((spec, index): CronSpan => {
    const next = changes[index + 1]?.at ?? deleted?.at;
    return { ...specOf(spec), from: index === 0 ? spec.createdAt : spec.at, ...(next !== undefined && { to: next }) };
  });
  const { lastScheduledAt } = observed;
  return { observedFrom: first.at, spans, ...(lastScheduledAt !== undefined && { lastScheduledAt }) };
}

/** A recording may lack `metadata.generation`: then the latest observation shows a change. */
function withLatest(specs: readonly CronJobObserved[], observed: CronJobObserved): readonly CronJobObserved[] {
  const last = specs.at(-1);
  return last !== undefined && isSameSpec(last, observed) ? specs : [...specs, observed];
}

function isSameSpec(a: CronJobObserved, b: CronJobObserved): boolean {
  return JSON.stringify(specOf(a)) === JSON.stringify(specOf(b));
}

function specOf(spec: CronJobObserved): Omit<CronSpan, "from" | "to"> {
  const { schedule, timeZone, suspend, concurrencyPolicy, startingDeadlineSeconds } = spec;
  return {
    schedule,
    suspend,
    concurrencyPolicy,
    ...(timeZone !== undefined && { timeZone }),
    ...(startingDeadlineSeconds !== undefined && { startingDeadlineSeconds }),
  };
}

/** A time when a CronJob was to run, and the spec that said so. */
export interface PlannedTime {
  readonly at: Instant;
  readonly span: CronSpan;
}

export interface PlanRange {
  /** Exclusive. */
  readonly after: Instant;
  readonly until: Instant;
  /** The most times, the earliest of them. */
  readonly limit: number;
}

/**
 * The times when the CronJob had to run, in order. There are none while it is suspended, if its schedule or time zone
 * is invalid, and if its schedule is an interval (`@every`), which the controller counts from its last check.
 */
export function plannedTimes({ spans }: CronPlan, { after, until, limit }: PlanRange): readonly PlannedTime[] {
  const planned: PlannedTime[] = [];
  for (const span of spans) {
    const range = { after: Math.max(after, span.from), until: Math.min(until, span.to ?? until) };
    if (planned.length >= limit || range.after >= range.until) continue;
    planned.push(...timesOf(span, { ...range, limit: limit - planned.length }).map((at) => ({ at, span })));
  }
  return planned;
}

function timesOf({ schedule: text, timeZone, suspend }: CronSpan, range: PlanRange): readonly Instant[] {
  const schedule = suspend ? undefined : parseCronSchedule(text);
  if (schedule === undefined || !isTimeZone(timeZone ?? "UTC")) return [];
  return dueTimes(schedule, { ...range, timeZone });
}

/** A schedule such as `0 0 29 2 *` may be due years later. */
const LONGEST_WAIT = 400 * 86_400_000;

/** The next time when the CronJob is to run; `undefined` if there is none within 400 days. */
export function nextPlannedTime(plan: CronPlan, after: Instant): Instant | undefined {
  return plannedTimes(plan, { after, until: after + LONGEST_WAIT, limit: 1 })[0]?.at;
}
