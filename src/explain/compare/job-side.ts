import { canonical } from "../../job/model/canonical.ts";
import { currentSpec } from "../../job/model/current-spec.ts";
import { parseInstant } from "../../job/model/instant.ts";
import type { JobSpec } from "../../job/model/job-spec.ts";
import { wholeMillis } from "../../job/status/whole-clock.ts";
import type { JobAnswer } from "../answer-document.ts";
import type { DerivedJob } from "../derived-job.ts";
import type { FieldKind, Side, SideField, UnknownReason } from "./compared-field.ts";
import { imageFields, type JobImages, unknownOfImages } from "./job-images.ts";
import type { PodTraits } from "./pod-traits.ts";
import {
  findingFields,
  known,
  labelFields,
  orNone,
  outcomeFields,
  seconds,
  setOf,
  unknownKinds,
} from "./side-fields.ts";

export interface DescribedJob {
  readonly derived: Pick<DerivedJob, "job">;
  readonly answer: JobAnswer;
  readonly traits: PodTraits;
  readonly images: JobImages;
}

/** A Job as one side of a comparison. */
export function jobSide(described: DescribedJob): Side {
  const { derived, answer, traits, images } = described;
  const { job } = derived;
  const spec = currentSpec(job);
  return {
    fields: [
      ...outcomeFields(answer),
      known("attempts", traits.pods),
      known("restarts", traits.restarts),
      ...orNone("exitCode", setOf(traits.exits)),
      ...orNone("category", setOf(traits.categories)),
      ...findingFields(answer.findings),
      ...imageFields(images),
      ...fieldsByKey("request", traits.requests),
      ...(spec === undefined ? [] : specFields(spec)),
      ...orNone("queue", job.reported?.queueName),
      ...labelFields(answer.labels, namesOf(answer)),
      ...orNone("node", setOf(traits.nodes)),
      ...fieldsByKey("nodeLabel", traits.nodeLabels),
      ...timeFields(described),
    ],
    unknown: unknownKinds({ ...unknownOfJob(described), ...unknownOfPods(described) }),
  };
}

function namesOf({ name, uid, run, owners, externalIds }: JobAnswer): ReadonlySet<string> {
  const ofOwners = owners.map((owner) => owner.uid);
  const names = [name, uid, run.name, run.uid, ...ofOwners, ...Object.values(externalIds)];
  return new Set(names.filter((id) => id !== undefined));
}

function fieldsByKey(kind: FieldKind, values: ReadonlyMap<string, ReadonlySet<string>>): readonly SideField[] {
  return [...values].flatMap(([key, all]) => orNone(kind, setOf(all), { key }));
}

/** The hash of resources shows only whether the template's requests and limits are the same. */
function specFields(spec: JobSpec): readonly SideField[] {
  const { resources, podFailurePolicy, successPolicy, suspend, restartPolicy, podActiveDeadlineSeconds, ...plain } =
    spec;
  const policies = { podFailurePolicy, successPolicy };
  const ofPods = {
    "template.spec.restartPolicy": restartPolicy,
    "template.spec.activeDeadlineSeconds": podActiveDeadlineSeconds,
  };
  return [
    ...orNone("resources", resources),
    ...Object.entries({ ...plain, ...ofPods }).flatMap(([key, value]) => orNone("spec", value, { key })),
    known("spec", String(suspend), { key: "suspend" }),
    ...Object.entries(policies).flatMap(([key, policy]) => orNone("spec", policy && canonical(policy), { key })),
  ];
}

/** The clocks of docs/answers/expectations.md, and the start of a Pod on its node. */
function timeFields({ derived: { job }, answer, traits }: DescribedJob): readonly SideField[] {
  const { startedAt, startUp, attempt } = traits;
  const finished = parseInstant(answer.finishedAt);
  return [
    ...seconds("waiting", startedAt === undefined ? undefined : wholeMillis(job, startedAt)),
    ...seconds("startUp", startUp),
    ...seconds("attempt", attempt),
    ...seconds("whole", finished === undefined ? undefined : wholeMillis(job, finished)),
  ];
}

type Unknown = Partial<Record<FieldKind, UnknownReason | undefined>>;

function unknownOfJob({ derived: { job }, answer }: DescribedJob): Unknown {
  const spec = currentSpec(job);
  const isNamed = job.created === undefined ? "notObserved" : undefined;
  return {
    spec: spec === undefined ? "notObserved" : undefined,
    resources: "notRecorded",
    queue: job.reported === undefined ? "notObserved" : undefined,
    label: job.created?.truncated === true ? "truncated" : isNamed,
    whole: answer.verdict.final ? "notObserved" : "inProgress",
  };
}

function unknownOfPods({ traits, images, answer: { verdict } }: DescribedJob): Unknown {
  const { pods, requests, nodeLabels } = traits;
  const why = pods === 0 ? "noPods" : verdict.final ? "notObserved" : "inProgress";
  return {
    ...unknownOfImages(images, why),
    exitCode: why,
    node: why,
    request: requests.size === 0 ? why : undefined,
    nodeLabel: nodeLabels.size === 0 ? why : undefined,
    waiting: why,
    startUp: why,
    attempt: why,
  };
}
