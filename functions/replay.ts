import type { Context } from "aws-lambda";
import { isOutage } from "../src/adapters/aws/is-outage.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { onReplayEvent } from "./events/replay-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { objectsOnDemand } from "./lambda/objects-on-demand.ts";
import { openWholeLog } from "./lambda/whole-log.ts";

const settings = readFunctionSettings("replay", process.env);
const runtime = openRuntime("replay", settings.stage);
const { kept, partialStates } = settings;
const { projections, ...stores } = openWholeLog(settings);
const objects = objectsOnDemand(`s3://${partialStates.bucket}`, async () =>
  (await import("./lambda/open-partial-states.ts")).openPartialStates(partialStates),
);
const { idle, idleRuns } = projections;
const spread = { objects, idle, idleRuns, isOutage };
const dependencies = { ...runtime, ...stores, projections, spread, clock: systemClock, ...(kept && { kept }) };

export const handler = handlerOf(runtime, (event: unknown, context: Context) =>
  onReplayEvent(dependencies, event, context),
);
