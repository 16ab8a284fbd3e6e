import type { Context, DynamoDBStreamEvent } from "aws-lambda";
import { readProjectSettings } from "../src/runtime/function-settings.ts";
import { createMessageQueue } from "../src/sqs/message-queue.ts";
import { createSqsClient } from "../src/sqs/sqs-client.ts";
import { createSqsRefoldQueue } from "../src/sqs/sqs-refold-queue.ts";
import { onStreamRecords } from "./events/project-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { openProjectionStores } from "./lambda/stores.ts";

const { stage, tables, refoldQueueUrl } = readProjectSettings(process.env);
const runtime = openRuntime("project", stage);
const refoldQueue = createSqsRefoldQueue(createMessageQueue(createSqsClient(), refoldQueueUrl));
const dependencies = { ...runtime, ...openProjectionStores(tables), refoldQueue };

export const handler = handlerOf(runtime, (event: DynamoDBStreamEvent, context: Context) =>
  onStreamRecords(dependencies, event, context),
);
