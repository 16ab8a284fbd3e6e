import { Panel, type PanelProps } from "../shell/panel.tsx";

/** A part of the page of a Job that links can jump to. */
export function Section(props: Omit<PanelProps, "level" | "isTarget">) {
  return <Panel {...props} isTarget />;
}
