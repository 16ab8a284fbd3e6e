import type { ComponentChildren } from "preact";
import { StateShape } from "./state-shape.tsx";
import type { State } from "./states.ts";

/** Text with the colour and the shape of a state. No information is in the colour alone. */
export function ShapedText({ like, children }: { readonly like: State; readonly children: ComponentChildren }) {
  return (
    <span class={`state s-${like.toLowerCase()}`}>
      <StateShape state={like} />
      {children}
    </span>
  );
}
