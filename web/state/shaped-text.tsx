import type { ComponentChildren } from "preact";
import { StateShape } from "./state-shape.tsx";
import type { State } from "./states.ts";

/** Text in the colour and with the shape of a state, so that no reader needs the colour. */
export function ShapedText({ like, children }: { readonly like: State; readonly children: ComponentChildren }) {
  return (
    <span class={`state s-${like.toLowerCase()}`}>
      <StateShape state={like} />
      {children}
    </span>
  );
}
