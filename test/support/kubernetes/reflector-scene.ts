import { decodeResourceVersion } from "../../../src/job/model/order.ts";
import { atEnd, clock, server } from "./cluster-scene.ts";
import { ReflectorRun, type ReflectorRunOptions } from "./reflector-run.ts";
import { podObject } from "./watch-objects.ts";

/** The idle timeout of a watch. */
export const SILENT = 30_000;

/** The stream of {@link begin}. */
export let run: ReflectorRun;

/** A stream that ends with the test. */
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

/** The error of the API server in a watch that it cannot continue. */
export function oops() {
  return { type: "ERROR", object: { code: 500, message: "etcdserver: leader changed" } };
}
