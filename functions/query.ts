import type { APIGatewayProxyResult } from "aws-lambda";
import manifest from "../package.json" with { type: "json" };
import { createApi } from "../src/http/create-api.ts";
import { readFunctionSettings } from "../src/ports/deployment/settings/function-settings.ts";
import { API_PARTS } from "../src/host/optional/api-parts.ts";
import type { GatewayEvent } from "./events/gateway-event.ts";
import { onRequest } from "./events/query-event.ts";
import { archiveOnDemand } from "./lambda/archive-on-demand.ts";
import { openLogLinks } from "./lambda/open-log-links.ts";
import { openRuntime } from "./lambda/function-runtime.ts";
import { handlerOf } from "./lambda/handler-of.ts";
import { accessOf } from "./lambda/reader-access.ts";
import { openAllStores } from "./lambda/stores.ts";

/**
 * The limits of reading from the archive. API Gateway ends requests after 29 s (integration timeout), and the rest of
 * the answer needs time, too. Seven years of a cluster take this many requests (docs/archive.md), which cost less than
 * 0.02 USD.
 */
const ARCHIVE_BUDGET = { requests: 8_000, bytes: 256 * 1024 * 1024, millis: 22_000 };
/** A reader is waiting for the answer, so a request to S3 is repeated only once. */
const QUERY_REQUESTS = { attempts: 2, requestMillis: 10_000 };

/** Half of the function's time is left for other readers (docs/decisions/0059-fair-share-of-readers.md). */
const READER_SHARE = 0.5;

const { stage, tables, archive, readers, logLinks } = readFunctionSettings("query", process.env);
const runtime = openRuntime("query", stage);
const stores = {
  ...openAllStores(tables),
  ...(archive && { archive: archiveOnDemand(archive, QUERY_REQUESTS) }),
  ...openLogLinks(logLinks, runtime.logger),
};
const api = createApi({
  ...API_PARTS,
  stores,
  version: manifest.version,
  access: accessOf(readers, stage),
  now: Date.now,
  readerLimits: { timeShare: READER_SHARE },
  archiveBudget: ARCHIVE_BUDGET,
  onError: (error) => runtime.logger.error("A query failed.", { error }),
});

export const handler = handlerOf<GatewayEvent, APIGatewayProxyResult>(runtime, (event) => onRequest(api, event));
