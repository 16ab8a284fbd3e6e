import { type Access, requireAccess } from "../aws/access.ts";
import { passingReason } from "../aws/aws-error.ts";
import { type BackOff, fullJitter } from "../aws/back-off.ts";
import { type Answer, type Exchange, keepAliveExchange } from "../aws/exchange.ts";
import { signedHeaders } from "../aws/sign-request.ts";
import { decodeDynamoJson, encodeDynamoJson } from "./dynamo-json.ts";
import type { DynamoRequests } from "./dynamo-requests.ts";

/** Where and as whom DynamoDB is asked. */
export interface DynamoAccess extends Access {
  /** An emulator's address. @default AWS's own in the region */
  readonly endpoint?: string | undefined;
  /** @default connections that are kept, and eight seconds for a request */
  readonly exchange?: Exchange;
  /** For requests that may go well the next time. @default fullJitter() with eight attempts within some six seconds */
  readonly backOff?: BackOff;
  /** @default Date.now */
  readonly now?: () => number;
}

/** DynamoDB answers within milliseconds, the largest request (16 MB) within a second or two. */
const REQUEST_MILLIS = 8_000;
/** Sixteen Jobs are folded at once, each with some pages. */
const CONNECTIONS = 50;
/** With jittered waiting in between some seconds: as long as a partition that was asked too much needs to split or calm down. */
const PATIENCE = { attempts: 8, baseMillis: 50, capMillis: 3_000 };

/**
 * The six requests without the SDK's client, which is 190 kB of a function's bundle and most of what its import takes: one POST each, signed
 * (AWS Signature Version 4), repeated where that may help, by DynamoDB's clock where this machine's is wrong.
 */
export function createSignedRequests(access: DynamoAccess): DynamoRequests {
  const connection = new Connection(access);
  return {
    getItem: (input) => connection.ask("GetItem", input),
    putItem: (input) => connection.ask("PutItem", input),
    query: (input) => connection.ask("Query", input),
    scan: (input) => connection.ask("Scan", input),
    batchGetItem: (input) => connection.ask("BatchGetItem", input),
    batchWriteItem: (input) => connection.ask("BatchWriteItem", input),
  };
}

class Connection {
  readonly #access: DynamoAccess;
  readonly #exchange: Exchange;
  readonly #backOff: BackOff;
  readonly #now: () => number;
  /** How far DynamoDB's clock is ahead of this machine's, where that was found out by a refusal. */
  #ahead = 0;

  constructor(access: DynamoAccess) {
    this.#access = access;
    this.#exchange = access.exchange ?? keepAliveExchange({ requestMillis: REQUEST_MILLIS, connections: CONNECTIONS });
    this.#backOff = access.backOff ?? fullJitter(PATIENCE);
    this.#now = access.now ?? Date.now;
  }

  /** Outputs are what the operation's name says: DynamoDB's word is taken for it, as the SDK takes it. */
  async ask<Output>(operation: string, input: object): Promise<Output> {
    const body = encodeDynamoJson(input);
    for (let attempt = 1; ; attempt += 1) {
      if (attempt > 1) await this.#backOff.pause(attempt);
      try {
        return (await this.#askOnce(operation, body)) as Output;
      } catch (cause) {
        if (attempt >= this.#backOff.attempts || passingReason(cause) === undefined) throw cause;
      }
    }
  }

  async #askOnce(operation: string, body: string): Promise<unknown> {
    const { region, credentials } = requireAccess(this.#access);
    const url = new URL(this.#access.endpoint ?? endpointOf(region));
    const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `DynamoDB_20120810.${operation}` };
    const request = { method: "POST", url, headers, body: Buffer.from(body) };
    const by = { service: "dynamodb", region, credentials, now: this.#now() + this.#ahead } as const;
    const answer = await this.#exchange(url, signedHeaders(request, by), body);
    if (answer.status === 200) return decodeDynamoJson(answer.body.toString());
    const refusal = refusalOf(answer);
    const theirs = Date.parse(String(answer.headers["date"]));
    if (passingReason(refusal) === "clock" && !Number.isNaN(theirs)) this.#ahead = theirs - this.#now();
    throw refusal;
  }
}

/** China's regions are a partition of their own; all others, also those of the US government, have this name. */
function endpointOf(region: string): string {
  return `https://dynamodb.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}/`;
}

/** What DynamoDB said, as its SDK would throw it: named by the type in its answer, with all that is beside it (of a refused put, the item that stands there). */
function refusalOf({ status, body }: Answer): Error {
  const { __type: type, message, Message, ...rest } = saidIn(body);
  const said = textIn(message) ?? textIn(Message) ?? `DynamoDB answered ${status}.`;
  const error = Object.assign(new Error(said), rest, { $metadata: { httpStatusCode: status } });
  error.name = textIn(type)?.split("#").at(-1) ?? "DynamoDBError";
  return error;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A proxy on the way may answer something else than JSON. */
function saidIn(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const said = decodeDynamoJson(body.toString());
    return typeof said === "object" && said !== null ? (said as Readonly<Record<string, unknown>>) : {};
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return {};
  }
}
