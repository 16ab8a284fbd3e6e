import type { ComponentChildren } from "preact";
import type { ComparedSubject, ComparisonAnswer } from "../../src/explain/compare/comparison-document.ts";
import { Panel } from "../shell/panel.tsx";
import { plural } from "../text/plural.ts";
import { SideBySide } from "./side-by-side.tsx";

interface RestPanelProps {
  readonly comparison: ComparisonAnswer & { readonly before: ComparedSubject };
}

/** What is equal, and what is not known, folded. */
export function RestPanel({ comparison: { before, after, equal, unknown } }: RestPanelProps) {
  return (
    <Panel id="rest" title="Equal or unknown">
      <Folded title={`${plural(equal.length, "field")} equal`}>
        <SideBySide caption="Fields that are equal" before={before} after={after} fields={equal} />
      </Folded>
      <Folded title={`${plural(unknown.length, "field")} unknown for one or both`}>
        <SideBySide caption="Fields that are unknown for one or both" before={before} after={after} fields={unknown} />
      </Folded>
    </Panel>
  );
}

function Folded({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <details class="folded">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
