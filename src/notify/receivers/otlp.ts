import * as v from "valibot";
import { knownKeys } from "../../ports/files/known-keys.ts";
import type { TraceMessage } from "../../ports/message-sender.ts";
import type { Notification } from "../notification.ts";
import { address, type Destination, type Opening, receiverKind } from "./receiver-kind.ts";
import { eitherUrl, type Environment, PLACEHOLDER, type ReceiverProblem, secretOf, variable } from "./secret.ts";

const form = knownKeys({
  url: v.exactOptional(address),
  urlEnv: v.exactOptional(variable),
  headersEnv: v.exactOptional(variable),
});

/** What a rule file says about a receiver of traces. */
type OtlpSettings = v.InferOutput<typeof form>;

/** An OpenTelemetry collector, or a backend with OTLP/HTTP. It gets a trace of each run that is final. */
export const otlp = receiverKind({ form, takesTraces: true, open: openOtlp });

export function openOtlp(
  { headersEnv, ...where }: OtlpSettings,
  { environment, allowAddresses }: Opening,
): Destination | ReceiverProblem {
  const base = eitherUrl(environment, where);
  if (typeof base !== "string") return base;
  const headers = headersEnv === undefined ? {} : headersIn(environment, headersEnv);
  if (headers === undefined) return secretProblem(environment, headersEnv);
  const to = { url: tracesUrl(base), headers: { "content-type": "application/json", ...headers }, allowAddresses };
  return {
    compose: ([notification]) => ({
      title: `trace: ${titleOf(notification)}`,
      message: traceMessage(notification, to),
    }),
  };
}

function titleOf({ subject: { kind, namespace, name }, state }: Notification): string {
  return `${kind} ${namespace}/${name}${state === undefined ? "" : `, ${state}`}`;
}

function traceMessage(
  { subject: run, link }: Notification,
  to: Pick<TraceMessage, "url" | "headers" | "allowAddresses">,
): TraceMessage {
  const about = { run, ...(link !== undefined && { link }) };
  return { kind: "trace", ...to, ...about, body: JSON.stringify(about) };
}

const TRACES = "/v1/traces";

/** The address for traces, as OTEL_EXPORTER_OTLP_ENDPOINT has it: below the base, unless the base has it already. */
function tracesUrl(base: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/$/, "");
  url.pathname = path.endsWith(TRACES) ? path : `${path}${TRACES}`;
  return url.href;
}

/** The names of HTTP headers (RFC 9110, token). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Values of HTTP headers that cannot end their line. */
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** Headers in the format of OTEL_EXPORTER_OTLP_HEADERS: `key=value,key=value`, with percent-encoded values. */
function headersIn(environment: Environment, name: string): Readonly<Record<string, string>> | undefined {
  const text = secretOf(environment, ["headersEnv", name]);
  if (typeof text !== "string") return undefined;
  if (text === PLACEHOLDER) return {};
  const pairs = text.split(",").map((pair): readonly [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, Math.max(at, 0)).trim().toLowerCase(), decoded(pair.slice(at + 1).trim())];
  });
  const isValid = pairs.every(([key, value]) => HEADER_NAME.test(key) && HEADER_VALUE.test(value));
  return isValid ? Object.fromEntries(pairs) : undefined;
}

/** A value that is not percent-encoded UTF-8 is used as it is, such as one with a lone percent sign. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    return value;
  }
}

function secretProblem(environment: Environment, name = ""): ReceiverProblem {
  const missing = secretOf(environment, ["headersEnv", name]);
  if (typeof missing !== "string") return missing;
  return { at: "headersEnv", problem: `The value of ${name} is not a list of headers. Write key=value,key=value.` };
}
