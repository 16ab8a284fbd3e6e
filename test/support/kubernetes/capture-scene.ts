import { CaptureRun, type CaptureRunOptions } from "./capture-run.ts";
import { atEnd, clock, server } from "./cluster-scene.ts";
import { podObject } from "./watch-objects.ts";

/** A capture that ends with the test. */
export function begin(options: Partial<CaptureRunOptions> = {}): CaptureRun {
  const run = new CaptureRun({ server, clock, ...options });
  atEnd(() => run.stop());
  return run;
}

export function pod(name: string, more: Parameters<typeof podObject>[0] = {}) {
  return podObject({ ...more, metadata: { name, uid: `uid-${name}`, ...more.metadata } });
}

/** A capture that stops after its first observation. */
export async function captureAndStop(): Promise<CaptureRun> {
  const run = begin();
  await run.watching();
  await run.told("ClusterObserved");
  await run.stop();
  return run;
}
