import { expectedText } from "../../../src/explain/expectation/expected-text.ts";
import { responsibilityText } from "../../../src/explain/cause/responsibility-text.ts";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import type { WhyAnswer } from "../../../src/query/job/explain-job.ts";
import type { Live } from "../../api/live.ts";
import type { ReadPages } from "../../api/read-pages.ts";
import { Panel } from "../../shell/panel.tsx";
import { WithLive } from "../../shell/with-live.tsx";
import { Moment } from "../../text/moment.tsx";
import { shownText } from "../../text/shown-text.ts";
import type { JobWithGenerations } from "../job-with-generations.ts";
import { Remedies } from "../remedies.tsx";
import { deadlineOf } from "./deadline.ts";
import { decisivePod } from "./decisive-pod.ts";
import { DecisivePodCard } from "./decisive-pod-card.tsx";

interface AnswerPanelProps {
  readonly job: JobWithGenerations;
  readonly why: Live<WhyAnswer>;
  readonly pods: Live<ReadPages<Attempt>>;
}

/** What to do about a Job, or when it should end, beside the logs of the Pod that decided. */
export function AnswerPanel({ job, why, pods }: AnswerPanelProps) {
  const decisive = decisivePod(job, pods.phase === "answered" ? pods.answer.items : []);
  const isOpen = IN_PROGRESS.has(job.verdict.state);
  if (job.verdict.state === "Complete" && !hasProblem(job)) return null;
  return (
    <Panel id="answer" title={isOpen && !hasProblem(job) ? "What to expect" : "How to fix it"}>
      <WithLive live={why} what="the explanation">
        {({ remedies, logs = [] }) => (
          <div class="inside two even answer-parts">
            <div>
              {isOpen ? <ExpectedEnd job={job} hasProblem={hasProblem(job)} /> : null}
              <Remedies remedies={remedies} />
              {remedies.length === 0 && (!isOpen || hasProblem(job)) ? <p>No remedy is known for this.</p> : null}
              {job.cause === undefined ? null : <p class="quiet">{responsibilityText(job.cause)}.</p>}
            </div>
            {decisive === undefined ? null : (
              <DecisivePodCard job={job} decisive={decisive} heardAt={job.asOf.time} logs={logs} />
            )}
          </div>
        )}
      </WithLive>
    </Panel>
  );
}

const IN_PROGRESS: ReadonlySet<JobWithGenerations["verdict"]["state"]> = new Set(["Pending", "Running", "Suspended"]);

function hasProblem({ cause, waiting, findings }: JobWithGenerations): boolean {
  return cause !== undefined || waiting !== undefined || findings.length > 0;
}

interface ExpectedEndProps {
  readonly job: JobWithGenerations;
  readonly hasProblem: boolean;
}

/** When a Job in progress should end, and when Kubernetes ends it. */
function ExpectedEnd({ job, hasProblem: isStuck }: ExpectedEndProps) {
  const expected = expectedText(job);
  const deadline = deadlineOf(job);
  return (
    <>
      {expected === undefined ? null : <p>{shownText(expected)}</p>}
      {deadline === undefined ? null : (
        <p>
          Kubernetes ends it at <Moment at={deadline} />, its activeDeadlineSeconds.
        </p>
      )}
      {expected === undefined && deadline === undefined && !isStuck ? (
        <p>When it ends is not known: it has no past runs to compare with, and no deadline.</p>
      ) : null}
    </>
  );
}
