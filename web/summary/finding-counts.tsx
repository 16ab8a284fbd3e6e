import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { KIND_TEXTS } from "../../src/explain/findings/findings.ts";
import { route } from "../shell/location.ts";
import { Panel } from "../shell/panel.tsx";
import { linkTo } from "../shell/route.ts";
import { number } from "../text/plural.ts";

/** How many Jobs have each kind of finding. */
export function FindingCounts({ summary: { findings } }: { readonly summary: SummaryAnswer }) {
  const { cluster, namespace } = route.value.parameters;
  const found = Object.entries(KIND_TEXTS).filter(([kind]) => (findings[kind] ?? 0) > 0);
  return (
    <Panel id="found" title="Findings" remark={found.length === 0 ? "No findings." : undefined}>
      {found.length === 0 ? null : (
        <div class="scroll">
          <table>
            <caption class="only-read">Jobs by kind of finding</caption>
            <thead>
              <tr>
                <th scope="col">Finding</th>
                <th scope="col" class="num">
                  Jobs
                </th>
                <th scope="col" class="hide-m">
                  Meaning
                </th>
              </tr>
            </thead>
            <tbody>
              {found.map(([kind, { title, meaning }]) => (
                <tr key={kind}>
                  <td>
                    <a href={linkTo("jobs", [], { cluster, namespace, attention: "true", q: kind })}>{title}</a>
                  </td>
                  <td class="num">{number(findings[kind] ?? 0)}</td>
                  <td class="quiet hide-m">{meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
