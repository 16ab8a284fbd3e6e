import { Outbox, type OutboxOptions } from "../../../src/kubernetes/delivery/outbox.ts";
import { type Counted, countedPositions } from "./counted-positions.ts";
import { clusterNamed } from "../facts/names.ts";

/** An outbox of cluster "east" that retries after a second, with the options of a test. */
export function countedOutbox(
  options: Pick<OutboxOptions<Counted>, "queue" | "clock"> & Partial<OutboxOptions<Counted>>,
): Outbox<Counted> {
  return new Outbox({
    cluster: clusterNamed("east"),
    rules: countedPositions,
    backOff: () => 1000,
    observe: () => undefined,
    ...options,
  });
}
