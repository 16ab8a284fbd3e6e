import { formatInstant } from "../job/model/instant.ts";
import type { Completeness, Gap } from "../job/status/completeness.ts";
import type * as document from "./answer-document.ts";

/** Completeness as the answer document has it. */
export function presentCompleteness(completeness: Completeness): document.Completeness {
  const { level } = completeness;
  const gaps = completeness.gaps.map(presentGap);
  return level === "stale" ? { level, gaps, heardAt: formatInstant(completeness.heardAt) } : { level, gaps };
}

export function presentGap<Kind extends GapKind>(gap: GapOf<Kind>): document.Gap {
  return GAPS[gap.gap](gap);
}

type GapKind = Gap["gap"];
type GapOf<Kind extends GapKind> = { [K in Kind]: Extract<Gap, { readonly gap: K }> }[Kind];
type PresentedGaps = { readonly [Kind in GapKind]: (gap: GapOf<Kind>) => document.Gap };

const GAPS: PresentedGaps = {
  recorded: ({ from, to, resources, reason }) => ({
    from: formatInstant(from),
    to: formatInstant(to),
    resources,
    reason,
  }),
  beforeFirstObservation: ({ from, to, forgets }) => ({
    ...(from !== undefined && { from: formatInstant(from) }),
    to: formatInstant(to),
    resources: ["jobs", "pods"],
    reason: forgets
      ? "The Job had started before it was first observed, and its controller does not count deleted Pods."
      : "The Job had counted Pods before it was first observed.",
  }),
  jobNotObserved: () => ({ resources: ["jobs"], reason: "The Job object was never observed." }),
  nameReadFromPod: ({ pod, mayGoOn }) => {
    const doubt = mayGoOn ? ", whose name has the maximum length: the Job's name may be longer" : "";
    return { resources: ["jobs"], reason: `The Job's name is taken from its Pod ${pod}${doubt}.` };
  },
  endsNotObserved: ({ pods }) => ({
    resources: ["pods"],
    reason: `Kubernetes counted ${pods === 1 ? "1 Pod whose end was" : `${pods} Pods whose ends were`} not observed.`,
  }),
  podsObservedInPart: ({ pods }) => ({
    resources: ["pods"],
    reason: `${pods === 1 ? "1 Pod was" : `${pods} Pods were`} not observed from beginning to end.`,
  }),
  jobTruncated: () => ({ resources: ["jobs"], reason: "The Job object was too large to be recorded completely." }),
};
