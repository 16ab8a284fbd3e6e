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
 * Sends messages by HTTP. It follows no redirect, verifies TLS, reads the status of the answer only, and refuses
 * the addresses of metadata services, also if a name resolves to one: the connection uses the address that was checked.
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

function exchange(url: URL, { headers, body }: HttpMessage, options: Exchange): Promise<SendResult> {
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
    sent.on("response", (response) => finish(resultOf(response)));
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
