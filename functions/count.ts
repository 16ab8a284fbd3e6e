import type { Context } from "aws-lambda";
import { pause } from "../src/ports/concurrency/pause.ts";
import { RecentFindings } from "../src/query/cron-jobs/recent-findings.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { type CountReport, onCount, type ScheduledCount } from "./events/count-event.ts";
import { onJobWrites, type WindowedEvent, type WindowState } from "./events/job-writes-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openProjectionStores } from "./lambda/stores.ts";

const settings = readFunctionSettings("count", process.env);
const runtime = openRuntime("count", settings.stage);
const dependencies = {
  ...runtime,
  ...openProjectionStores(settings.tables),
  tables: settings.tables,
  metrics: settings.metrics,
  clock: systemClock,
  recent: new RecentFindings(),
  pause: (milliseconds: number) => pause(milliseconds),
};

export const handler = handlerOf<WindowedEvent | ScheduledCount, WindowState | CountReport>(
  runtime,
  (event, context: Context) =>
    "Records" in event ? onJobWrites(dependencies, event) : onCount(dependencies, event, context),
);
