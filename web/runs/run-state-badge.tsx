import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { ShapedText } from "../state/shaped-text.tsx";

/** The state of a run, with the shape and colour of the same state of a Job. */
export function RunStateBadge({ verdict: { state, final } }: Pick<RunAnswer, "verdict">) {
  return (
    <ShapedText like={state === "Queued" ? "Pending" : state}>
      {state}
      {final ? null : <span class="only-read"> (not final)</span>}
    </ShapedText>
  );
}
