import type { Outcome } from "../../src/job/model/outcome.ts";
import type { State } from "./states.ts";
import { ShapedText } from "./shaped-text.tsx";

/** What a Pod came to, in the shapes and colours of the states that are closest. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  return <ShapedText like={LIKE[outcome]}>{outcome}</ShapedText>;
}

const LIKE: Readonly<Record<Outcome, State>> = {
  Succeeded: "Complete",
  Failed: "Failed",
  Active: "Running",
  Terminating: "Suspended",
  Unknown: "Unknown",
};
