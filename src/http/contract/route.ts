import type * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ObjectStore } from "../../ports/object-store.ts";
import type { QueryPorts, RunPorts } from "../../query/ports.ts";
import type { AcknowledgementWriter } from "../../query/attention/acknowledge.ts";
import type { Scope } from "../../query/access/scope.ts";
import type { TextParts } from "../streams/answer-body.ts";
import type { ChangePages } from "../streams/change-events.ts";
import type { ChangeHub } from "../streams/change-hub.ts";
import type { EventStream } from "../streams/event-stream.ts";
import type { OpenStreams } from "../streams/open-streams.ts";
import type { ServerMetrics } from "../request-meter.ts";
import type { Problem } from "./problem.ts";

/** What a route needs besides its parameters. */
export interface RouteContext {
  /** The stores, with the projection that is live now. */
  readonly ports: () => Promise<RunPorts>;
  /** The records alone: without the read that finds the live projection. */
  readonly meta: MetaStore;
  /** Absent where the log is not archived. */
  readonly archive?: ObjectStore;
  readonly scope: Scope;
  /** What the reader may acknowledge, as far as `scope` has it. */
  readonly acknowledges: Scope;
  /** Identifies the reader, for limits per reader. */
  readonly reader: string;
  /** Names the reader in what it writes. */
  readonly name: string;
  /** When the request arrived. */
  readonly now: Instant;
  /** The current time, for answers that wait. */
  readonly clock: () => Instant;
  /** Resolves to true after this many milliseconds, or to false when the client disconnects. */
  readonly pause: (milliseconds: number) => Promise<boolean>;
  /** Why no data is being ingested now; `undefined` if it is. */
  readonly writeProblem: () => Promise<string | undefined>;
  /** The request headers that routes use. */
  readonly headers: { readonly accept: string; readonly lastEventId: string | undefined };
  /** Absent where the server only reads. */
  readonly acknowledgements?: AcknowledgementWriter;
  /** Absent where answers are sent whole, as in a Lambda function; there are no streams then. */
  readonly live?: LiveAnswers;
  /** Absent where the server does not measure itself. */
  readonly serverMetrics?: ServerMetrics;
}

/** What streams share in a server that keeps connections open. */
export interface LiveAnswers {
  readonly streams: OpenStreams;
  readonly hub: ChangeHub;
  readonly pages: ChangePages;
  /** The stores for a stream, whose reads others may share. */
  readonly portsFor: (reader: string) => () => Promise<QueryPorts>;
  readonly onError: (error: Error) => void;
}

export type Reply =
  | { readonly body: unknown }
  /** A body that is not JSON. */
  | { readonly text: string; readonly mediaType: string }
  /** JSON that is built piece by piece while the client reads it. */
  | { readonly parts: TextParts }
  /** A body that is written while the client reads it. */
  | { readonly stream: EventStream; readonly mediaType: string }
  | { readonly problem: Problem };

type Read<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

type Sent<Query extends v.ObjectEntries, Body> = Body extends v.GenericSchema ? v.InferOutput<Body> : Read<Query>;

interface RouteDefinition<
  Path extends v.ObjectEntries,
  Query extends v.ObjectEntries,
  Body extends v.GenericSchema | undefined,
> {
  /** Routes with another method than GET change what is stored. @default GET */
  readonly method?: "PUT" | "DELETE";
  /** In the notation of OpenAPI: `/v1/clusters/{cluster}`. */
  readonly template: string;
  readonly operationId: string;
  readonly summary: string;
  readonly path: Path;
  /** Of a route with a body: none. */
  readonly query: Query;
  /** The JSON that the request has. @default a request with a body is refused */
  readonly body?: Body;
  readonly answer: v.GenericSchema;
  /** The description of the 200 response. */
  readonly answerIs: string;
  /** The media type of the answer. @default application/json */
  readonly answerType?: string;
  /** Statuses of problems besides those that every route may return. */
  readonly statuses: readonly number[];
  /** Needs no authentication, because the answer says nothing about a cluster. */
  readonly open?: true;
  /** `sent` is the body; the query, if the route reads none. */
  readonly handle: (context: RouteContext, path: Read<Path>, sent: Sent<Query, Body>) => Promise<Reply>;
}

export type Route = RouteDefinition<v.ObjectEntries, v.ObjectEntries, v.GenericSchema | undefined>;

/** A route as data: the router serves it, and the OpenAPI document describes it. */
export function defineRoute<
  Path extends v.ObjectEntries,
  Query extends v.ObjectEntries,
  Body extends v.GenericSchema | undefined = undefined,
>(definition: RouteDefinition<Path, Query, Body>): Route {
  // The router reads the parameters and the body with this definition's schemas before it calls `handle`.
  return definition as unknown as Route;
}
