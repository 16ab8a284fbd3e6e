import type { ComparedFieldAnswer, ComparedSubject } from "../../src/explain/compare/comparison-document.ts";
import { Panel } from "../shell/panel.tsx";
import { plural } from "../text/plural.ts";
import { SideBySide } from "./side-by-side.tsx";

interface DifferencesPanelProps {
  readonly before: ComparedSubject;
  readonly after: ComparedSubject;
  readonly fields: readonly ComparedFieldAnswer[];
}

/** What differs, except in time: that is in a panel of its own. */
export function DifferencesPanel({ before, after, fields }: DifferencesPanelProps) {
  const shown = fields.filter(({ group }) => group !== "time");
  const remark = shown.length === 0 ? "None of the known fields differs." : plural(shown.length, "field");
  return (
    <Panel id="differences" title="Differences" remark={remark}>
      <SideBySide caption="Fields that differ" before={before} after={after} fields={shown} differ />
    </Panel>
  );
}
