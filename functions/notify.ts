import type { Context } from "aws-lambda";
import { ScheduleWatch } from "../src/notify/watch-schedules.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { createSqsWakeUps } from "../src/adapters/sqs/sqs-wake-ups.ts";
import { type NotifyEvent, onNotify } from "./events/notify-event.ts";
import { deliveryQueues } from "./lambda/delivery-queues.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openLogLinks } from "./lambda/open-log-links.ts";
import { deployedRules } from "./lambda/rule-file.ts";
import { openAllStores } from "./lambda/stores.ts";

const { stage, tables, rulesFile, queueUrls, logLinks } = readFunctionSettings("notify", process.env);
const runtime = openRuntime("notify", stage);
const now = (): number => systemClock.now();
const dependencies = {
  ...runtime,
  ...openAllStores(tables),
  ...openLogLinks(logLinks, runtime.logger),
  tables: tables.jobs,
  runTables: tables.runs,
  setup: { rules: deployedRules(rulesFile), now },
  watch: new ScheduleWatch(),
  wakeUps: createSqsWakeUps(deliveryQueues(queueUrls), now),
};

export const handler = handlerOf(runtime, (event: NotifyEvent, context: Context) =>
  onNotify(dependencies, event, context),
);
