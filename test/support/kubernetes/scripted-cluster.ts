import type { CapturedStep } from "../../../src/kubernetes/delivery/relay.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Counted } from "../stores/counted-positions.ts";

/** A cluster that a test controls. Captures read one fact per step, and the position counts facts. */
export function scriptedCluster() {
  const facts: Fact[] = [];
  const beganFrom: (Counted | undefined)[] = [];
  const waiting = new Set<() => void>();
  let failure: Error | undefined;
  let read = 0;

  const wake = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  async function* capture(from: Counted | undefined, signal: AbortSignal): AsyncGenerator<CapturedStep<Counted>> {
    beganFrom.push(from);
    signal.addEventListener("abort", wake, { once: true });
    for (let at = from?.["pods"] ?? 0; !signal.aborted;) {
      if (failure !== undefined) throw failure;
      const fact = facts[at];
      if (fact === undefined) {
        await new Promise<void>((resolve) => {
          waiting.add(resolve);
        });
      } else {
        at += 1;
        read += 1;
        yield { facts: [fact], position: { pods: at } };
      }
    }
  }

  return {
    capture,
    beganFrom,
    /** The number of facts that all captures have read. */
    read: () => read,
    happen: (...more: readonly Fact[]) => {
      facts.push(...more);
      wake();
    },
    fail: (error: Error) => {
      failure = error;
      wake();
    },
  };
}
