import { CLASS_WORDS, shareText } from "../../src/explain/usage/usage-text.ts";
import type { UsageReportGroup } from "../../src/query/usage/usage-report.ts";
import { Panel } from "../shell/panel.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";

interface GroupsProps {
  readonly title: string;
  readonly groups: readonly UsageReportGroup[];
}

const SHOWN = ["kept", "startUp", "failed", "interrupted", "duplicate", "idle"] as const;
/** The page shows the first ones; `outlive usage` prints all. */
const MOST = 50;

/** What groups of Jobs reserved. */
export function UsageGroups({ title, groups }: GroupsProps) {
  if (groups.length === 0) return null;
  return (
    <Panel id={title.toLowerCase().replaceAll(" ", "-")} title={title} remark={plural(groups.length, "group")}>
      <div class="scroll">
        <table class="comparison">
          <caption class="only-read">{title}</caption>
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Pods</th>
              <th scope="col">Pod time</th>
              {SHOWN.map((of) => (
                <th key={of} scope="col">
                  {CLASS_WORDS[of]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.slice(0, MOST).map(({ key, usage: { pods, podSeconds } }) => (
              <tr key={key}>
                <th scope="row">{key === "" ? <span class="quiet">none</span> : shownText(key)}</th>
                <td>{pods}</td>
                <td>{spanText(podSeconds.total * 1_000)}</td>
                {SHOWN.map((of) => (
                  <td key={of}>{podSeconds[of] > 0 ? shareText(podSeconds, of) : "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
