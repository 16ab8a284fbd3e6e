import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { archiveDatabase } from "../../../src/host/embedded/archive-database.ts";
import { type Embedded, openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { erasurePorts } from "../../../src/host/embedded/erase-embedded.ts";
import { eraseData, type ErasureOutcome, type ErasurePorts } from "../../../src/log/erasure/command/erase-data.ts";
import type { ErasureTarget } from "../../../src/log/erasure/erasure-target.ts";
import { createFolderObjects } from "../../../src/adapters/folder/folder-objects.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../../src/job/model/order.ts";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import type { Acknowledgement } from "../../../src/ports/records/acknowledgement-record.ts";
import { createAcknowledgementWriter } from "../../../src/query/attention/acknowledge.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { EIGHT, endedJob, HOUR } from "../archive/archive-scene.ts";
import { clusterNamed, jobUid } from "../facts/names.ts";
import { HOOK, rulesOf } from "../notify/notified-tracker.ts";
import { ruleOf } from "../story/notified.ts";

/** Names that occur nowhere else. All belong to namespace `quokka-bank`. */
export const NAMESPACE = "quokka-bank";
export const NAMES = {
  job: "wombat-payroll",
  pod: "wombat-payroll-x",
  message: "Ada Lovelace owes 4711",
  label: "numbat-team",
  namespace: NAMESPACE,
} as const;
/** A Job in the same namespace, and one in another. */
export const OTHERS = { sibling: "bilby-report", neighbour: "dingo-backup" } as const;

export const cluster = clusterNamed("east");
export const ERASED_AT = EIGHT + 3 * HOUR;

/** An acknowledgement that names the Job in its note, and one of another namespace. */
export const ACKNOWLEDGED: Acknowledgement = {
  cluster,
  namespace: NAMESPACE,
  id: "0123456789abcdef".repeat(2),
  kind: "LimitReached",
  severity: "failed",
  by: "token on-call",
  at: EIGHT,
  until: EIGHT + 500 * HOUR,
  note: `${NAMES.job}: ${NAMES.message}`,
};
export const ACKNOWLEDGED_BESIDE: Acknowledgement = { ...ACKNOWLEDGED, namespace: "zoo", note: "Known." };

/** A tracker on a file, with an archive in a folder beside it and messages that wait. */
export class ErasureScene {
  readonly folder = mkdtempSync(join(tmpdir(), "outlive-erasure-"));
  readonly database = join(this.folder, "stores", "tracker.sqlite");
  readonly archiveFolder = join(this.folder, "stores", "archive");
  readonly archive: ObjectStore = createFolderObjects(this.archiveFolder);
  tracker: Embedded;
  /** The messages as they were sent. */
  readonly sent: { readonly bytes: Uint8Array; readonly at: Instant }[] = [];
  #sequence = 0;

  constructor() {
    mkdirSync(join(this.folder, "stores"));
    this.tracker = this.open();
  }

  get stores(): string {
    return join(this.folder, "stores");
  }

  open(path = this.database): Embedded {
    const rule = ruleOf({ match: { states: ["Failed"], findings: [] } });
    const rules = rulesOf([rule], { receivers: [HOOK] });
    return openEmbedded(path, { notify: { rules, now: () => EIGHT + HOUR } });
  }

  /** Two Jobs of one namespace in one segment, another namespace, Events, and a message that is set aside. */
  async fill(): Promise<void> {
    const job = { createdAt: EIGHT, namespace: NAMESPACE };
    const secret = endedJob({ ...job, name: NAMES.job, succeeds: false }).map(withLabel);
    await this.send([...secret, ...endedJob({ ...job, name: OTHERS.sibling }), hintAbout(NAMES.job)], EIGHT + HOUR / 2);
    await this.send(
      [
        ...endedJob({ name: OTHERS.neighbour, createdAt: EIGHT, namespace: "zoo" }),
        cronJob,
        namespaceSays("quoll", EIGHT),
      ],
      EIGHT + HOUR,
    );
    await this.send(secret, EIGHT + 1, EIGHT + 400 * HOUR);
    for (const entry of [ACKNOWLEDGED, ACKNOWLEDGED_BESIDE]) {
      await createAcknowledgementWriter(this.tracker.meta).write(entry);
    }
    await archiveDatabase(this.tracker, this.archive, { now: ERASED_AT });
  }

  /** Sends a segment as an exporter does. One that is too old is set aside. */
  async send(facts: readonly Fact[], sealedAt: Instant, now: Instant = sealedAt): Promise<void> {
    const { bytes } = sealSegment({ cluster, session: "exporter00000000", sequence: this.#sequence, sealedAt, facts });
    this.#sequence += 1;
    this.sent.push({ bytes, at: now });
    await this.deliver(bytes, now);
  }

  async deliver(bytes: Uint8Array, now: Instant, tracker = this.tracker): Promise<readonly string[]> {
    const queue = tracker.queue({ now: () => now, onUnfolded: () => {} });
    return (await queue.send([{ bytes, cluster }])).map(({ outcome }) => outcome);
  }

  ports(overrides: Partial<ErasurePorts> = {}, tracker = this.tracker): ErasurePorts {
    const ports = erasurePorts(tracker, { archive: this.archive, settleMillis: 0 });
    return { ...ports, now: () => ERASED_AT, ...overrides };
  }

  erase(target: ErasureTarget, ports = this.ports()): Promise<ErasureOutcome> {
    return eraseData(ports, { target, by: "alice", reason: "request 12", at: ERASED_AT });
  }

  remove(): void {
    this.tracker.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const ofJob = { level: "job", cluster, namespace: NAMESPACE, name: NAMES.job } as const;
export const ofNamespace = { level: "namespace", cluster, namespace: NAMESPACE } as const;
export const ofCluster = { level: "cluster", cluster } as const;

function withLabel(fact: Fact): Fact {
  return fact.kind === "JobCreated" ? { ...fact, labels: { team: NAMES.label } } : fact;
}

/** An Event of the Job's Pod, with its message. */
function hintAbout(job: string): Fact {
  return {
    kind: "EventHinted",
    epoch: 0,
    resourceVersion: version(900),
    at: EIGHT,
    hintId: `event-of-${job}`,
    target: { kind: "Pod", namespace: NAMESPACE, name: `${job}-x` },
    reason: "Failed",
    message: NAMES.message,
    type: "Warning",
    count: 1,
    firstAt: EIGHT,
    lastAt: EIGHT,
  };
}

function version(digits: number): ResourceVersion {
  const decoded = decodeResourceVersion(String(digits));
  if (decoded === undefined) throw new Error(`${digits} is no resourceVersion.`);
  return decoded;
}

const cronJob: Fact = {
  kind: "CronJobObserved",
  epoch: 0,
  resourceVersion: version(901),
  at: EIGHT,
  namespace: NAMESPACE,
  name: "potoroo-nightly",
  cronJobUid: "cron-1",
  createdAt: EIGHT,
  generation: 1,
  schedule: "0 3 * * *",
  suspend: false,
  concurrencyPolicy: "Allow",
};

/** The keys of the namespace for Outlive, as observed at an instant. */
export function namespaceSays(team: string, at: Instant): Fact {
  const named = { namespace: NAMESPACE, namespaceUid: "ns-1" };
  const stamp = { epoch: 0, resourceVersion: version(902 + at - EIGHT), at };
  return { ...stamp, kind: "NamespaceObserved", ...named, marks: { "outlive.dev/notify": team } };
}

export const uidOf = jobUid;
