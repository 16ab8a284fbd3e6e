import type { Context } from "aws-lambda";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { createSqsRefoldQueue } from "../src/adapters/sqs/sqs-refold-queue.ts";
import { onAudit } from "./events/audit-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { queueOnDemand } from "./lambda/queue-on-demand.ts";
import { openWholeLog } from "./lambda/whole-log.ts";

const settings = readFunctionSettings("audit", process.env);
const { stage, refoldQueueUrl, trialRefoldQueueUrl } = settings;
const runtime = openRuntime("audit", stage);
const refoldQueues = [refoldQueueUrl, trialRefoldQueueUrl]
  .filter((url) => url !== undefined)
  .map((url) => createSqsRefoldQueue(queueOnDemand(url)));
const dependencies = { ...runtime, ...openWholeLog(settings), refoldQueues, clock: systemClock };

export const handler = handlerOf(runtime, (_: unknown, context: Context) => onAudit(dependencies, context));
