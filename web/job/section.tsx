import type { ComponentChildren } from "preact";

/** A part of the page of a Job, with a heading that can be jumped to. */
export function Section({
  id,
  title,
  remark,
  long = false,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly remark?: ComponentChildren;
  /** May be torn over several pages of paper. */
  readonly long?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={long ? "panel long" : "panel"} id={id} tabIndex={-1} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {remark === undefined ? null : <span class="quiet">{remark}</span>}
      </header>
      {children}
    </section>
  );
}
