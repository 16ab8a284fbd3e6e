import type { WhyAnswer } from "../../src/query/job/explain-job.ts";
import type { Live } from "../ask/live.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { number, plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { Section } from "./section.tsx";

/** The facts that the verdict rests on, and what helps. */
export function WhyPanel({ why }: { readonly why: Live<WhyAnswer> }) {
  return (
    <Section id="why" title="Why: the chain of evidence" long>
      <WithAnswer live={why} what="the evidence">
        {({ chain, omitted, remedies }) => (
          <div class="inside">
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
            {omitted.count > 0 ? (
              <p class="quiet">
                {omitted.atLeast ? "At least " : ""}
                {plural(omitted.count, "more fact")} of the same kinds {omitted.count === 1 ? "is" : "are"} not listed;
                the history has {omitted.count === 1 ? "it" : number(omitted.count)}.
              </p>
            ) : null}
            {remedies.length > 0 ? (
              <>
                <h3>What helps</h3>
                <ul class="remedies">
                  {remedies.map((remedy) => (
                    <li key={remedy}>{shownText(remedy)}</li>
                  ))}
                </ul>
              </>
            ) : null}
          </div>
        )}
      </WithAnswer>
    </Section>
  );
}
