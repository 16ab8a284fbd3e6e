import type * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import type { QueryPorts } from "../../query/ports.ts";
import type { Scope } from "../../query/access/scope.ts";
import type { ChangeHub } from "../streams/change-hub.ts";
import type { EventStream } from "../streams/event-stream.ts";
import type { OpenStreams } from "../streams/open-streams.ts";
import type { Problem } from "./problem.ts";

/** What a route needs besides the request. */
export interface RouteContext {
  /** The stores to answer from; the projection is the one that is live now. */
  readonly ports: () => Promise<QueryPorts>;
  readonly scope: Scope;
  /** When the question came. */
  readonly now: Instant;
  /** The time as it goes on, for answers that wait. */
  readonly clock: () => Instant;
  /** Resolves to true after so many milliseconds; to false once the asker is gone. */
  readonly pause: (milliseconds: number) => Promise<boolean>;
  /** Headers of the request that a route may look at. */
  readonly headers: { readonly accept: string; readonly lastEventId: string | undefined };
  /** Absent where answers are sent whole: then there are no streams. */
  readonly live?: LiveAnswers;
}

/** What a server that keeps connections open has beside its routes. */
export interface LiveAnswers {
  readonly streams: OpenStreams;
  readonly hub: ChangeHub;
  readonly onError: (error: Error) => void;
}

export type Reply =
  | { readonly body: unknown }
  /** Written while it is read. */
  | { readonly stream: EventStream; readonly mediaType: string }
  | { readonly problem: Problem };

type Read<Entries extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Entries, undefined>>;

interface RouteDefinition<Path extends v.ObjectEntries, Query extends v.ObjectEntries> {
  /** As OpenAPI writes it: `/v1/clusters/{cluster}`. */
  readonly template: string;
  readonly operationId: string;
  readonly summary: string;
  readonly path: Path;
  readonly query: Query;
  readonly answer: v.GenericSchema;
  readonly answerIs: string;
  /** Kinds of problems beside those every route has. */
  readonly statuses: readonly number[];
  /** Answered to anybody: it says nothing about a cluster. */
  readonly open?: true;
  readonly handle: (context: RouteContext, path: Read<Path>, query: Read<Query>) => Promise<Reply>;
}

export type Route = RouteDefinition<v.ObjectEntries, v.ObjectEntries>;

/** A route as data: the router serves it and the OpenAPI document describes it. */
export function defineRoute<Path extends v.ObjectEntries, Query extends v.ObjectEntries>(
  definition: RouteDefinition<Path, Query>,
): Route {
  // The router reads the parameters with this very definition's schemas before it calls `handle`.
  return definition as unknown as Route;
}
