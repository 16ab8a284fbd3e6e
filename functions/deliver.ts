import type { Context, SQSEvent } from "aws-lambda";
import { exponentialBackOff } from "../src/ports/concurrency/back-off.ts";
import { DELIVERY_BACK_OFF } from "../src/notify/delivery-result.ts";
import { systemClock } from "../src/ports/runtime/clock.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { createSecretsClient, readSecret } from "../src/adapters/secretsmanager/read-secret.ts";
import { createMessageSender } from "../src/host/runtime/message-sender.ts";
import { onWakeUps } from "./events/deliver-event.ts";
import { deliveryQueues } from "./lambda/delivery-queues.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { deployedReceivers } from "./lambda/rule-file.ts";
import { openMetaStore } from "./lambda/open-meta-store.ts";
import { tracedStores } from "./lambda/traced-stores.ts";

const { stage, tables, traced, rulesFile, queueUrls, secret } = readFunctionSettings("deliver", process.env);
const runtime = openRuntime("deliver", stage);
const now = (): number => systemClock.now();
const secretsClient = createSecretsClient();
const dependencies = {
  ...runtime,
  meta: openMetaStore(tables),
  now,
  backOff: exponentialBackOff(DELIVERY_BACK_OFF),
  receivers: deployedReceivers(rulesFile, {
    now,
    ...(secret !== undefined && { secrets: () => readSecret(secretsClient, secret) }),
  }),
  queues: deliveryQueues(queueUrls),
  send: createMessageSender({ refusesLoopback: true, traces: { open: tracedStores(tables, traced), now } }),
};

export const handler = handlerOf(runtime, (event: SQSEvent, context: Context) =>
  onWakeUps(dependencies, event, context),
);
