import { StateShape } from "./state-shape.tsx";
import type { State } from "./states.ts";

/** A state as text, colour and shape, so that no reader needs the colour. */
export function StateBadge({ state, final = true }: { readonly state: State; readonly final?: boolean }) {
  return (
    <span class={`state s-${state.toLowerCase()}`}>
      <StateShape state={state} />
      {state}
      {final ? null : <span class="only-read"> (not final)</span>}
    </span>
  );
}
