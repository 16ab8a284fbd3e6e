import type { ComponentChildren } from "preact";

export interface PanelProps {
  /** Unique within the view; the id of the heading is derived from it. */
  readonly id: string;
  /** The heading, which also labels the panel for screen readers. */
  readonly title: ComponentChildren;
  readonly remark?: ComponentChildren;
  /** The heading's level; 1 if the panel is the main part of the view. @default 2 */
  readonly level?: 1 | 2;
  /** May be printed over several pages. */
  readonly long?: boolean;
  /** Links can jump to it. */
  readonly isTarget?: boolean;
  readonly children: ComponentChildren;
}

/** A framed part of a view with its own heading. */
export function Panel({ id, title, remark, level = 2, long = false, isTarget = false, children }: PanelProps) {
  const Heading = `h${level}` as const;
  return (
    <section
      class={long ? "panel long" : "panel"}
      aria-labelledby={`${id}-title`}
      {...(isTarget && { id, tabIndex: -1 })}
    >
      <header>
        <Heading id={`${id}-title`}>{title}</Heading>
        {remark === undefined ? null : <span class="quiet">{remark}</span>}
      </header>
      {children}
    </section>
  );
}
