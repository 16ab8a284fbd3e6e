import type { Context } from "hono";
import type { Instant } from "../job/model/instant.ts";
import type { QueryPorts } from "../query/ports.ts";
import type { Admission } from "./access/admission.ts";
import type { LiveAnswers } from "./contract/route.ts";
import type { Opened } from "./open-answer.ts";

/** Another API on the same stores, which a build may leave out (src/host/optional/api-parts.ts). */
export interface OptionalApi {
  /** In the notation of Hono. */
  readonly paths: readonly string[];
  readonly serve: (context: Context, server: SharedServer) => Promise<Response>;
}

/** What an optional API shares with the rest of the server. */
export interface SharedServer {
  readonly admit: (context: Context) => Promise<Admission>;
  /** If set, no reads begin after the signal has aborted. */
  readonly ports: (reader: string, signal?: AbortSignal) => Promise<QueryPorts>;
  /** A place for the answer to a request. */
  readonly open: (context: Context, reader: string) => Opened;
  /** The answer of this API to `GET path`, for the reader of a request: with the same credentials and limits. */
  readonly get: (context: Context, path: string) => Promise<Response>;
  readonly clock: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly version: string;
  /** Called with errors whose text is for operators. */
  readonly onError: (error: Error) => void;
  readonly live: LiveAnswers | undefined;
}
