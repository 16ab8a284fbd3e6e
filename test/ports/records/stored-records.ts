import { auditCheckpoint } from "../../../src/ports/records/audit-checkpoint.ts";
import { clusterRecord } from "../../../src/ports/records/cluster-record.ts";
import { cronJobRecord } from "../../../src/ports/records/cron-job-record.ts";
import { gapRecord } from "../../../src/ports/records/gap-record.ts";
import { hintRecord } from "../../../src/ports/records/hint-record.ts";
import { liveRecord } from "../../../src/ports/records/live-record.ts";
import { namespaceMarksRecord } from "../../../src/ports/records/namespace-marks-record.ts";
import { nodeRecord } from "../../../src/ports/records/node-record.ts";
import type { RecordCodec } from "../../../src/ports/records/record-codec.ts";
import { replayCheckpoint } from "../../../src/ports/records/replay/replay-checkpoint.ts";
import { setAsideHourRecord } from "../../../src/ports/records/set-aside-hour-record.ts";
import { setAsideRecord } from "../../../src/ports/records/set-aside-record.ts";
import { sweepCheckpoint } from "../../../src/ports/records/sweep-checkpoint.ts";
import { sweepRound } from "../../../src/ports/records/sweep-round.ts";
import { unitRecord } from "../../../src/ports/records/replay/unit-record.ts";
import { waitingRecord } from "../../../src/ports/records/waiting-record.ts";

export interface StoredExamples {
  readonly codec: RecordCodec<unknown>;
  /** Values exactly as release 0.1 stores them. Never change one: a deployment may contain it. */
  readonly stored: readonly string[];
  /** Values that no release stored, each with the field that the error names. */
  readonly invalid: readonly (readonly [value: string, field: string])[];
}

const stamp = '"at":1700000000000,"epoch":0,"resourceVersion":41';

const cronJobObserved = `{${stamp},"concurrencyPolicy":"Forbid","createdAt":1690000000000,"cronJobUid":"c-1","failedJobsHistoryLimit":1,"generation":3,"kind":"CronJobObserved","lastScheduledAt":1700000000000,"lastSuccessfulAt":1699999000000,"name":"nightly","namespace":"batch","schedule":"0 3 * * *","startingDeadlineSeconds":200,"successfulJobsHistoryLimit":3,"suspend":false,"timeZone":"Europe/Berlin"}`;

