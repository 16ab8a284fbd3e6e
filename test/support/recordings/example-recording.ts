import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { readRecording } from "../../../src/kubernetes/recording/recording.ts";
import type { Recorded } from "../../../src/kubernetes/json/recorded.ts";
import { inChunks } from "../kubernetes/byte-chunks.ts";
import { collect } from "../running/collect.ts";

/** A recording of the project. */
export const example = gunzipSync(readFileSync(new URL("../../../examples/ttl.ndjson.gz", import.meta.url))).toString();
/** Its first lines and their contents. */
export const lines: readonly string[] = example.trim().split("\n").slice(0, 20);
export const events: readonly unknown[] = lines.map((line) => JSON.parse(line) as unknown);
export const objects = lines.map(
  (line) => (JSON.parse(line) as { object: { kind: string; apiVersion: string } }).object,
);
export const pods = objects.filter(({ kind }) => kind === "Pod");
/** Like items of typed lists, without the fields of the list. */
export const slimPods = pods.map((pod) =>
  Object.fromEntries(Object.entries(pod).filter(([field]) => field !== "kind" && field !== "apiVersion")),
);

/** The result of reading the bytes in chunks of these sizes. */
export async function read(
  given: string | Uint8Array,
  sizes?: readonly number[],
  options = {},
): Promise<readonly Recorded[]> {
  const bytes = typeof given === "string" ? Buffer.from(given) : given;
  return collect(readRecording(inChunks(bytes, sizes), options));
}

/** The events, or else the other recorded entries. */
export async function eventsIn(
  given: string | Uint8Array,
  sizes?: readonly number[],
  options = {},
): Promise<readonly unknown[]> {
  return (await read(given, sizes, options)).map((recorded) => ("event" in recorded ? recorded.event : recorded));
}

/** Each invalid line with the reason. */
export async function problemsIn(
  given: string | Uint8Array,
  options = {},
): Promise<readonly (readonly [number, string])[]> {
  return (await read(given, undefined, options)).flatMap((recorded) =>
    "problem" in recorded ? [[recorded.line, recorded.problem] as const] : [],
  );
}

/** The first line of each event. */
export async function linesOf(given: string | Uint8Array): Promise<readonly number[]> {
  return (await read(given)).flatMap((recorded) => ("event" in recorded ? [recorded.line] : []));
}

export const pretty = (value: unknown): string => JSON.stringify(value, undefined, 4);
