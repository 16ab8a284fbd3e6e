import { TimeSlice } from "../../ports/concurrency/time-slice.ts";
import type { NotifiedRow } from "../../notify/subject-of-row.ts";
import { notifyingJobs, type NotifyingOptions, notifyingRuns } from "../../notify/notifying-jobs.ts";
import { type NoticePorts, notifyOfJob, type NotifySetup } from "../../notify/outbox/notify-of-job.ts";
import { notifyOfCronJobs } from "../../notify/outbox/notify-of-schedules.ts";
import { type ScheduleOptions, ScheduleWatch } from "../../notify/watch-schedules.ts";
import type { Projections } from "../../ports/projections.ts";
import { liveJobs, readLivePointer } from "../../projection/live-projection.ts";

export interface WatchedStores extends Omit<NoticePorts, "jobs" | "wakeUps"> {
  readonly projections: Projections;
  readonly inTransaction: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** If time runs out before all CronJobs are visited, the next call continues. @default no limit */
export type WatchTurn = Pick<ScheduleOptions, "hasTime">;

/** What causes notifications in a tracker. */
export interface Watched {
  /** The projections. Changes of the live one cause notifications. */
  projections(): Promise<Projections>;
  /** Adds notifications about what no fact reports: missed runs, and silent clusters. */
  schedules(turn?: WatchTurn): Promise<void>;
}

/** Without rules, nothing causes notifications. */
export function watchedProjections(stores: WatchedStores, setup: NotifySetup | undefined): Watched {
  const { projections, inTransaction, ...others } = stores;
  if (setup === undefined) return { projections: async () => projections, schedules: async () => {} };
  const { meta } = others;
  const ports = async (): Promise<NoticePorts> => ({ jobs: await liveJobs(projections, meta), ...others });
  // In the transaction that writes the row: the change and its messages are stored together or not at all.
  const onChange =
    (of: Pick<NotifiedRow, "isRun">): NotifyingOptions["onChange"] =>
    async ({ key, before, after }) =>
      notifyOfJob(await ports(), setup, { ...of, key, before, current: async () => after });
  const watch = new ScheduleWatch();
  const slice = new TimeSlice();
  return {
    projections: async () => {
      const { live } = await readLivePointer(meta);
      const jobs = notifyingJobs(projections.open(live), { onChange: onChange({}), inTransaction });
      const runs = notifyingRuns(projections.runs(live), { onChange: onChange({ isRun: true }), inTransaction });
      return {
        ...projections,
        open: (name) => (name === live ? jobs : projections.open(name)),
        runs: (name) => (name === live ? runs : projections.runs(name)),
      };
    },
    schedules: async (turn) => {
      await notifyOfCronJobs(await ports(), setup, { ...turn, watch, turn: () => slice.next() });
    },
  };
}
