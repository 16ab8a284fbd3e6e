import { TimeSlice } from "../concurrency/time-slice.ts";
import { notifyingJobs, type NotifyingOptions } from "../notify/notifying-jobs.ts";
import { notifyOfRow, notifyOfSchedules, type NotifyPorts, type NotifySetup } from "../notify/notify-changes.ts";
import { type ScheduleOptions, ScheduleWatch } from "../notify/watch-schedules.ts";
import type { NoticeStore } from "../ports/notices.ts";
import type { Projections } from "../ports/projections.ts";
import { liveJobs, readLivePointer } from "../projection/live-projection.ts";
import type { QueryPorts } from "../query/ports.ts";

export interface WatchedStores extends Omit<QueryPorts, "jobs"> {
  readonly projections: Projections;
  readonly notices: NoticeStore;
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
  const ports = async (): Promise<NotifyPorts> => ({ jobs: await liveJobs(projections, meta), ...others });
  const onChange: NotifyingOptions["onChange"] = async (change) => notifyOfRow(await ports(), setup, change);
  const watch = new ScheduleWatch();
  const slice = new TimeSlice();
  return {
    projections: async () => {
      const { live } = await readLivePointer(meta);
      const jobs = notifyingJobs(projections.open(live), { onChange, inTransaction });
      return { ...projections, open: (name) => (name === live ? jobs : projections.open(name)) };
    },
    schedules: async (turn) => {
      const bounded = { ...turn, watch, inTransaction, from: watch.next, turn: () => slice.next() };
      await notifyOfSchedules(await ports(), setup, bounded);
    },
  };
}
