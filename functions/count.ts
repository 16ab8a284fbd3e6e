import type { Context } from "aws-lambda";
import { pause } from "../src/concurrency/pause.ts";
import { RecentFindings } from "../src/query/cron-jobs/recent-findings.ts";
import { systemClock } from "../src/runtime/clock.ts";
import { readCountSettings } from "../src/runtime/function-settings.ts";
import { onCount } from "./events/count-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openCountedStores } from "./lambda/stores.ts";

const settings = readCountSettings(process.env);
const runtime = openRuntime("count", settings.stage);
const dependencies = {
  ...runtime,
  ...openCountedStores(settings),
  metrics: settings.metrics,
  clock: systemClock,
  recent: new RecentFindings(),
  pause: (milliseconds: number) => pause(milliseconds),
};

export const handler = handlerOf(runtime, (_: unknown, context: Context) => onCount(dependencies, context));
