import * as v from "valibot";
import {
  addToResource,
  addToSums,
  type ClassSums,
  type GrowingUsage,
  newUsage,
  SUM_CLASSES,
  type Usage,
} from "../../job/usage/usage.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { packedJson, readPackedJson } from "../../ports/sums/packed-text.ts";

/** What writes change in what the Jobs of a cluster reserved on a day. */
export interface UsageDifference {
  readonly cluster: ClusterName;
  /** A UTC day (`yyyymmdd`). */
  readonly day: string;
  readonly table: UsageTable;
}

/**
 * What the Jobs of some namespaces reserved, as sums that can be added and subtracted. A table may also be a
 * difference: then its numbers can be negative.
 */
export class UsageTable {
  readonly #namespaces = new Map<string, Map<string, bigint>>();

  add(namespace: string, usage: Usage, times: 1 | -1 = 1): void {
    for (const [name, amount] of sumsOf(usage)) this.#add(namespace, name, BigInt(times) * amount);
  }

  addTable(other: UsageTable): void {
    for (const [namespace, sums] of other.#namespaces) {
      for (const [name, amount] of sums) this.#add(namespace, name, amount);
    }
  }

  get isEmpty(): boolean {
    return this.#namespaces.size === 0;
  }

  /** What was reserved in each namespace. */
  *usages(): Generator<readonly [namespace: string, usage: Usage]> {
    for (const [namespace, sums] of this.#namespaces) yield [namespace, usageOf(sums)];
  }

  /** The same with all namespaces as one. */
  merged(namespace: string): UsageTable {
    const table = new UsageTable();
    for (const sums of this.#namespaces.values()) {
      for (const [name, amount] of sums) table.#add(namespace, name, amount);
    }
    return table;
  }

  /** The same under other names of namespaces, except what is in `kept`. `nameOf`: `undefined` where a name stays. */
  renamed(nameOf: (namespace: string) => string | undefined, kept = new UsageTable()): UsageTable {
    const table = new UsageTable();
    for (const [namespace, sums] of this.#namespaces) {
      const name = nameOf(namespace) ?? namespace;
      for (const [of, amount] of sums) {
        const own = kept.#namespaces.get(namespace)?.get(of) ?? 0n;
        table.#add(namespace, of, own);
        table.#add(name, of, amount - own);
      }
    }
    return table;
  }

  /** Equal tables have equal texts. */
  pack(): string {
    const sorted = [...this.#namespaces].sort(byName).map(([namespace, sums]) => {
      const amounts = [...sums].sort(byName).map(([name, amount]) => [name, String(amount)] as const);
      return [namespace, Object.fromEntries(amounts)] as const;
    });
    return packedJson(Object.fromEntries(sorted));
  }

  /** The inverse of {@link pack}; `undefined` if the text is damaged or of a later release. */
  static unpack(text: string): UsageTable | undefined {
    const read = v.safeParse(packedTable, readPackedJson(text));
    if (!read.success) return undefined;
    const table = new UsageTable();
    for (const [namespace, sums] of Object.entries(read.output)) {
      for (const [name, amount] of Object.entries(sums)) table.#add(namespace, name, BigInt(amount));
    }
    return table;
  }

  #add(namespace: string, name: string, amount: bigint): void {
    const sums = this.#namespaces.get(namespace) ?? new Map<string, bigint>();
    const sum = (sums.get(name) ?? 0n) + amount;
    if (sum === 0n) sums.delete(name);
    else sums.set(name, sum);
    if (sums.size === 0) this.#namespaces.delete(namespace);
    else this.#namespaces.set(namespace, sums);
  }
}

const packedTable = v.record(v.string(), v.record(v.string(), v.pipe(v.string(), v.regex(/^-?[0-9]{1,60}$/))));

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The names of sums: how many Pods and how many parts `at most`, and `RESOURCE/CLASS`, without a resource for time. */
const PODS = "pods";
const AT_MOST = "atMost";

function* sumsOf({ pods, isAtMost, podTime, resources }: Usage): Generator<readonly [name: string, amount: bigint]> {
  yield [PODS, BigInt(pods)];
  if (isAtMost) yield [AT_MOST, 1n];
  yield* classesOf("", podTime);
  for (const [resource, sums] of resources) yield* classesOf(resource, sums);
}

function* classesOf(resource: string, sums: ClassSums): Generator<readonly [name: string, amount: bigint]> {
  for (const [of, amount] of sums) yield [`${resource}/${of}`, amount];
}

function usageOf(sums: ReadonlyMap<string, bigint>): Usage {
  const usage: GrowingUsage = newUsage();
  usage.pods = Number(sums.get(PODS) ?? 0n);
  usage.isAtMost = (sums.get(AT_MOST) ?? 0n) > 0n;
  for (const [name, amount] of sums) {
    const of = SUM_CLASSES.find((each) => name.endsWith(`/${each}`));
    if (of === undefined) continue;
    const resource = name.slice(0, -of.length - 1);
    if (resource === "") addToSums(usage.podTime, of, amount);
    else addToResource(usage, resource, { of, amount });
  }
  return usage;
}
