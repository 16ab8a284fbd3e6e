import type { Instant } from "../../job/model/instant.ts";

/** An attribute that is `undefined` is left out. Whole numbers are integers. */
export type Attributes = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface SpanEvent {
  readonly name: string;
  readonly at: Instant;
  readonly attributes: Attributes;
}

/** A span, in the terms of OpenTelemetry. */
export interface Span {
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Absent for the root. */
  readonly parentSpanId?: string;
  /** Of low cardinality: names of objects are attributes. */
  readonly name: string;
  /** `server`: the run, as the conventions of CI/CD want it. */
  readonly kind: "server" | "internal";
  readonly startAt: Instant;
  /** Not before `startAt`. */
  readonly endAt: Instant;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Why it failed. Absent if it did not fail. */
  readonly error?: string;
}

/** The spans of one run. Each span stands behind its parent. */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** What all spans share. */
  readonly resource: Attributes;
  readonly spans: readonly Span[];
}
