/** A point in time: milliseconds since 1970-01-01T00:00:00Z, whole. Negative before 1970. */
export type Instant = number;

/** The instants whose year has four digits: what RFC 3339 can write. */
const EARLIEST: Instant = -62_167_219_200_000; // 0000-01-01T00:00:00Z
const LATEST: Instant = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Reads an RFC 3339 time, as Kubernetes writes `metav1.Time` and `MicroTime`; `undefined` where it is none. Fractions below a millisecond are cut. */
export function parseInstant(text: unknown): Instant | undefined {
  if (typeof text !== "string" || !RFC_3339.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) || instant < EARLIEST || instant > LATEST ? undefined : instant;
}

/** RFC 3339 in UTC, as Kubernetes prints it: whole seconds, with milliseconds only where there are some. Out of range is held to the nearest writable instant. */
export function formatInstant(instant: Instant): string {
  const text = new Date(Math.min(LATEST, Math.max(EARLIEST, instant))).toISOString();
  return text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text;
}
