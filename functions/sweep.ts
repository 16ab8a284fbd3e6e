import type { Context } from "aws-lambda";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { onSweep } from "./events/sweep-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openProjectionStores } from "./lambda/stores.ts";

const { stage, tables } = readFunctionSettings("sweep", process.env);
const runtime = openRuntime("sweep", stage);
const dependencies = { ...runtime, ...openProjectionStores(tables), clock: systemClock };

export const handler = handlerOf(runtime, (event: unknown, context: Context) => onSweep(dependencies, event, context));
