import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import type { Notification } from "../../../src/notify/notification.ts";
import { notifyOfCronJobs } from "../../../src/notify/outbox/notify-of-schedules.ts";
import type { Rule } from "../../../src/notify/rules/rules.ts";
import { ScheduleWatch } from "../../../src/notify/watch-schedules.ts";
import type { WakeUp } from "../../../src/ports/wake-ups.ts";
import { runAt } from "../story/hourly-cron-job.ts";
import { NotifiedStage } from "./notified-stage.ts";
import { delivered, rulesOf, sendFacts, SetClock } from "./notified-tracker.ts";

/** A tracker whose rules watch the hourly CronJob. */
export interface WatchedSeries {
  receive(facts: readonly Fact[]): Promise<void>;
  /** Moves the clock to this hour, with a heartbeat, and checks the schedules. Returns the messages that were sent. */
  checkAt(hours: number): Promise<readonly Notification[]>;
  /** Begins a new process with these rules. */
  restart(rules: readonly Rule[]): void;
  close(): void;
}

const BEGAN_AT = Date.parse("2026-01-01T00:00:00Z");

function heartbeatAt(at: number): Fact {
  const resourceVersion = decodeResourceVersion(String(at));
  if (resourceVersion === undefined) throw new Error("not a resourceVersion");
  return { epoch: 0, resourceVersion, at, kind: "ClusterObserved", serverVersion: "v1.36.3" };
}

/** In one process, on SQLite. */
export function seriesOnSqlite(path: string, rules: readonly Rule[]): WatchedSeries {
  const clock = new SetClock();
  const open = (some: readonly Rule[]) => openEmbedded(path, { notify: { rules: rulesOf(some), now: clock.read } });
  let embedded = open(rules);
  let sequence = 0;
  const receive = (facts: readonly Fact[]) => sendFacts(embedded, facts, (sequence += 1));
  return {
    receive,
    checkAt: async (hours) => {
      clock.now = BEGAN_AT + hours * 3_600_000;
      await receive([heartbeatAt(clock.now)]);
      await embedded.watchSchedules();
      return delivered(embedded, clock);
    },
    restart: (some) => {
      embedded.close();
      embedded = open(some);
    },
    close: () => embedded.close(),
  };
}

/** In functions that share nothing but the tables. */
export function seriesOnStage(rules: readonly Rule[]): WatchedSeries {
  const stage = new NotifiedStage();
  stage.rules = rulesOf(rules);
  let watch = new ScheduleWatch();
  const ports = {
    jobs: stage.projections.open("A"),
    meta: stage.meta,
    log: stage.log,
    retry: { attempts: 3, pause: async () => {} },
    wakeUps: { send: async (some: readonly WakeUp[]) => void stage.queued.push(...some) },
  };
  return {
    receive: async (facts) => {
      await stage.receive(facts);
      // The stream reports each write twice, as it may.
      const writes = stage.reported();
      await stage.notify(writes);
      await stage.notify(writes);
    },
    checkAt: async (hours) => {
      stage.now = BEGAN_AT + hours * 3_600_000;
      await stage.receive([heartbeatAt(stage.now)]);
      await notifyOfCronJobs(ports, { rules: stage.rules, now: () => stage.now }, { watch });
      await stage.deliver();
      return stage.sent.splice(0).map(({ notification }) => notification);
    },
    restart: (some) => {
      stage.rules = rulesOf(some);
      watch = new ScheduleWatch();
    },
    close: () => {},
  };
}

/** What one hour brings: the run of the hour fails (`F`), succeeds (`S`), or is not known yet (`-`). */
export async function hoursOf(series: WatchedSeries, outcomes: string, first = 1): Promise<readonly string[]> {
  const sent: string[] = [];
  for (const [index, outcome] of outcomes.split("").entries()) {
    const hour = first + index;
    if (outcome !== "-") await series.receive(runAt(hour, outcome === "F" ? "Failed" : "Complete").facts);
    const messages = await series.checkAt(hour + 0.5);
    sent.push(...messages.map(({ kind, headline }) => `${hour} ${kind}: ${headline}`));
  }
  return sent;
}
