import type { Context } from "hono";
import type { Instant } from "../job/model/instant.ts";
import type { QueryPorts } from "../query/ports.ts";
import type { Admission } from "../http/access/admission.ts";
import type { ReaderLimits } from "../http/access/reader-limits.ts";
import type { LiveAnswers } from "../http/contract/route.ts";

/** What the Kubernetes-shaped API shares with the rest of the server. */
export interface KubeServer {
  readonly admit: (context: Context) => Promise<Admission>;
  readonly ports: (reader: string) => Promise<QueryPorts>;
  readonly limits: ReaderLimits;
  readonly clock: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly version: string;
  readonly live: LiveAnswers | undefined;
}
