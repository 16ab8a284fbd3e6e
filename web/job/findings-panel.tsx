import type { Finding } from "../../src/explain/answer-document.ts";
import { Moment } from "../text/moment.tsx";
import { shownText } from "../text/shown-text.ts";
import { PodList } from "./pod-list.tsx";
import { Section } from "./section.tsx";

/** All findings of a Job or a run. */
export function FindingsPanel({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <Section id="findings" title="Findings">
      <ul class="findings">
        {findings.map((finding) => (
          <li key={`${finding.kind} ${finding.since} ${finding.message}`}>
            <h3>{finding.kind}</h3>
            <p class="breaks">{shownText(finding.message)}</p>
            {finding.since === undefined ? null : (
              <p class="quiet small">
                Since <Moment at={finding.since} />
              </p>
            )}
            <PodList finding={finding} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
