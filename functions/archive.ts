import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { onArchive } from "./events/archive-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openArchive } from "./lambda/open-archive.ts";
import { openAllStores } from "./lambda/stores.ts";

const { stage, tables, archive } = readFunctionSettings("archive", process.env);
const runtime = openRuntime("archive", stage);
const dependencies = {
  ...runtime,
  ...openAllStores(tables),
  store: openArchive(archive),
  clock: systemClock,
  newId: randomUUID,
  standardDays: tables.retentionDays,
};

export const handler = handlerOf(runtime, (_: unknown, context: Context) => onArchive(dependencies, context));
