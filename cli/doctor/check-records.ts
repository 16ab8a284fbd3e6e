import { listPrincipals } from "../../src/log/principals.ts";
import { hourText } from "../../src/log/set-aside-quota.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { listRecords } from "../../src/ports/list-records.ts";
import { setAsideHourRecord } from "../../src/ports/records/set-aside-hour-record.ts";
import { count, list } from "../../src/job/text/sentence.ts";
import { listDecoded } from "../../src/ports/records/record-codec.ts";
import { type SetAside, setAsideRecord } from "../../src/ports/records/set-aside-record.ts";
import type { Registrations } from "../../src/ports/registrations/registrations.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { type ClusterAnswer, listClusters } from "../../src/query/clusters/clusters.ts";
import { type UnfinishedCommand, unfinishedCommands } from "../../src/upkeep/replay/unfinished-commands.ts";
import { damagedAcknowledgements } from "../../src/upkeep/retention/acknowledgements.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { isEndOfRecording, isSilent } from "../../src/job/status/silence.ts";
import { type Check, type Finding, ok, warning } from "./check.ts";

/** How recent the data of the clusters is. */
export async function checkFreshness(meta: MetaStore, now: number): Promise<Check> {
  const clusters = await listClusters(meta, "everything");
  return { check: "clusters", ...freshness(clusters, now) };
}

function freshness(clusters: readonly ClusterAnswer[], now: number): Finding {
  if (clusters.length === 0) return warning("No cluster is known yet: connect one, or import a recording.");
  const silent = clusters.flatMap((cluster) => {
    const heardAt = Date.parse(cluster.observedAt ?? "");
    return !isEndOfRecording(cluster) && isSilent(heardAt, now) ? [{ name: cluster.name, heardAt }] : [];
  });
  const [first] = silent;
  if (first === undefined) return ok(`${count(clusters.length, "cluster")} known, none of them silent.`);
  return warning(
    `${silent.length} of ${count(clusters.length, "cluster")} silent, ${first.name} for ` +
      `${humanDuration(now - first.heardAt)}. Check that its exporter runs.`,
  );
}

/** Commands that were killed, or are running. */
export async function checkCommands(meta: MetaStore): Promise<Check> {
  const unfinished = await unfinishedCommands(meta);
  const finding = unfinished.length === 0 ? ok("Every command has finished.") : warning(textOf(unfinished));
  return { check: "commands", ...finding };
}

function textOf(unfinished: readonly UnfinishedCommand[]): string {
  return unfinished.map(({ text }) => text).join(" ");
}

/** Acknowledgements whose checksum is wrong. They mute nothing. */
export async function checkAcknowledgements(meta: MetaStore): Promise<Check> {
  const [first, ...more] = await damagedAcknowledgements(meta);
  const finding =
    first === undefined
      ? ok("Every acknowledgement is as it was written.")
      : warning(
          `${count(more.length + 1, "acknowledgement")} damaged, the first for ${JSON.stringify(first)}. ` +
            "It mutes nothing: acknowledge the entry again.",
        );
  return { check: "acknowledgements", ...finding };
}

/** Clusters without a sender. Ingest sets aside everything that they send. */
export async function checkSenders(meta: MetaStore, registrations: Pick<Registrations, "list">): Promise<Check> {
  const [clusters, principals] = await Promise.all([listClusters(meta, "everything"), listPrincipals(registrations)]);
  const withSender = new Set<string>(principals.map(({ cluster }) => cluster));
  const withoutSender = clusters.map(({ name }) => name).filter((name) => !withSender.has(name));
  const [first] = withoutSender;
  if (first === undefined) {
    return {
      check: "senders",
      result: "ok",
      detail: `${count(principals.length, "principal")} may send for ${count(clusters.length, "cluster")}.`,
    };
  }
  return {
    check: "senders",
    result: "warning",
    detail:
      `No sender is registered for ${list(withoutSender)}. Unless the deployment is in open mode, register one: ` +
      `outlive clusters register ${first} --principal-arn ARN`,
  };
}

/** Counting stops here: the reasons matter more than the exact number. */
const MOST_COUNTED = 1_000;

/** Messages that were set aside and not ingested since, and those that were not even stored. */
export async function checkSetAside(meta: MetaStore, now: number): Promise<Check> {
  const [first] = await sendersOverLimit(meta, now);
  const check = await checkWaiting(meta);
  if (first === undefined) return check;
  const { sender, since } = first;
  const when = `since ${formatInstant(since)}`;
  const dropped = `Messages of sender ${sender} were dropped ${when}: it exceeded its hourly limit.`;
  return { ...check, result: "warning", detail: `${dropped} ${check.detail}` };
}

const DAY_MILLIS = 86_400_000;

/** The senders that exceeded the hourly limit of set-aside messages within the last day. */
async function sendersOverLimit(meta: MetaStore, now: number) {
  const senders: { readonly sender: string; readonly since: number }[] = [];
  const after = hourText(now - DAY_MILLIS);
  for await (const { key, value } of listRecords(meta, "setAsideHour", { prefix: "", after })) {
    const { droppedSince } = setAsideHourRecord.decode({ key, value });
    if (droppedSince !== undefined) senders.push({ sender: key.slice(after.length + 1), since: droppedSince });
  }
  return senders;
}

async function checkWaiting(meta: MetaStore): Promise<Check> {
  let number = 0;
  let newest: SetAside | undefined;
  for await (const { value: record } of listDecoded(meta, setAsideRecord, "")) {
    if (record.settledAt !== undefined) continue;
    number += 1;
    if (newest === undefined || record.setAsideAt > newest.setAsideAt) newest = record;
    if (number === MOST_COUNTED) break;
  }
  if (newest === undefined) return { check: "set aside", result: "ok", detail: "No message is set aside." };
  const atLeast = number === MOST_COUNTED ? "at least " : "";
  return {
    check: "set aside",
    result: "warning",
    detail:
      `${atLeast}${count(number, "message")} set aside. The newest reason: ${newest.reason} ` +
      `Solve the problem, then run "outlive redrive".`,
  };
}
