import type { JobAnswer, JobChange } from "../../src/explain/answer-document.ts";
import type { Heartbeat } from "../../src/query/clusters/clusters.ts";
import type { ApiResult } from "./api-result.ts";
import type { Parameters } from "./request.ts";

/** Jobs whose verdict, findings or existence changed, as lists show them; or that some changes were missed. */
export type News = readonly JobAnswer[] | "missed";

/** What a poll asks for. */
export interface PolledChanges {
  readonly items: readonly JobChange[];
  readonly nextCursor: string;
  readonly more: boolean;
  readonly heartbeats?: readonly Heartbeat[];
}

/** More changes than these in one interval cost more than the first page of a list, which is then read instead. */
const MOST_CHANGES = 100;
/** Heartbeats come with every fourth poll: a cluster is silent after five minutes. */
const LONG_ROUND = 4;
/** A change is readable this long after its instant (SETTLED_AFTER_MS of src/segment/late.ts). */
const SETTLED_AFTER_SECONDS = 15;

/**
 * Follows changes by one small request per turn. In a busy fleet there are too many: then lists are read again instead,
 * and every fourth turn tries whether they can be followed.
 */
export class ChangePoll {
  #cursor: string | undefined;
  /** When everything shown was read, if there is no cursor. */
  #readAt: number;
  #turn = 0;
  #isBusy = false;

  constructor(now: number) {
    this.#readAt = now;
  }

  /** What to request in this turn; `undefined`: nothing, because the lists are read. */
  next(now: number): Parameters | undefined {
    const isLong = this.#turn % LONG_ROUND === 0;
    this.#turn += 1;
    if (this.#isBusy && !isLong) {
      this.#readAt = now;
      return undefined;
    }
    const since = Math.ceil((now - this.#readAt) / 1_000) + SETTLED_AFTER_SECONDS;
    const from = this.#cursor === undefined ? { since: `${since}s` } : { cursor: this.#cursor };
    return { ...from, limit: MOST_CHANGES, heartbeats: isLong ? "true" : undefined };
  }

  /** The news of an answer. A failed request is repeated in the next turn. */
  take(result: ApiResult<PolledChanges>, now: number): News {
    if (result.outcome !== "answered") return this.#takeFailure(result, now);
    const { items, nextCursor, more } = result.answer;
    const wasBusy = this.#isBusy;
    this.#isBusy = more;
    this.#cursor = more ? undefined : nextCursor;
    if (!more) return items.map(({ job }) => job);
    if (wasBusy) return [];
    this.#readAt = now;
    return "missed";
  }

  #takeFailure(failure: Exclude<ApiResult<never>, { outcome: "answered" }>, now: number): News {
    const isRefusedCursor = failure.outcome === "refused" && (failure.status === 400 || failure.status === 410);
    if (!isRefusedCursor) return [];
    this.#cursor = undefined;
    this.#readAt = now;
    return "missed";
  }
}
