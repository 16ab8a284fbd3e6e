import type { Outcome } from "../../src/job/answer.ts";
import type { State } from "./states.ts";
import { StateShape } from "./state-shape.tsx";

/** What a Pod came to, in the shapes and colours of the states that are closest. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  const like = LIKE[outcome];
  return (
    <span class={`state s-${like.toLowerCase()}`}>
      <StateShape state={like} />
      {outcome}
    </span>
  );
}

const LIKE: Readonly<Record<Outcome, State>> = {
  Succeeded: "Complete",
  Failed: "Failed",
  Active: "Running",
  Terminating: "Suspended",
  Unknown: "Unknown",
};
