import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { createSqsSegmentQueue } from "../src/adapters/sqs/sqs-segment-queue.ts";
import { onAuditLogs } from "./events/audit-logs-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openQueue } from "./lambda/open-queue.ts";

const { stage, clusters, queueUrl } = readFunctionSettings("audit-logs", process.env);
const runtime = openRuntime("audit-logs", stage);
const queue = createSqsSegmentQueue(openQueue(queueUrl));
const dependencies = { ...runtime, clusters, queue, clock: systemClock };

export const handler = handlerOf(runtime, (event: object) => onAuditLogs(dependencies, event));
