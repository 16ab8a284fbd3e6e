import type { ComponentChildren } from "preact";
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

function StateShape({ state }: { readonly state: State }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
    >
      {shapeOf(state)}
    </svg>
  );
}

function shapeOf(state: State) {
  switch (state) {
    case "Complete":
      return <path d="M3 8.5l3.2 3.2L13 4.8" />;
    case "Failed":
      return <path d="M4 4l8 8M12 4l-8 8" />;
    case "Running":
      return <path d="M5 3.5v9l7-4.5z" fill="currentColor" stroke="none" />;
    case "Pending":
      return <circle cx="8" cy="8" r="5" stroke-dasharray="2 3" />;
    case "Suspended":
      return <path d="M5.5 4v8M10.5 4v8" />;
    case "Deleted":
      return <path d="M3 8h10M8 3v0" />;
    case "Unknown":
      return <path d="M5.5 6a2.5 2.5 0 1 1 3.6 2.3C8.3 8.7 8 9.2 8 10M8 13v0" />;
  }
}
