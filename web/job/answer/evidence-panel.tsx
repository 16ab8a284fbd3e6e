import type { Finding, Why } from "../../../src/explain/answer-document.ts";
import type { Live } from "../../api/live.ts";
import { WithLive } from "../../shell/with-live.tsx";
import { ClusterText } from "../../text/cluster-text.tsx";
import { Moment } from "../../text/moment.tsx";
import { number, plural } from "../../text/plural.ts";
import { shownText } from "../../text/shown-text.ts";
import { PodList, type PodListProps } from "../pod-list.tsx";
import { Section } from "../section.tsx";
import { unsaid, unsaidFinding } from "./unsaid.ts";

interface EvidencePanelProps extends Pick<PodListProps, "job"> {
  readonly findings: readonly Finding[];
  readonly why: Live<Why>;
  /** What the view says elsewhere. */
  readonly said?: readonly string[];
}

/** The findings, and the facts that they and the verdict are based on, without what the headline says already. */
export function EvidencePanel({ findings, why, job, said = [] }: EvidencePanelProps) {
  const headline = why.phase === "answered" ? why.answer.answer : "";
  if (why.phase === "answered" && isEmpty(findings, why.answer)) return null;
  return (
    <Section id="why" title={findings.length === 0 ? "Evidence" : "Findings and evidence"} long>
      {findings.length === 0 ? null : (
        <ul class="findings">
          {findings.map((finding) => (
            <FindingEntry key={`${finding.kind} ${finding.message}`} finding={finding} headline={headline} job={job} />
          ))}
        </ul>
      )}
      {why.phase === "failed" ? null : (
        <WithLive live={why} what="the evidence">
          {(answer) => (
            <EvidenceList why={answer} said={[headline, ...said, ...findings.map(({ message }) => message)]} />
          )}
        </WithLive>
      )}
    </Section>
  );
}

function isEmpty(findings: readonly Finding[], { chain, details }: Why): boolean {
  return findings.length + chain.length + details.length === 0;
}

interface EvidenceListProps {
  readonly why: Why;
  readonly said: readonly string[];
}

function EvidenceList({ why: { details, chain, omitted }, said }: EvidenceListProps) {
  const further = unsaid(details, said);
  return (
    <div class="inside">
      {further.length === 0 ? null : (
        <ul>
          {further.map((line) => (
            <li key={line} class="breaks">
              <ClusterText text={line} />
            </li>
          ))}
        </ul>
      )}
      <EvidenceChain chain={chain} />
      {omitted.count > 0 ? <OmittedFacts omitted={omitted} /> : null}
    </div>
  );
}

interface FindingEntryProps extends Pick<PodListProps, "job"> {
  readonly finding: Finding;
  readonly headline: string;
}

function FindingEntry({ finding, headline, job }: FindingEntryProps) {
  const message = unsaidFinding(finding, headline);
  return (
    <li>
      <h3>{finding.kind}</h3>
      {message === "" ? null : <p class="breaks">{shownText(message)}</p>}
      {finding.since === undefined ? null : (
        <p class="quiet small">
          Since <Moment at={finding.since} />
        </p>
      )}
      <PodList finding={finding} job={job} />
    </li>
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
