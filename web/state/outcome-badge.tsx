import type { Outcome } from "../../src/job/model/outcome.ts";
import type { State } from "./states.ts";
import { ShapedText } from "./shaped-text.tsx";

/** The outcome of a Pod, with the shape and colour of the most similar state. */
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
