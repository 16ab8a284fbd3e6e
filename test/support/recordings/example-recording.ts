import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { readRecording } from "../../../src/kubernetes/recording/recording.ts";
import type { Recorded } from "../../../src/kubernetes/json/recorded.ts";
import { inChunks } from "../kubernetes/byte-chunks.ts";
import { collect } from "../running/collect.ts";

/** A recording that comes with the project. */
export const example = gunzipSync(readFileSync(new URL("../../../examples/ttl.ndjson.gz", import.meta.url))).toString();
/** Its first lines, and what they hold. */
export const lines: readonly string[] = example.trim().split("\n").slice(0, 20);
export const events: readonly unknown[] = lines.map((line) => JSON.parse(line) as unknown);
export const objects = lines.map(
  (line) => (JSON.parse(line) as { object: { kind: string; apiVersion: string } }).object,
);
export const pods = objects.filter(({ kind }) => kind === "Pod");
/** As items of typed lists are: without what the list says once for all. */
export const slimPods = pods.map((pod) =>
  Object.fromEntries(Object.entries(pod).filter(([field]) => field !== "kind" && field !== "apiVersion")),
);

/** What is read of bytes that come in chunks of these sizes. */
export async function read(
  given: string | Uint8Array,
  sizes?: readonly number[],
  options = {},
): Promise<readonly Recorded[]> {
  const bytes = typeof given === "string" ? Buffer.from(given) : given;
  return collect(readRecording(inChunks(bytes, sizes), options));
}

/** The events; where there is none, what was recorded instead. */
export async function eventsIn(
  given: string | Uint8Array,
  sizes?: readonly number[],
  options = {},
): Promise<readonly unknown[]> {
  return (await read(given, sizes, options)).map((recorded) => ("event" in recorded ? recorded.event : recorded));
}

/** Each line that cannot be read, and why. */
export async function problemsIn(
  given: string | Uint8Array,
  options = {},
): Promise<readonly (readonly [number, string])[]> {
  return (await read(given, undefined, options)).flatMap((recorded) =>
    "problem" in recorded ? [[recorded.line, recorded.problem] as const] : [],
  );
}

/** The line that each event begins on. */
export async function linesOf(given: string | Uint8Array): Promise<readonly number[]> {
  return (await read(given)).flatMap((recorded) => ("event" in recorded ? [recorded.line] : []));
}

export const pretty = (value: unknown): string => JSON.stringify(value, undefined, 4);
