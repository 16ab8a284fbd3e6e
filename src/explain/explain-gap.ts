import { formatInstant } from "../job/model/instant.ts";
import type { Completeness, Gap } from "../job/status/completeness.ts";
import type * as document from "./answer-document.ts";

/** Completeness as the answer document has it. */
export function presentCompleteness(completeness: Completeness): document.Completeness {
  const { level } = completeness;
  const gaps = completeness.gaps.map(presentGap);
  return level === "stale" ? { level, gaps, heardAt: formatInstant(completeness.heardAt) } : { level, gaps };
}

function presentGap(gap: Gap): document.Gap {
  switch (gap.gap) {
    case "recorded": {
      const { from, to, resources, reason } = gap;
      return { from: formatInstant(from), to: formatInstant(to), resources, reason };
    }
    case "beforeFirstObservation":
      return {
        ...(gap.from !== undefined && { from: formatInstant(gap.from) }),
        to: formatInstant(gap.to),
        resources: ["jobs", "pods"],
        reason: gap.forgets
          ? "The Job had started before it was first seen, and its controller forgets Pods that are gone."
          : "The Job had counted Pods before it was first seen.",
      };
    case "jobNotObserved":
      return { resources: ["jobs"], reason: "The Job itself was never seen." };
    case "nameReadFromPod": {
      const doubt = gap.mayGoOn ? ", whose name is as long as it can be: the Job's may go on" : "";
      return { resources: ["jobs"], reason: `The Job's name is read off its Pod ${gap.pod}${doubt}.` };
    }
    case "endsNotObserved": {
      const pods = gap.pods === 1 ? "1 Pod whose end was not seen" : `${gap.pods} Pods whose ends were not seen`;
      return { resources: ["pods"], reason: `Kubernetes counted ${pods}.` };
    }
    case "podsObservedInPart": {
      const pods = gap.pods === 1 ? "1 Pod was" : `${gap.pods} Pods were`;
      return { resources: ["pods"], reason: `${pods} not seen from beginning to end.` };
    }
    case "jobTruncated":
      return { resources: ["jobs"], reason: "The Job's object was too large to be kept whole." };
  }
}
