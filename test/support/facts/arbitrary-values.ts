import * as fc from "fast-check";
import type { Fact, FactKind, Stamp } from "../../../src/job/model/fact.ts";
import { decodeJobUid, decodePodUid, type JobUid, type PodUid } from "../../../src/job/model/ids.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../../src/job/model/order.ts";
import type { Condition } from "../../../src/job/model/reported-status.ts";

/** The values of arbitrary facts: few uids and few orders, so that facts of the same Job, object and stamp collide. */

/** The fact of a kind. */
export type FactOf<Kind extends FactKind> = Extract<Fact, { readonly kind: Kind }>;
type OwnFields<Kind extends FactKind> = Omit<FactOf<Kind>, keyof Stamp | "kind" | "jobUid" | "podUid">;
export type ArbitraryFields<Fields> = { readonly [Field in keyof Fields]-?: fc.Arbitrary<Fields[Field]> };

/** An object of these fields; those named in `maybe` may be absent. */
export function object<Fields>(fields: ArbitraryFields<Fields>, ...maybe: readonly (keyof Fields & string)[]) {
  const requiredKeys = Object.keys(fields).filter((key) => !(maybe as readonly string[]).includes(key));
  return fc.record<Record<string, unknown>>(fields, {
    requiredKeys,
    noNullPrototype: true,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<Fields>;
}

const jobUids = [
  "1c0a8c70-6c5b-4a52-9a0e-000000000001",
  "1c0a8c70-6c5b-4a52-9a0e-000000000002",
  "f7f2a4de-8d7b-4c1e-b7de-000000000003",
].map((text) => decodeJobUid(text) as JobUid);
const podUids = [
  "0a7c3b1e-1111-4222-8333-00000000000a",
  "0a7c3b1e-1111-4222-8333-00000000000b",
  "0a7c3b1e-1111-4222-8333-00000000000c",
  "virtual-kubelet/pod-4",
].map((text) => decodePodUid(text) as PodUid);

export const arbitraryJobUid: fc.Arbitrary<JobUid> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...jobUids) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: fc.constantFrom("a", "-", "!", "=", "~"), minLength: 1, maxLength: 40 })
      .map((text) => decodeJobUid(text) as JobUid),
  },
);
export const arbitraryPodUid: fc.Arbitrary<PodUid> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...podUids) },
  { weight: 1, arbitrary: fc.uuid().map((text) => decodePodUid(text) as PodUid) },
);

const arbitraryResourceVersion: fc.Arbitrary<ResourceVersion> = fc
  .oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 12 }) },
    { weight: 1, arbitrary: fc.maxSafeNat().map((n) => Math.max(1, n)) },
  )
  .map((number) => decodeResourceVersion(String(number)) as ResourceVersion);

const NOON = Date.UTC(2026, 10, 21, 12);
export const arbitraryInstant: fc.Arbitrary<Instant> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3, max: 60 }).map((seconds) => NOON + seconds * 1000) },
  { weight: 2, arbitrary: fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }) },
);

const stamp: ArbitraryFields<Stamp> = {
  epoch: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 2 }) }),
  resourceVersion: arbitraryResourceVersion,
  at: arbitraryInstant,
};

export const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "",
      "a",
      "main",
      "- x",
      "=a",
      "!b",
      "Reached expected number of succeeded pods",
      "10.0.0.1",
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.uuid() },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.uuid(), fc.constantFrom("", "#", "#ResponseComplete")).map((parts) => parts.join("")),
  },
);
export const name = fc.oneof(
  fc.constantFrom("nightly", "nightly-x7k2p", "nightly-", "nightly-x7k2p-0", "report", "-", "=nightly"),
  text,
);
export const namespace = fc.constantFrom("default", "batch", "mixed");
export const count = fc.oneof(fc.nat({ max: 3 }), fc.maxSafeNat());
export const flag = fc.constant(true as const);
export const texts = fc.array(text, { maxLength: 3 });
/** Labels: keys that look like numbers, and one that JavaScript treats apart, have an order of their own in objects. */
export const labels = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom("app", "10", "9", "-1", "name", "node", "__proto__"), fc.string()), text), {
    maxLength: 4,
  })
  .map((entries): Readonly<Record<string, string>> => Object.fromEntries(entries));

export const podCondition = object<Omit<Condition, "details">>(
  {
    type: fc.constantFrom("Complete", "Failed", "SuccessCriteriaMet", "FailureTarget", "Suspended"),
    status: fc.constantFrom("True", "False", "Unknown"),
    reason: text,
    message: text,
    lastTransitionAt: arbitraryInstant,
  },
  "reason",
  "message",
  "lastTransitionAt",
);
/** Conditions of a Pod; those of a Job may have details (arbitrary-job-facts.ts). */
export const conditions = fc.array(podCondition, { maxLength: 3 });

/**
 * A fact of this kind. `about` identifies its object, `fields` are its other fields, and those named in `maybe` may be
 * absent.
 */
export function fact<Kind extends FactKind>(
  kind: Kind,
  about: Readonly<Record<string, fc.Arbitrary<string>>>,
  fields: ArbitraryFields<OwnFields<Kind>>,
  ...maybe: readonly (keyof OwnFields<Kind> & string)[]
): fc.Arbitrary<FactOf<Kind>> {
  const all = { ...stamp, kind: fc.constant(kind), ...about, ...fields };
  return object(all as unknown as ArbitraryFields<FactOf<Kind>>, ...maybe);
}
