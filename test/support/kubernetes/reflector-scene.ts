import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { atEnd, clock, server } from "./cluster-scene.ts";
import { ReflectorRun, type ReflectorRunOptions } from "./reflector-run.ts";
import { podObject } from "./watch-objects.ts";

/** How long a watch may bring nothing. */
export const SILENT = 30_000;

/** The stream that {@link begin} began. */
export let run: ReflectorRun;

/** A stream of the server that ends with the test. */
export function begin(options: Partial<ReflectorRunOptions> = {}): ReflectorRun {
  const begun = new ReflectorRun({ server, clock, ...options });
  atEnd(() => begun.stop());
  run = begun;
  return begun;
}

export function pod(name: string) {
  return podObject({ metadata: { name, uid: `uid-${name}` } });
}

export function version(number: number) {
  const resourceVersion = decodeResourceVersion(String(number));
  if (resourceVersion === undefined) throw new Error(`${number} is no resourceVersion.`);
  return resourceVersion;
}

/** What the API server says in a watch where it cannot go on. */
export function oops() {
  return { type: "ERROR", object: { code: 500, message: "etcdserver: leader changed" } };
}
