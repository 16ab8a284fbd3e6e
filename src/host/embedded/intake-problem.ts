import type { DeliveryEvent } from "../../kubernetes/delivery/delivery-event.ts";
import { errorMessage } from "../../job/text/error-message.ts";

const NOT_STORED = "The facts of the watched cluster cannot be stored. The server's log has the cause.";
const NOT_PROJECTED = "The facts of the watched cluster cannot be projected. The server's log has the cause.";

/** Whether the latest facts of a watched cluster have reached the answers, and if not, why. */
export class IntakeProblem {
  readonly #report: (sentence: string) => void;
  #problem: string | undefined;
  #isUnfolded = false;

  /** `report` receives a sentence for the operator about each failure. */
  constructor(report: (sentence: string) => void) {
    this.#report = report;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** Segments were appended to the log and could not be projected, so answers lack them. */
  onUnfolded([cause]: readonly unknown[]): void {
    this.#isUnfolded = true;
    this.#report(
      `Cannot project a segment: ${errorMessage(cause)}. The log has it. Run "outlive replay" to project it.`,
    );
  }

  onDelivery(event: DeliveryEvent): void {
    if (event.kind === "unreachable" || event.kind === "refused") this.#report(event.reason);
    if (event.kind === "unreachable" || event.kind === "stalled") this.#problem = NOT_STORED;
    if (event.kind !== "accepted") return;
    this.#problem = this.#isUnfolded ? NOT_PROJECTED : undefined;
    this.#isUnfolded = false;
  }
}
