import type { Why } from "../../src/explain/answer-document.ts";
import type { Live } from "../api/live.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { number, plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { LogLinks } from "./log-links.tsx";
import { Remedies } from "./remedies.tsx";
import { Section } from "./section.tsx";

/** The facts that the verdict of a Job or a run is based on, and how to fix the problem. */
export function WhyPanel({ why }: { readonly why: Live<Why> }) {
  return (
    <Section id="why" title="Evidence" long>
      <WithLive live={why} what="the evidence">
        {({ details, chain, omitted, remedies, logs = [] }) => (
          <div class="inside">
            <ul>
              {details.map((line) => (
                <li key={line} class="breaks">
                  <ClusterText text={line} />
                </li>
              ))}
            </ul>
            <EvidenceChain chain={chain} />
            {omitted.count > 0 ? <OmittedFacts omitted={omitted} /> : null}
            {logs.length > 0 ? (
              <>
                <h3>Logs</h3>
                <LogLinks links={logs} />
              </>
            ) : null}
            {remedies.length > 0 ? (
              <>
                <h3>How to fix it</h3>
                <Remedies remedies={remedies} />
              </>
            ) : null}
          </div>
        )}
      </WithLive>
    </Section>
  );
}

function EvidenceChain({ chain }: Pick<Why, "chain">) {
  return (
    <ol class="chain">
      {chain.map((entry) => (
        <li key={`${entry.time} ${entry.resourceVersion} ${entry.kind} ${entry.object} ${entry.sentence}`}>
          <span class="quiet">
            <Moment at={entry.time} />
          </span>
          <span class="breaks">
            <span class="mono">
              <ClusterText text={entry.object} />
            </span>{" "}
            {shownText(entry.sentence)}{" "}
            <span class="quiet small">
              {entry.kind}, resourceVersion {entry.resourceVersion}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function OmittedFacts({ omitted: { count, atLeast } }: Pick<Why, "omitted">) {
  const isOne = count === 1;
  return (
    <p class="quiet">
      {atLeast ? "At least " : ""}
      {plural(count, "more fact")} of the same kinds {isOne ? "is" : "are"} not listed; the history has{" "}
      {isOne ? "it" : number(count)}.
    </p>
  );
}
