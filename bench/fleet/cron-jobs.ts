import type { JsonObject } from "../../src/kubernetes/json/json-field.ts";
import { uidOf } from "../dynamodb/steady-jobs.ts";
import type { TimedEvent } from "./job-template.ts";

/**
 * Assumed schedules of the CronJobs of a fleet, and the share of all runs that each makes. "Every minute to daily": the
 * frequent ones are few, and make most runs.
 */
export const SCHEDULES = [
  { schedule: "* * * * *", seconds: 60, share: 0.4 },
  { schedule: "*/5 * * * *", seconds: 300, share: 0.3 },
  { schedule: "*/15 * * * *", seconds: 900, share: 0.2 },
  { schedule: "0 * * * *", seconds: 3_600, share: 0.08 },
  { schedule: "0 3 * * *", seconds: 86_400, share: 0.02 },
] as const;

/** A CronJob, its current state, and what it reports. */
export class SimulatedCronJob {
  readonly name: string;
  readonly uid: string;
  readonly namespace: string;
  readonly #schedule: string;
  readonly #active = new Map<string, string>();
  #lastScheduledAt: number | undefined;
  #lastSuccessfulAt: number | undefined;
  #events = 0;

  constructor({
    name,
    namespace,
    schedule,
  }: {
    readonly name: string;
    readonly namespace: string;
    readonly schedule: string;
  }) {
    this.name = name;
    this.namespace = namespace;
    this.#schedule = schedule;
    this.uid = uidOf(`cronjob ${namespace}/${name}`);
  }

  /** The controller created a Job: the Event, then the status. */
  began(job: { readonly name: string; readonly uid: string }, at: number): readonly TimedEvent["event"][] {
    this.#active.set(job.uid, job.name);
    this.#lastScheduledAt = at;
    return [this.#event("SuccessfulCreate", job.name, at), this.observed()];
  }

  /** The controller saw that a Job had finished: the Event, then the status. */
  finished(
    job: { readonly name: string; readonly uid: string },
    at: number,
    succeeded: boolean,
  ): readonly TimedEvent["event"][] {
    this.#active.delete(job.uid);
    if (succeeded) this.#lastSuccessfulAt = at;
    return [this.#event("SawCompletedJob", job.name, at), this.observed()];
  }

  /** The object as a list or a watch event shows it. */
  observed(): TimedEvent["event"] {
    const active = [...this.#active].map(([uid, name]) => ({ apiVersion: "batch/v1", kind: "Job", name, uid }));
    const object = {
      kind: "CronJob",
      apiVersion: "batch/v1",
      metadata: {
        name: this.name,
        namespace: this.namespace,
        uid: this.uid,
        resourceVersion: "1",
        generation: 1,
        creationTimestamp: "2026-10-01T08:00:00Z",
      },
      spec: {
        schedule: this.#schedule,
        suspend: false,
        concurrencyPolicy: "Allow",
        successfulJobsHistoryLimit: 100,
        failedJobsHistoryLimit: 100,
      },
      status: {
        active,
        ...(this.#lastScheduledAt !== undefined && { lastScheduleTime: seconds(this.#lastScheduledAt) }),
        ...(this.#lastSuccessfulAt !== undefined && { lastSuccessfulTime: seconds(this.#lastSuccessfulAt) }),
      },
    };
    return { type: "MODIFIED", object };
  }

  #event(reason: "SuccessfulCreate" | "SawCompletedJob", job: string, at: number): TimedEvent["event"] {
    const number = (this.#events += 1);
    const uid = uidOf(`event ${this.uid} ${number}`);
    const object: JsonObject = {
      kind: "Event",
      apiVersion: "v1",
      metadata: {
        name: `${this.name}.${uid.replaceAll("-", "").slice(0, 16)}`,
        namespace: this.namespace,
        uid,
        resourceVersion: "1",
        creationTimestamp: seconds(at),
      },
      involvedObject: { kind: "CronJob", namespace: this.namespace, name: this.name, uid: this.uid },
      reason,
      message: reason === "SuccessfulCreate" ? `Created job ${job}` : `Saw completed job: ${job}, condition: Complete`,
      source: { component: "cronjob-controller" },
      firstTimestamp: seconds(at),
      lastTimestamp: seconds(at),
      count: 1,
      type: "Normal",
      reportingComponent: "cronjob-controller",
    };
    return { type: "ADDED", object };
  }
}

function seconds(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The CronJobs of a cluster that together create `rate` Jobs per second. */
export class CronJobs {
  readonly #classes: readonly { readonly share: number; readonly members: readonly SimulatedCronJob[]; next: number }[];

  constructor(rate: number, namespaceOf: (number: number) => string) {
    this.#classes = SCHEDULES.map(({ schedule, seconds: period, share }, index) => {
      const count = Math.max(1, Math.round(rate * share * period));
      const members = Array.from({ length: count }, (_, number) => {
        return new SimulatedCronJob({ name: `report-${index}-${number}`, namespace: namespaceOf(number), schedule });
      });
      return { share, members, next: 0 };
    });
  }

  /** The CronJobs that take part in this many runs, and some more: the members of a schedule take turns. */
  takingPart(runs: number): readonly SimulatedCronJob[] {
    return this.#classes.flatMap(({ members, share }) => members.slice(0, Math.ceil(1.5 * share * runs) + 10));
  }

  /** The CronJob of the next run, by a random number in [0, 1). The members of a schedule take turns. */
  pick(random: number): SimulatedCronJob {
    let rest = random;
    for (const one of this.#classes) {
      rest -= one.share;
      if (rest >= 0 && one !== this.#classes.at(-1)) continue;
      const member = one.members[one.next % one.members.length];
      one.next += 1;
      if (member !== undefined) return member;
    }
    throw new Error("A schedule has no CronJob.");
  }
}
