import type { Context } from "hono";
import type { Instant } from "../job/model/instant.ts";
import type { QueryPorts } from "../query/ports.ts";
import type { Admission } from "../http/access/admission.ts";
import type { Opened } from "../http/open-answer.ts";
import type { LiveAnswers } from "../http/contract/route.ts";

/** What the Kubernetes-shaped API shares with the rest of the server. */
export interface KubeServer {
  readonly admit: (context: Context) => Promise<Admission>;
  /** If set, no reads begin after the signal has aborted. */
  readonly ports: (reader: string, signal?: AbortSignal) => Promise<QueryPorts>;
  /** A place for the answer to a request. */
  readonly open: (context: Context, reader: string) => Opened;
  readonly clock: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly version: string;
  readonly live: LiveAnswers | undefined;
}
