/** How long an acknowledgement counts, as the form offers it. */
export const EXPIRIES = ["1h", "8h", "tomorrow", "3d", "7d"] as const;
export type Expiry = (typeof EXPIRIES)[number];

export const EXPIRY_TEXTS: Readonly<Record<Expiry, string>> = {
  "1h": "for 1 hour",
  "8h": "for 8 hours",
  tomorrow: "until tomorrow, 9:00",
  "3d": "for 3 days",
  "7d": "for 7 days",
};

const NEXT_SHIFT_HOUR = 9;

/** The API's `until`. It counts durations by its own clock; the hour of a day is in the reader's time zone. */
export function untilOf(expiry: Expiry, now: number): string {
  switch (expiry) {
    case "1h":
    case "8h":
      return expiry;
    case "3d":
      return "72h";
    case "7d":
      return "168h";
    case "tomorrow":
      return tomorrow(now).toISOString();
  }
}

function tomorrow(now: number): Date {
  const at = new Date(now);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, NEXT_SHIFT_HOUR);
}
