import { lookup as resolve, type LookupAddress } from "node:dns";
import { type ClientRequest, type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { HttpMessage, SendOf, SendResult } from "../../ports/message-sender.ts";
import { type AddressRules, allowList, isRefusedAddress } from "./refused-addresses.ts";

export interface SenderOptions extends Pick<AddressRules, "refusesLoopback"> {
  /** From connecting until the status of the answer. @default 10000 */
  readonly timeoutMillis?: number;
  /** Resolves a host name to all of its addresses. @default the resolver of the system */
  readonly lookup?: (host: string, done: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;
}

const TIMEOUT_MILLIS = 10_000;
const REFUSED_KINDS = "link-local or a metadata service, or on AWS a loopback address";

/**
 * Sends messages by HTTP. It follows no redirect, verifies TLS, reads the status of the answer only, and refuses
 * the addresses of metadata services, also if a name resolves to one: the connection uses the address that was checked.
 */
export function createHttpSender(options: SenderOptions = {}): SendOf<HttpMessage> {
  return async (message) => {
    const url = new URL(message.url);
    const rules = { ...options, allowed: allowList(message.allowAddresses) };
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && isRefusedAddress(host, rules)) return refusedResult(host);
    return exchange(url, message, rules);
  };
}

function refusedResult(address: string): SendResult {
  return {
    outcome: "unreachable",
    problem: `address ${address} is ${REFUSED_KINDS}; allow it with allowAddresses`,
  };
}

type Exchange = SenderOptions & AddressRules;

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
    sent.on("error", (error) => finish({ outcome: "unreachable", problem: problemOf(error) }));
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

/** A lookup that fails if any address of the name is refused. */
function checkedLookup({ lookup = resolveAll, ...rules }: Exchange): LookupFunction {
  return (host, { all }, done) => {
    lookup(host, (error, addresses) => {
      const [first] = addresses;
      if (error !== null || first === undefined) return done(error ?? new Error("no address"), "", 0);
      const refused = addresses.find(({ address }) => isRefusedAddress(address, rules));
      if (refused !== undefined) return done(new RefusedAddressError(refused.address), "", 0);
      return all === true ? done(null, [...addresses]) : done(null, first.address, first.family);
    });
  };
}

function resolveAll(host: string, done: Parameters<NonNullable<SenderOptions["lookup"]>>[1]): void {
  resolve(host, { all: true }, (error, addresses) => done(error, error === null ? addresses : []));
}

class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
  constructor(address: string) {
    super(`the name resolves to ${address}, which is ${REFUSED_KINDS}; allow it with allowAddresses`);
  }
}

/** A clause without the address of the request, which may be a secret. */
function problemOf(error: Error): string {
  if (error instanceof RefusedAddressError) return error.message;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return PROBLEMS[code] ?? code;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "the host name does not exist",
  EAI_AGAIN: "the host name cannot be resolved now",
  EHOSTUNREACH: "the host is unreachable",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is signed by an unknown authority",
  CERT_HAS_EXPIRED: "the certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host",
};
