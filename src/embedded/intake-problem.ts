import type { DeliveryEvent } from "../delivery/delivery-event.ts";

const NOT_STORED = "The facts of the watched cluster cannot be stored. The server's log has the cause.";
const NOT_PROJECTED = "The facts of the watched cluster cannot be projected. The server's log has the cause.";

/** Whether the last facts of a watched cluster arrived in the answers, and why not. */
export class IntakeProblem {
  #problem: string | undefined;
  #isUnfolded = false;

  get problem(): string | undefined {
    return this.#problem;
  }

  /** The segments that are accepted next are in the log, and not in the answers. */
  onUnfolded(): void {
    this.#isUnfolded = true;
  }

  onDelivery({ kind }: Pick<DeliveryEvent, "kind">): void {
    if (kind === "unreachable" || kind === "stalled") this.#problem = NOT_STORED;
    if (kind !== "accepted") return;
    this.#problem = this.#isUnfolded ? NOT_PROJECTED : undefined;
    this.#isUnfolded = false;
  }
}
