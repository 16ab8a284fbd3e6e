import type { Context, SQSEvent } from "aws-lambda";
import { ChangeFeed } from "../src/projection/changes/change-feed.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { onRefoldMessages } from "./events/refold-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openWholeLog } from "./lambda/whole-log.ts";

const settings = readFunctionSettings("refold", process.env);
const runtime = openRuntime("refold", settings.stage);
const stores = openWholeLog(settings);
const changes = new ChangeFeed(stores.meta, () => systemClock.now());
const dependencies = { ...runtime, ...stores, changes, projector: settings.projector };

export const handler = handlerOf(runtime, (event: SQSEvent, context: Context) =>
  onRefoldMessages(dependencies, event, context),
);
