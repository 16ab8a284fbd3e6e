import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { FindingKind } from "../../src/explain/findings/finding-kinds.ts";
import { useLive } from "../api/live.ts";
import { loadJob, loadWhy } from "../job/job-requests.ts";
import { PodList } from "../job/pod-list.tsx";
import { Remedies } from "../job/remedies.tsx";
import { WithLive } from "../shell/with-live.tsx";

/** What the list omits: the names of the Pods, and how to fix the problem. */
export function FindingPods({ job, kind }: { readonly job: JobAnswer; readonly kind: FindingKind }) {
  const one = useLive(job.uid, loadJob(job, undefined)).value;
  const why = useLive(job.uid, loadWhy(job)).value;
  return (
    <>
      <WithLive live={one} what="the Pods">
        {({ findings }) =>
          findings
            .filter((finding) => finding.kind === kind)
            .map((finding) => <PodList key={finding.message} finding={finding} />)
        }
      </WithLive>
      {why.phase === "answered" && why.answer.remedies.length > 0 ? <Remedies remedies={why.answer.remedies} /> : null}
    </>
  );
}
