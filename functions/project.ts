import type { Context, DynamoDBStreamEvent } from "aws-lambda";
import { ChangeFeed } from "../src/projection/changes/change-feed.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { createSqsRefoldQueue } from "../src/adapters/sqs/sqs-refold-queue.ts";
import { onStreamRecords } from "./events/project-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { queueOnDemand } from "./lambda/queue-on-demand.ts";
import { openProjectionStores } from "./lambda/stores.ts";

const { stage, tables, refoldQueueUrl, projector } = readFunctionSettings("project", process.env);
const runtime = openRuntime("project", stage);
const refoldQueue = createSqsRefoldQueue(queueOnDemand(refoldQueueUrl));
const stores = openProjectionStores(tables);
const changes = new ChangeFeed(stores.meta, () => systemClock.now());
const dependencies = { ...runtime, ...stores, refoldQueue, changes, projector };

export const handler = handlerOf(runtime, (event: DynamoDBStreamEvent, context: Context) =>
  onStreamRecords(dependencies, event, context),
);
