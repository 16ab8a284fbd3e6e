import type { PrintOptions } from "./query-options.ts";

/** The messages that can be ingested again. */
export const REDRIVABLE = ["all", "dead-letters", "set-aside"] as const;

export interface RedriveOptions extends PrintOptions {
  readonly stage?: string;
  readonly database: string;
  readonly what: (typeof REDRIVABLE)[number];
}
