import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** Says that what is shown is not whole, not fresh or not there. `warn`: read it with care; `bad`: it is not known. */
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
