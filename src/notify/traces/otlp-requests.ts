import type { Instant } from "../../job/model/instant.ts";
import { shortText } from "../../job/text/short-text.ts";
import type { Attributes, Span, SpanEvent, Trace } from "./span.ts";

/**
 * The spans of one request: the batch of OpenTelemetry's own SDKs. A request of so many spans has about 0.5 MB, far
 * below the 20 MiB of a collector and the 4 MiB of gRPC behind it.
 */
const SPANS_PER_REQUEST = 512;

/** The conventions that the names of attributes follow (opentelemetry.io/docs/specs/semconv). */
const SCHEMA_URL = "https://opentelemetry.io/schemas/1.44.0";

/**
 * The bodies of the OTLP/HTTP requests that carry a trace, as JSON. The same trace gives the same bytes. Every text but
 * links becomes one line of at most 300 characters: it may come from a cluster.
 */
export function otlpRequests({ traceId, resource, spans }: Trace): readonly string[] {
  const requests: string[] = [];
  for (let from = 0; from < spans.length; from += SPANS_PER_REQUEST) {
    const some = spans.slice(from, from + SPANS_PER_REQUEST).map((span) => encodeSpan(traceId, span));
    const scopeSpans = [{ scope: { name: "outlive" }, spans: some }];
    const encoded = { attributes: encodeAttributes(resource) };
    requests.push(JSON.stringify({ resourceSpans: [{ resource: encoded, scopeSpans, schemaUrl: SCHEMA_URL }] }));
  }
  return requests;
}

/** Numbers of the enum SpanKind of OTLP: in its JSON, enums are numbers. */
const KINDS = { internal: 1, server: 2 } as const;
/** Of the enum StatusCode. A span that did not fail has no status, as the specification recommends. */
const ERROR = 2;

function encodeSpan(traceId: string, { spanId, parentSpanId, name, kind, startAt, endAt, ...span }: Span): object {
  const { attributes, events, error } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: shortText(name),
    kind: KINDS[kind],
    startTimeUnixNano: nanosOf(startAt),
    endTimeUnixNano: nanosOf(endAt),
    attributes: encodeAttributes(attributes),
    ...(events.length > 0 && { events: events.toSorted((a, b) => a.at - b.at).map(encodeEvent) }),
    ...(error !== undefined && { status: { code: ERROR, message: shortText(error) } }),
  };
}

function encodeEvent({ name, at, attributes }: SpanEvent): object {
  return { timeUnixNano: nanosOf(at), name, attributes: encodeAttributes(attributes) };
}

/** OTLP's instants have 64 bits without a sign: 1970 to 2554. A collector refuses a request with another one. */
const LAST_MILLIS = 18_446_744_073_709;

/** In OTLP's JSON, 64-bit integers are strings. The status of a Pod may have any instant. */
function nanosOf(at: Instant): string {
  return String(BigInt(Math.min(LAST_MILLIS, Math.max(0, at))) * 1_000_000n);
}

function encodeAttributes(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: LINKS.has(key) ? { stringValue: value } : encodeValue(value) }],
  );
}

/** A link that is cut leads nowhere. Its parts were encoded when it was made. */
const LINKS: ReadonlySet<string> = new Set(["cicd.pipeline.run.url.full", "outlive.logs.url"]);

function encodeValue(value: string | number | readonly string[]): object {
  if (typeof value === "string") return { stringValue: shortText(value) };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((one) => ({ stringValue: shortText(one) })) } };
}
