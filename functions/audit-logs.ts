import { systemClock } from "../src/runtime/clock.ts";
import { readAuditLogsSettings } from "../src/runtime/function-settings.ts";
import { createMessageQueue } from "../src/sqs/message-queue.ts";
import { createSqsClient } from "../src/sqs/sqs-client.ts";
import { createSqsSegmentQueue } from "../src/sqs/sqs-segment-queue.ts";
import { onAuditLogs } from "./events/audit-logs-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";

const { stage, clusters, queueUrl } = readAuditLogsSettings(process.env);
const runtime = openRuntime("audit-logs", stage);
const queue = createSqsSegmentQueue(createMessageQueue(createSqsClient(), queueUrl));
const dependencies = { ...runtime, clusters, queue, clock: systemClock };

export const handler = handlerOf(runtime, (event: object) => onAuditLogs(dependencies, event));
