import type { Context, SQSEvent } from "aws-lambda";
import { ChangeFeed } from "../src/projection/changes/change-feed.ts";
import { systemClock } from "../src/runtime/clock.ts";
import { readRefoldSettings } from "../src/runtime/function-settings.ts";
import { onRefoldMessages } from "./events/refold-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openAllStores } from "./lambda/stores.ts";

const { stage, tables } = readRefoldSettings(process.env);
const runtime = openRuntime("refold", stage);
const stores = openAllStores(tables);
const changes = new ChangeFeed(stores.meta, () => systemClock.now());
const dependencies = { ...runtime, ...stores, changes };

export const handler = handlerOf(runtime, (event: SQSEvent, context: Context) =>
  onRefoldMessages(dependencies, event, context),
);
