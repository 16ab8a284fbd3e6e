import { pause } from "../../ports/concurrency/pause.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import type { Receiver } from "../rules/rules.ts";
import { deliverDue, type DeliverDuePorts, MOST_AT_ONCE, type Pass } from "./deliver-due.ts";

export interface NotifierOptions extends Omit<DeliverDuePorts, "now"> {
  readonly receivers: readonly Receiver[];
  readonly clock: Clock;
  /** Receives a sentence for the operator when a receiver begins to fail, and when it accepts messages again. */
  readonly report: (sentence: string) => void;
}

export interface Notifier {
  /** Stops after the messages that are being sent. Never rejects. */
  readonly stop: () => Promise<void>;
}

const POLL_MILLIS = 1_000;
/** The first wait before a receiver that fails is tried again. Each delivery has its own back-off, too. */
const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 30_000;

/** Delivers to each receiver independently: one that fails delays no other. */
export function runNotifier(options: NotifierOptions): Notifier {
  const stopping = new AbortController();
  const running = options.receivers.map((receiver) => deliverUntil(receiver, options, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}

async function deliverUntil(receiver: Receiver, options: NotifierOptions, signal: AbortSignal): Promise<void> {
  const { clock, report } = options;
  const ports = { ...options, now: () => clock.now() };
  let failures = 0;
  while (!signal.aborted) {
    // A receiver that fails gets one message at a time.
    const pass = await passOf(ports, receiver, failures > 0 ? 1 : MOST_AT_ONCE);
    if (pass.outcome === "failing") {
      if (failures === 0) report(`Receiver ${receiver.name} does not accept messages: ${pass.problem}. Retrying.`);
      failures += 1;
    } else if (pass.outcome === "delivered") {
      if (failures > 0) report(`Receiver ${receiver.name} accepts messages again.`);
      failures = 0;
    }
    const wait = failures > 0 ? pauseAfter(failures) : POLL_MILLIS;
    if (pass.outcome !== "delivered") await pause(wait, signal, clock);
  }
}

/** A failure of the database is reported, and tried again like one of the receiver. */
async function passOf(ports: DeliverDuePorts, receiver: Receiver, limit: number): Promise<Pass> {
  try {
    return await deliverDue(ports, receiver, limit);
  } catch (cause) {
    return { outcome: "failing", problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** Math.min(failures - 1, 10));
}
