import type { FindingKind, JobAnswer } from "../../src/explain/answer-document.ts";
import { useLive } from "../ask/live.ts";
import { askJob, askWhy } from "../job/job-question.ts";
import { PodsNamed } from "../job/pods-named.tsx";
import { WithAnswer } from "../shell/with-answer.tsx";
import { shownText } from "../text/shown-text.ts";

/** What the list leaves out: the Pods by name, and what helps. */
export function ConcernPods({ job, kind }: { readonly job: JobAnswer; readonly kind: FindingKind }) {
  const one = useLive(job.uid, askJob(job, undefined)).value;
  const why = useLive(job.uid, askWhy(job)).value;
  return (
    <>
      <WithAnswer live={one} what="the Pods">
        {({ findings }) =>
          findings
            .filter((finding) => finding.kind === kind)
            .map((finding) => <PodsNamed key={finding.message} finding={finding} />)
        }
      </WithAnswer>
      {why.phase === "answered" && why.answer.remedies.length > 0 ? (
        <ul class="remedies">
          {why.answer.remedies.map((remedy) => (
            <li key={remedy}>{shownText(remedy)}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
