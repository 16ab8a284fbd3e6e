import type { Hono } from "hono";
import manifest from "../../../package.json" with { type: "json" };
import type { Access } from "../../http/access/access.ts";
import { type ApiStores, createApi } from "../../http/create-api.ts";
import { backupApi } from "../../http/backup-api.ts";
import type { ServerMetrics } from "../../http/request-meter.ts";
import type { DatabaseCopy } from "../../ports/files/database-copy.ts";
import { createAcknowledgementWriter } from "../../query/attention/acknowledge.ts";
import { API_PARTS } from "../optional/api-parts.ts";
import type { OpenStreams } from "../../http/streams/open-streams.ts";

export interface ServerApiOptions {
  readonly stores: ApiStores;
  readonly access: Access;
  /** Receives each error that the API answers with status 500. */
  readonly onError: (error: Error) => void;
  /** Makes a copy of the database for a backup. @default there are no backups over HTTP */
  readonly copy?: () => Promise<DatabaseCopy>;
  /** Lets the API keep connections open. The caller ends them before it closes the server. */
  readonly streams?: OpenStreams;
  /** Why no data is taken in now; `undefined` if it is. @default not known */
  readonly intakeProblem?: () => string | undefined;
  /** The figures of the process that serves this API. @default the API measures nothing */
  readonly serverMetrics?: ServerMetrics;
}

/** The HTTP API of this release, on the system's clock. */
export function serverApi({ copy, ...options }: ServerApiOptions): Hono {
  const apis = [...API_PARTS.apis, ...(copy === undefined ? [] : [backupApi(copy)])];
  const acknowledgements = createAcknowledgementWriter(options.stores.meta);
  return createApi({ ...API_PARTS, ...options, acknowledgements, apis, now: Date.now, version: manifest.version });
}
