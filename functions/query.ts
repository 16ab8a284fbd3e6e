import type { APIGatewayProxyResult } from "aws-lambda";
import manifest from "../package.json" with { type: "json" };
import { createCellsApi } from "../src/cells/cells-api.ts";
import { pause } from "../src/concurrency/pause.ts";
import { createApi } from "../src/http/create-api.ts";
import { readQuerySettings } from "../src/runtime/function-settings.ts";
import type { GatewayEvent } from "./events/gateway-event.ts";
import { onRequest } from "./events/query-event.ts";
import { openLogLinks } from "./lambda/open-log-links.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { accessOf } from "./lambda/reader-access.ts";
import { openAllStores } from "./lambda/stores.ts";

const { stage, tables, readers, readerRequestsPerSecond, logLinks } = readQuerySettings(process.env);
const runtime = openRuntime("query", stage);
const stores = { ...openAllStores(tables), hasChangeFeed: true, ...openLogLinks(logLinks, runtime.logger) };
const shared = {
  access: accessOf(readers),
  now: Date.now,
  readerLimits: { perSecond: readerRequestsPerSecond },
  onError: (error: Error) => runtime.logger.error("A query failed.", { error }),
};
const api = createCellsApi({
  ...shared,
  stage: createApi({ ...shared, stores, version: manifest.version }),
  meta: stores.meta,
  pause: (milliseconds, signal) => pause(milliseconds, signal),
});

export const handler = handlerOf<GatewayEvent, APIGatewayProxyResult>(runtime, (event) => onRequest(api, event));
