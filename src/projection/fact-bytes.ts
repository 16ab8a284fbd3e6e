import { deflateRawSync, inflateRawSync } from "node:zlib";
import { canonical } from "../job/canonical.ts";
import type { Fact } from "../job/fact.ts";

export function bytesOfFacts(facts: readonly Fact[]): Uint8Array {
  return deflateRawSync(canonical(facts));
}

export function factsOfBytes(bytes: Uint8Array): readonly Fact[] {
  return JSON.parse(inflateRawSync(bytes).toString()) as Fact[];
}
