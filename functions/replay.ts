import type { Context } from "aws-lambda";
import { systemClock } from "../src/runtime/clock.ts";
import { readReplaySettings } from "../src/runtime/function-settings.ts";
import { onReplayEvent, type ReplayEvent } from "./events/replay-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { turnSender } from "./lambda/turn-sender.ts";
import { openAllStores } from "./lambda/stores.ts";

const { stage, tables, queueUrl } = readReplaySettings(process.env);
const runtime = openRuntime("replay", stage);
const dependencies = {
  ...runtime,
  ...openAllStores(tables),
  clock: systemClock,
  ...(queueUrl !== undefined && { sendTurn: turnSender(queueUrl) }),
};

export const handler = handlerOf(runtime, (event: ReplayEvent, context: Context) =>
  onReplayEvent(dependencies, event, context),
);
