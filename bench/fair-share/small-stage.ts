import { ReaderLimits } from "../../src/http/access/reader-limits.ts";
import { TokenBuckets } from "../../src/ports/concurrency/token-buckets.ts";

/** How a stage limits its readers. */
export interface StageLimits {
  /** In each instance of the function: the share of its time, or requests per second as before decision 0059. */
  readonly perReader: { readonly timeShare: number } | { readonly requestsPerSecond: number };
  /** Whether a web ACL is before the API. */
  readonly hasWebAcl: boolean;
}

export interface Sent {
  readonly address: string;
  /** Absent: the token is not valid. */
  readonly reader?: string;
  /** How long its answer takes. */
  readonly millis: number;
}

export type Received =
  | { readonly outcome: "answered" }
  | { readonly outcome: "refused"; readonly retryAfterSeconds?: number };

/** The throttle of a stage by default, and its bursts. */
const THROTTLE = { perSecond: 50, most: 100 };
/** `queryConcurrency` by default. */
const MOST_INSTANCES = 40;
/** What a refusal takes of an instance: measured, a few milliseconds. */
const REFUSAL_MILLIS = 3;
/** The limits of lib/web-acl.ts. AWS WAF notices after about half a minute ("rate-based rule caveats"). */
const ACL = { windowMillis: 300_000, limit: 7_500, lagMillis: 30_000 };

interface Instance {
  busyUntil: number;
  readonly limits: ReaderLimits;
  readonly rates: TokenBuckets | undefined;
}

/**
 * API Gateway and the instances of the query function, in virtual time, with the function's own limits. Each instance
 * handles one request at a time. A request goes to an idle instance, or to a new one.
 */
export class SmallStage {
  readonly #limits: StageLimits;
  readonly #clock: { now: number };
  readonly #throttle: TokenBuckets;
  readonly #instances: Instance[] = [];
  readonly #arrivals = new Map<string, { times: number[]; first: number }>();
  readonly #blockedSince = new Map<string, number>();

  constructor(limits: StageLimits, clock: { now: number }) {
    this.#limits = limits;
    this.#clock = clock;
    this.#throttle = new TokenBuckets({ ...THROTTLE, now: () => clock.now });
  }

  /** Answers a request that arrives now. `pass` waits for an instant. */
  async receive(sent: Sent, pass: (until: number) => Promise<void>): Promise<Received> {
    const { now } = this.#clock;
    if (this.#limits.hasWebAcl && this.#isBlocked(sent.address)) return this.#refused(30);
    if (this.#throttle.waitMillis("all") > 0) return this.#refused();
    this.#throttle.take("all", 1);
    const instance = this.#idleInstance();
    if (instance === undefined) return this.#refused();
    const refusal = this.#refusalOf(instance, sent.reader);
    if (refusal !== undefined || sent.reader === undefined) {
      instance.busyUntil = now + REFUSAL_MILLIS;
      await pass(instance.busyUntil);
      return this.#refused(refusal);
    }
    const entrance = instance.limits.enter(sent.reader);
    instance.busyUntil = now + (entrance.outcome === "admitted" ? sent.millis : REFUSAL_MILLIS);
    const { busyUntil } = instance;
    if (entrance.outcome === "refused") {
      await pass(busyUntil);
      return this.#refused(entrance.retryAfterSeconds);
    }
    await entrance.place.keepFor(entrance.place.build(() => pass(busyUntil)));
    return { outcome: "answered" };
  }

  #refused(retryAfterSeconds?: number): Received {
    return { outcome: "refused", ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }

  /** The rule before decision 0059: seconds to wait, or `undefined`. */
  #refusalOf({ rates }: Instance, reader: string | undefined): number | undefined {
    if (rates === undefined || reader === undefined) return undefined;
    if (rates.waitMillis(reader) > 0) return 1;
    rates.take(reader, 1);
    return undefined;
  }

  #idleInstance(): Instance | undefined {
    const { now } = this.#clock;
    const idle = this.#instances.find(({ busyUntil }) => busyUntil <= now);
    if (idle !== undefined || this.#instances.length >= MOST_INSTANCES) return idle;
    const { perReader } = this.#limits;
    const clock = { now: () => this.#clock.now };
    const instance =
      "timeShare" in perReader
        ? { busyUntil: 0, limits: new ReaderLimits({ ...perReader, ...clock }), rates: undefined }
        : { busyUntil: 0, limits: new ReaderLimits(clock), rates: ratesOf(perReader.requestsPerSecond, clock) };
    this.#instances.push(instance);
    return instance;
  }

  /** Counts every request, also those that it blocks. */
  #isBlocked(address: string): boolean {
    const { now } = this.#clock;
    const arrivals = this.#arrivals.get(address) ?? { times: [], first: 0 };
    arrivals.times.push(now);
    while ((arrivals.times[arrivals.first] ?? now) < now - ACL.windowMillis) arrivals.first += 1;
    this.#arrivals.set(address, arrivals);
    if (arrivals.times.length - arrivals.first <= ACL.limit) {
      this.#blockedSince.delete(address);
      return false;
    }
    const since = this.#blockedSince.get(address) ?? now;
    this.#blockedSince.set(address, since);
    return now >= since + ACL.lagMillis;
  }
}

function ratesOf(perSecond: number, clock: { readonly now: () => number }): TokenBuckets {
  return new TokenBuckets({ perSecond, most: 2 * perSecond, ...clock });
}
