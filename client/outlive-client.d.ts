import type { Client } from "openapi-fetch";
import type { components, paths } from "./openapi.d.ts";

export type { components, operations, paths } from "./openapi.d.ts";
/** A Job, as lists have it. */
export type Job = components["schemas"]["Job"];
/** Problem details (RFC 9457): the body of every error. */
export type Problem = components["schemas"]["Problem"];

export interface RetryOptions {
  /** How often a request is repeated that a busy server refused (429, 503). @default 4 */
  readonly retries?: number;
  /** Waits before a request is repeated, and rejects when the signal aborts. @default a timer */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1, for the length of pauses. @default Math.random */
  readonly random?: () => number;
}

export interface OutliveClientOptions extends RetryOptions {
  /** The address of `outlive serve`, or the output `ApiUrl` of a deployment, with its stage. */
  readonly server: string;
  /** A bearer token. */
  readonly token?: string;
  /** An API key of API Gateway, for a deployment with `-c apiKey=true`. It does not identify the caller. */
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For requests that are signed, or go through a proxy. @default the global fetch */
  readonly fetch?: typeof fetch;
}

export type OutliveClient = Client<paths>;

/** A typed client of the HTTP API: `client.GET("/v1/jobs", { params: { query: { namespace: "batch" } } })`. */
export declare function createOutliveClient(options: OutliveClientOptions): OutliveClient;

/** One page of a list, as `client.GET` resolves to it. */
export interface PageResult<Item> {
  readonly data?: { readonly items: readonly Item[]; readonly nextCursor?: string | undefined } | undefined;
  readonly error?: { readonly detail?: string } | undefined;
  readonly response: Response;
}

/**
 * All items of a list, page by page: `itemsOf((cursor) => client.GET("/v1/jobs", { params: { query: { cursor } } }))`.
 * Throws an {@link OutliveError} if the API refuses a page.
 */
export declare function itemsOf<Item>(
  getPage: (cursor: string | undefined) => Promise<PageResult<Item>>,
): AsyncGenerator<Item, void, undefined>;

/** A request that the API refused. */
export declare class OutliveError extends Error {
  readonly status: number;
  readonly problem: { readonly detail?: string } | undefined;
}
