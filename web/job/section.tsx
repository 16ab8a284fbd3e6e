import { Panel, type PanelProps } from "../shell/panel.tsx";

/** A part of the page of a Job, with a heading that can be jumped to. */
export function Section(props: Omit<PanelProps, "level" | "isTarget">) {
  return <Panel {...props} isTarget />;
}
