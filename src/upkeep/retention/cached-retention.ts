import type { Instant } from "../../job/model/instant.ts";
import type { JobRetention } from "../../ports/expiry/job-expiry.ts";
import type { HoldStores } from "../../ports/expiry/holds.ts";
import { readRetentionRules } from "./retention-rules.ts";

/** How long a writer of Jobs may use rules that have been changed. */
export const RULES_MAX_AGE_MS = 60_000;

/**
 * The rules, read again when they are older than {@link RULES_MAX_AGE_MS}: two requests a minute for each instance of a
 * function. Concurrent callers wait for the same requests.
 */
export function cachedRetention(
  stores: HoldStores,
  standardDays: number,
  now: () => Instant = Date.now,
): () => Promise<JobRetention> {
  let readAt = -Infinity;
  let rules: Promise<JobRetention> | undefined;
  const read = async (): Promise<JobRetention> => {
    try {
      return await readRetentionRules(stores, standardDays);
    } catch (cause) {
      // The next caller asks again.
      rules = undefined;
      throw cause;
    }
  };
  return () => {
    if (rules === undefined || now() - readAt >= RULES_MAX_AGE_MS) {
      readAt = now();
      rules = read();
    }
    return rules;
  };
}
