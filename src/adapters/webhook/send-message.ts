import { type ClientRequest, type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { HttpMessage, SendOf, SendResult } from "../../ports/message-sender.ts";
import {
  type CheckedAddresses,
  checkedLookup,
  connectionProblem,
  hostOf,
  refusedHost,
} from "../addresses/checked-lookup.ts";
import { allowList } from "../addresses/refused-addresses.ts";

export interface SenderOptions extends Omit<CheckedAddresses, "allowed"> {
  /** From connecting until the status of the answer. @default 10000 */
  readonly timeoutMillis?: number;
}

const TIMEOUT_MILLIS = 10_000;

/**
 * Sends messages by HTTP. It follows no redirect, verifies TLS, reads the status of the answer only unless the message
 * wants more, and refuses the addresses of metadata services, also if a name resolves to one: the connection uses the
 * address that was checked.
 */
export function createHttpSender(options: SenderOptions = {}): SendOf<HttpMessage> {
  return async (message) => {
    const url = new URL(message.url);
    const rules = { ...options, allowed: allowList(message.allowAddresses) };
    const refused = refusedHost(hostOf(url), rules);
    return refused === undefined ? exchange(url, message, rules) : { outcome: "unreachable", problem: refused };
  };
}

type Exchange = SenderOptions & CheckedAddresses;

function exchange(
  url: URL,
  { headers, body, readsAnswer = false }: HttpMessage,
  options: Exchange,
): Promise<SendResult> {
  return new Promise((settle) => {
    const sent = open(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body), "user-agent": "outlive" },
      agent: false,
      lookup: checkedLookup(options),
    });
    const finish = (result: SendResult): void => {
      clearTimeout(timer);
      settle(result);
      sent.destroy();
    };
    const timer = setTimeout(
      () => finish({ outcome: "unreachable", problem: "no answer in time" }),
      options.timeoutMillis ?? TIMEOUT_MILLIS,
    );
    sent.on("error", (error) => finish({ outcome: "unreachable", problem: connectionProblem(error) }));
    // The status decides. A body that comes slowly, or never ends, would delay the messages behind this one.
    sent.on("response", (response) => {
      const result = resultOf(response);
      if (!readsAnswer || result.outcome !== "accepted") return finish(result);
      void answered(result, response).then(finish);
    });
    sent.end(body);
  });
}

function open(url: URL, options: RequestOptions): ClientRequest {
  return url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
}

function resultOf({ statusCode: status = 0, headers }: IncomingMessage): SendResult {
  if (status >= 200 && status < 300) return { outcome: "accepted", status };
  const isRedirect = status >= 300 && status < 400;
  const problem = isRedirect ? `status ${status}: redirects are not followed` : `status ${status}`;
  const retryAfter = Number(headers["retry-after"]);
  const wait = Number.isFinite(retryAfter) && retryAfter > 0 ? Math.min(retryAfter, MAX_RETRY_AFTER_SECONDS) : 0;
  return { outcome: "rejected", status, problem, ...(wait > 0 && { retryAfterMillis: wait * 1_000 }) };
}

const MAX_RETRY_AFTER_SECONDS = 3_600;

/** The answers that are read are a few lines long. */
const MAX_ANSWER_BYTES = 65_536;
const LONG_ANSWER: SendResult = { outcome: "unreachable", problem: "the answer is longer than 64 KiB" };

type Accepted = Extract<SendResult, { readonly outcome: "accepted" }>;

/** The result with the body of the answer. */
async function answered(result: Accepted, response: AsyncIterable<Buffer>): Promise<SendResult> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) return LONG_ANSWER;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { outcome: "unreachable", problem: connectionProblem(error) };
  }
  return { ...result, answer: Buffer.concat(chunks).toString() };
}
