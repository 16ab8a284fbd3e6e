import type { APIGatewayProxyResult } from "aws-lambda";
import manifest from "../package.json" with { type: "json" };
import { createApi } from "../src/http/create-api.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { createAcknowledgementWriter } from "../src/query/attention/acknowledge.ts";
import type { GatewayEvent } from "./events/gateway-event.ts";
import { onRequest } from "./events/query-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { accessOf } from "./lambda/reader-access.ts";
import { openAllStores } from "./lambda/stores.ts";

/** Half of the function's time is left for other readers (docs/decisions/0059-fair-share-of-readers.md). */
const READER_SHARE = 0.5;

const { stage, tables, readers } = readFunctionSettings("acknowledge", process.env);
const runtime = openRuntime("acknowledge", stage);
const stores = openAllStores(tables);
const api = createApi({
  stores,
  acknowledgements: createAcknowledgementWriter(stores.meta),
  version: manifest.version,
  access: accessOf(readers, stage),
  now: Date.now,
  readerLimits: { timeShare: READER_SHARE },
  onError: (error) => runtime.logger.error("An acknowledgement failed.", { error }),
});

/** API Gateway invokes it for the methods that change something. Its role cannot read the log. */
export const handler = handlerOf<GatewayEvent, APIGatewayProxyResult>(runtime, (event) => onRequest(api, event));
