import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** Says that data is incomplete, stale or missing. `warn`: read it with care. `bad`: the present state is unknown. */
export function Banner({
  tone,
  title,
  children,
}: {
  readonly tone: "warn" | "bad";
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class={`banner ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name="warning" />
      <div>
        <strong>{title}</strong> {children}
      </div>
    </section>
  );
}