export const STORED_RECORDS: Readonly<Record<string, StoredExamples>> = {
  cluster: {
    codec: clusterRecord,
    stored: [
      "{}",
      '{"kubeSystemUid":"0d1e2f3a-0000-4000-8000-000000000001"}',
      `{"kubeSystemUid":"uid-1","observed":{${stamp},"kind":"ClusterObserved","kubeSystemUid":"uid-1","serverVersion":"v1.34.1"}}`,
      `{"observed":{${stamp},"kind":"ClusterObserved"}}`,
    ],
    invalid: [
      ['{"kubeSystemUid":7}', "kubeSystemUid"],
      ['{"observed":{"kind":"ClusterObserved"}}', "observed"],
    ],
  },
  node: {
    codec: nodeRecord,
    stored: [
      `{"deleted":[],"node":"n-1","stands":[{${stamp},"kind":"NodeObserved","node":"n-1","nodeUid":"u-1","ready":"True","since":1699999999000}]}`,
      `{"deleted":[{${stamp},"kind":"NodeDeleted","node":"n-1","nodeUid":"u-1"}],"node":"n-1","stands":[{${stamp},"kind":"NodeObserved","node":"n-1","nodeUid":"u-1","ready":"Unknown","reason":"NodeStatusUnknown","since":1699999999000,"taints":["node.kubernetes.io/unreachable:NoExecute"],"unschedulable":true}]}`,
      `{"deleted":[],"labelled":[{${stamp},"createdAt":1690000000000,"kind":"NodeObserved","labels":{"kubernetes.io/arch":"arm64"},"node":"n-1","nodeUid":"u-1","ready":"True","since":1699999999000}],"node":"n-1","stands":[]}`,
    ],
    invalid: [
      ['{"deleted":[],"labelled":{},"node":"n-1","stands":[]}', "labelled"],
      ['{"node":"n-1"}', "stands"],
      ['{"deleted":[],"node":"n-1","stands":[{"kind":"NodeObserved"}]}', "stands.0"],
    ],
  },
  cronjob: {
    codec: cronJobRecord,
    stored: [
      `{"cronJobUid":"c-1","observed":${cronJobObserved}}`,
      `{"cronJobUid":"c-1","observed":${cronJobObserved},"specs":[${cronJobObserved}]}`,
      `{"cronJobUid":"c-1","deleted":{${stamp},"cronJobUid":"c-1","kind":"CronJobDeleted","name":"nightly","namespace":"batch"}}`,
    ],
    invalid: [['{"cronJobUid":"c-1","observed":{}}', "observed"]],
  },
  namespaceMarks: {
    codec: namespaceMarksRecord,
    stored: [
      `{"namespace":"batch","observed":{${stamp},"kind":"NamespaceObserved","marks":{"outlive.dev/notify":"team-a"},"namespace":"batch","namespaceUid":"ns-1"}}`,
      `{"deleted":{${stamp},"kind":"NamespaceDeleted","namespace":"batch","namespaceUid":"ns-1"},"namespace":"batch","observed":{${stamp},"kind":"NamespaceObserved","namespace":"batch","namespaceUid":"ns-1"}}`,
    ],
    invalid: [
      ["{}", "namespace"],
      ['{"namespace":"batch","observed":{}}', "observed"],
    ],
  },
  gap: {
    codec: gapRecord,
    stored: [
      `{${stamp},"from":1699999000000,"gapId":"g-1","kind":"GapRecorded","reason":"The watch expired.","resources":["jobs","pods"],"to":1700000000000}`,
    ],
    invalid: [["{}", "epoch"]],
  },
  hints: {
    codec: hintRecord,
    stored: [
      '{"hints":[]}',
      `{"hints":[{${stamp},"count":2,"firstAt":1699999000000,"hintId":"e-1","kind":"EventHinted","lastAt":1700000000000,"message":"Back-off","reason":"BackOff","source":"kubelet","target":{"kind":"Pod","name":"render-0","namespace":"batch","uid":"p-1"},"type":"Warning"}]}`,
      `{"hints":[{${stamp},"code":200,"hintId":"a-1#ResponseComplete","kind":"RequestHinted","requestedAt":1700000000000,"subresource":"eviction","target":{"kind":"Pod","name":"render-0","namespace":"batch"},"user":"admin","userAgent":"kubectl","verb":"create"}]}`,
    ],
    invalid: [['{"hints":[{"kind":"EventHinted"}]}', "hints.0"]],
  },
  live: {
    codec: liveRecord,
    stored: ['{"live":"A"}', '{"live":"B"}', '{"live":"A","building":"B"}'],
    invalid: [['{"live":"C"}', "live"]],
  },
  setAside: {
    codec: setAsideRecord,
    stored: [
      '{"reason":"The segment is damaged.","setAsideAt":1700000000000,"bytes":3,"senderId":"AROAEAST000000000001:pod","message":"AAEC"}',
      '{"reason":"The segment is damaged.","setAsideAt":1700000000000,"bytes":250000,"keptAs":"0a1b"}',
      '{"bytes":3,"reason":"The segment is damaged.","setAsideAt":1700000000000,"settledAt":1700000100000}',
    ],
    invalid: [['{"reason":"The segment is damaged.","setAsideAt":"today","bytes":3}', "setAsideAt"]],
  },
  setAsideHour: {
    codec: setAsideHourRecord,
    stored: ['{"bytes":4194304}', '{"bytes":268435456,"droppedSince":1700000000000}'],
    invalid: [['{"droppedSince":1}', "bytes"]],
  },
  waiting: {
    codec: waitingRecord,
    stored: [
      '{"calledAt":1700000000000,"names":[{"sealedAt":1700000000000,"session":"0123456789abcdef","sequence":7}]}',
      '{"calledAt":0,"names":[]}',
    ],
    invalid: [['{"calledAt":0,"names":[{"sealedAt":1}]}', "names.0.session"]],
  },
  "checkpoint of a replay": {
    codec: replayCheckpoint,
    stored: [
      '{"building":"B","stage":{"stage":"clearing"},"segments":0,"failed":[],"heldUntil":0}',
      '{"building":"B","stage":{"stage":"folding"},"segments":0,"failed":[],"heldUntil":1700000960000}',
      '{"building":"B","stage":{"stage":"folding","day":{"cluster":"east","day":"20231114"},"after":{"pk":"east#20231114","sk":"2023-11-14T22:13:20.000Z#0123456789abcdef#0000000007"}},"segments":64,"failed":[{"pk":"east#20231114","sk":"x"}],"heldUntil":0}',
      '{"building":"A","stage":{"stage":"ended","outcome":"incomplete"},"segments":64,"failed":[],"heldUntil":0}',
      '{"run":3,"building":"B","stage":{"stage":"folding","units":["packs 2026-11-21T08:00:00Z 2026-11-21T08:15:00Z"]},"segments":0,"failed":[],"heldUntil":0}',
    ],
    invalid: [['{"building":"B","stage":{"stage":"paused"},"segments":0,"failed":[],"heldUntil":0}', "stage.stage"]],
  },
  "unit of a replay": {
    codec: unitRecord,
    stored: [
      '{"run":3,"segments":0,"facts":0,"failed":[],"isDone":false,"heldUntil":1700000960000}',
      '{"run":3,"place":"2026-11-21T08:00:00.000Z#0123456789abcdef","segments":64,"facts":900,"failed":[{"pk":"east#20231114","sk":"x"}],"isDone":true,"heldUntil":0}',
    ],
    invalid: [['{"segments":0,"facts":0,"failed":[],"isDone":false,"heldUntil":0}', "run"]],
  },
  "checkpoint of a sweep": {
    codec: sweepCheckpoint,
    stored: [
      '{"round":7,"position":null,"earlierRows":0}',
      '{"round":7,"position":{"list":"namespace","cluster":"east","namespace":"batch"},"earlierRows":2}',
      '{"round":7,"position":{"list":"namespace","cluster":"east","namespace":"batch","after":{"createdAt":1700000000000,"jobUid":"0d1e2f3a-0000-4000-8000-000000000001"}},"earlierRows":2}',
      '{"round":7,"position":{"list":"longLived","partition":"A#0","after":{"createdAt":1700000000000,"jobUid":"0d1e2f3a-0000-4000-8000-000000000001","cluster":"east"}},"earlierRows":2}',
    ],
    invalid: [
      [
        '{"round":7,"position":{"list":"namespace","cluster":"","namespace":"batch"},"earlierRows":2}',
        "position.cluster",
      ],
    ],
  },
  "rounds of the sweep": {
    codec: sweepRound,
    stored: ['{"startedAt":1700000300000,"previousStartedAt":1700000000000}'],
    invalid: [['{"startedAt":1700000300000}', "previousStartedAt"]],
  },
  "checkpoint of an audit": {
    codec: auditCheckpoint,
    stored: [
      '{"floor":"2023-11-14T22:13:20.000Z","given":["a1b2c3"],"lateUntil":1700000000000}',
      '{"floor":"2023-11-14T22:13:20.000Z","given":[],"lateUntil":1700000000000,"auditedUntil":1700000000000}',
    ],
    invalid: [['{"floor":"2023-11-14T22:13:20.000Z"}', "given"]],
  },
};
