import type { Context, SQSEvent } from "aws-lambda";
import { readRefoldSettings } from "../src/runtime/function-settings.ts";
import { onRefoldMessages } from "./events/refold-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openAllStores } from "./lambda/stores.ts";

const { stage, tables } = readRefoldSettings(process.env);
const runtime = openRuntime("refold", stage);
const dependencies = { ...runtime, ...openAllStores(tables) };

export const handler = handlerOf(runtime, (event: SQSEvent, context: Context) =>
  onRefoldMessages(dependencies, event, context),
);
