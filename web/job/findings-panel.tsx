import type { Finding } from "../../src/explain/answer-document.ts";
import { Moment } from "../text/moment.tsx";
import { shownText } from "../text/shown-text.ts";
import { PodsNamed } from "./pods-named.tsx";
import { Section } from "./section.tsx";

/** Where reported and observed differ, what needs a person, what was done twice. */
export function FindingsPanel({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <Section id="findings" title="What stands out">
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
            <PodsNamed finding={finding} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
