import type { APIGatewayProxyResult } from "aws-lambda";
import manifest from "../package.json" with { type: "json" };
import { createApi } from "../src/http/create-api.ts";
import { readQuerySettings } from "../src/runtime/function-settings.ts";
import type { GatewayEvent } from "./events/gateway-event.ts";
import { onRequest } from "./events/query-event.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { accessOf } from "./lambda/reader-access.ts";
import { openAllStores } from "./lambda/stores.ts";

const { stage, tables, readers, readerRequestsPerSecond } = readQuerySettings(process.env);
const runtime = openRuntime("query", stage);
const api = createApi({
  stores: openAllStores(tables),
  access: accessOf(readers),
  now: Date.now,
  readerLimits: { perSecond: readerRequestsPerSecond },
  version: manifest.version,
  onError: (error) => runtime.logger.error("A query failed.", { error }),
});

export const handler = handlerOf<GatewayEvent, APIGatewayProxyResult>(runtime, (event) => onRequest(api, event));
