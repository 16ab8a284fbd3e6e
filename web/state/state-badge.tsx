import type { RunState } from "../../src/job/model/states.ts";
import { ShapedText } from "./shaped-text.tsx";

/** The state of a Job or a run. A queued run has the shape and colour of a pending one. */
export function StateBadge({ state, final = true }: { readonly state: RunState; readonly final?: boolean }) {
  return (
    <ShapedText like={state === "Queued" ? "Pending" : state}>
      {state}
      {final ? null : <span class="only-read"> (not final)</span>}
    </ShapedText>
  );
}
