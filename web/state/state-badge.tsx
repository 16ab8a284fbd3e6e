import { ShapedText } from "./shaped-text.tsx";
import type { State } from "./states.ts";

/** The state of a Job. */
export function StateBadge({ state, final = true }: { readonly state: State; readonly final?: boolean }) {
  return (
    <ShapedText like={state}>
      {state}
      {final ? null : <span class="only-read"> (not final)</span>}
    </ShapedText>
  );
}
