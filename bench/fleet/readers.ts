import { fleetRate } from "./reference-fleet.ts";

/** One kind of reader of the reference fleet. */
export interface FleetReader {
  readonly name: string;
  readonly count: number;
  readonly hoursPerMonth: number;
  readonly requestsPerHour: number;
  /** Read units of one request: of states and indexes, and of records. */
  readonly units: { readonly jobs: number; readonly meta: number };
  /** Assumed, not measured on AWS: how long the function takes for one request. */
  readonly seconds: number;
}

const ALWAYS = 730;
const HOUR_SECONDS = 3_600;
/** Eight hours on 22 days. */
const WORKING_HOURS = 176;

/** Each follower reads every change. Those that are projected together share records (docs/benchmarks.md). */
const UNITS_OF_A_JOBS_CHANGES = 0.08;

/**
 * A page sends 20 requests in ten minutes, and three for its first screen (counted by `page`). The fleet has more
 * changes than a poll returns, so a page reads the newest 100 Jobs in three of four turns (55.5 units, measured by
 * `fleet`), and in the fourth as many changes as it can take: a poll with heartbeats (8.5), and 100 changes.
 */
const PAGE = {
  requestsPerHour: 120 + 3 / 4,
  units: { jobs: 0.75 * 54, meta: 0.75 * 1.5 + 0.25 * (8.5 + 100 * UNITS_OF_A_JOBS_CHANGES) },
};

/** Followers poll five seconds after a change. */
const FOLLOWER_POLLS = 720;
const FOLLOWED_UNITS = 2 + (UNITS_OF_A_JOBS_CHANGES * fleetRate() * HOUR_SECONDS) / FOLLOWER_POLLS;

/** The readers of `docs/benchmarks.md`. Units of requests are measured by `fleet` and `dynamodb-read-units`. */
export const FLEET_READERS: readonly FleetReader[] = [
  { name: "landing pages", count: 200, hoursPerMonth: WORKING_HOURS, seconds: 0.1, ...PAGE },
  // One Job every ten seconds.
  kind("API clients", { count: 50, requestsPerHour: 360, units: { jobs: 2, meta: 7 }, seconds: 0.05 }),
  kind("followers of changes", {
    count: 20,
    requestsPerHour: FOLLOWER_POLLS,
    units: { jobs: 0, meta: FOLLOWED_UNITS },
    seconds: 0.1,
  }),
  kind("Prometheus", { count: 1, requestsPerHour: 120, units: { jobs: 0, meta: 60 }, seconds: 0.2 }),
  // The summary of a day each minute.
  kind("exporters of dashboards", { count: 10, requestsPerHour: 60, units: { jobs: 0, meta: 244 }, seconds: 0.3 }),
];

function kind(name: string, reader: Omit<FleetReader, "name" | "hoursPerMonth">): FleetReader {
  return { name, hoursPerMonth: ALWAYS, ...reader };
}

/** What all readers take in a month, by what each of their requests takes. */
export function ofReaders(each: (reader: FleetReader) => number): number {
  return FLEET_READERS.reduce((sum, reader) => {
    const { count, hoursPerMonth, requestsPerHour } = reader;
    return sum + count * hoursPerMonth * requestsPerHour * each(reader);
  }, 0);
}
