import type { ComponentChildren } from "preact";

export interface PanelProps {
  /** Names it within its view: its heading's id is made of it. */
  readonly id: string;
  /** The heading, and what the panel is called by who hears the page. */
  readonly title: ComponentChildren;
  readonly remark?: ComponentChildren;
  /** The heading's level: 1 where the panel is what the view is about. @default 2 */
  readonly level?: 1 | 2;
  /** May be torn over several pages of paper. */
  readonly long?: boolean;
  /** Links may jump to it. */
  readonly isTarget?: boolean;
  readonly children: ComponentChildren;
}

/** A framed part of a view under a heading of its own. */
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
