import * as v from "valibot";
import { count, maybe, text } from "../../../explain/answer-parts.ts";
import { parseInstant } from "../../../job/model/instant.ts";
import { isSilent } from "../../../job/status/silence.ts";
import { count as counted } from "../../../job/text/sentence.ts";
import type { ClusterAnswer } from "../../../query/clusters/clusters.ts";
import type { ClusterGap } from "../../../query/clusters/gaps.ts";
import { type Answer, answerEntries, completenessOf, gapOf } from "../answer.ts";
import { type Page, read } from "../ask.ts";
import { clustersNamed, oldestData } from "../known-clusters.ts";
import { marked, plain, untrusted } from "../marked.ts";
import { readSubject } from "../read-subject.ts";
import { joined } from "../sentence.ts";
import { linkOf, presentSubject, subjectEntries, subjectText } from "../subject.ts";
import {
  argument,
  cursorArgument,
  defineTool,
  pageAt,
  pagedBy,
  placeIn,
  targetArguments,
  type ToolContext,
} from "../tool.ts";

const PAGE = 200;
const { target, cluster, namespace, uid } = targetArguments;

export const completeness = defineTool({
  name: "completeness",
  title: "Can the answers be trusted?",
  description:
    "Report how recent the data of each cluster is, and in which intervals it was not watched (gaps); with a target, " +
    "also whether that Job or run was observed in full. Use it before you conclude that something did not happen. It " +
    "also lists the clusters.",
  input: {
    target: v.exactOptional(target),
    cluster,
    namespace,
    uid,
    since: v.exactOptional(
      argument("Only gaps that ended since: RFC 3339, or a duration such as `2d`. Defaults to `7d`.", 64),
    ),
    ...cursorArgument,
  },
  output: {
    ...answerEntries,
    ...subjectEntries,
    clusters: v.array(
      v.object({
        name: maybe(text),
        observedAt: maybe(text),
        silent: v.pipe(v.boolean(), v.description("No data for five minutes, or a recording that ended.")),
        namespaceCount: count,
        serverVersion: maybe(text),
        ...untrusted,
      }),
    ),
    clusterGaps: v.array(
      v.object({ cluster: maybe(text), from: maybe(text), to: maybe(text), resources: v.array(text), ...untrusted }),
    ),
  },
  answer: async (context, { cursor, target: wanted, since = "7d", ...given }): Promise<Answer> => {
    const question = { completeness: given, wanted, since };
    const place = placeIn(question, cursor);
    const of = wanted === undefined ? undefined : await subjectHead(context, { target: wanted, ...given });
    const named = of?.cluster ?? given.cluster;
    const clusters = await clustersNamed(context.ask, named);
    const page = pageAt(place);
    const query = { cluster: named, since, limit: PAGE, cursor: page };
    const gaps = await read<Page<ClusterGap>>(context.ask, "/v1/gaps", query);
    const heard = clusters.map((one) => describeCluster(one, context.now()));
    const head = {
      sentence: joined([of?.clause, ...clausesOf(heard, gaps, since)]),
      ...oldestData(clusters),
      gaps: [],
      evidence: [],
      ...linkOf(context.page, { view: "clusters" }),
      ...of?.head,
    };
    return {
      head,
      lists: { clusters: page === undefined ? heard : [], clusterGaps: gaps.items.map(describeGap) },
      sent: Number(place[0]),
      ...pagedBy(page, gaps.nextCursor),
      question,
    };
  },
});

async function subjectHead(context: ToolContext, given: Parameters<typeof readSubject>[1]) {
  const found = await readSubject(context, given);
  const { subject } = found;
  if (found.type === "cronjob") {
    const kind = subjectText(subject, "CronJob");
    return {
      cluster: subject.cluster,
      clause: `the runs of ${kind} are known since ${found.answer.since}`,
      head: presentSubject(subject),
    };
  }
  const { answer } = found;
  const { level, gaps } = answer.completeness;
  const who = subjectText({ ...subject, kind: found.type === "job" ? "Job" : found.answer.kind });
  return {
    cluster: subject.cluster,
    clause: `${who} ${LEVELS[level]}${gaps.length === 0 ? "" : ` (${counted(gaps.length, "gap")})`}`,
    head: {
      ...completenessOf(answer.completeness),
      ...presentSubject({ ...subject, uid: answer.uid }),
      asOf: answer.asOf.time,
    },
  };
}

const LEVELS = {
  complete: "was observed in full",
  reconciled: "was observed in full after a gap was closed by a later list",
  gaps: "was observed in part",
  stale: "may have changed since the last data of its cluster",
} as const;

function describeCluster({ name, observedAt, namespaces, serverVersion }: ClusterAnswer, now: number) {
  return {
    ...marked({ name, serverVersion }),
    ...(observedAt !== undefined && { observedAt }),
    silent: isSilent(parseInstant(observedAt) ?? 0, now),
    namespaceCount: namespaces.length,
  };
}

function describeGap({ cluster: of, ...gap }: ClusterGap) {
  const { untrusted: texts, ...times } = gapOf(gap);
  const named = marked({ cluster: of });
  return { ...named, ...times, ...((texts ?? named.untrusted) && { untrusted: { ...named.untrusted, ...texts } }) };
}

type Described = ReturnType<typeof describeCluster>;

function clausesOf(clusters: readonly Described[], gaps: Page<ClusterGap>, since: string): readonly string[] {
  const silent = clusters.filter((one) => one.silent);
  const [one] = silent;
  const names =
    one !== undefined && silent.length === 1
      ? ` (${plain(one.name) ?? "its name is no word"}, since ${one.observedAt ?? "its first data"})`
      : "";
  const more = gaps.nextCursor === undefined ? "" : "more than ";
  return [
    clusters.length === 0
      ? "no cluster has sent data yet, or these credentials have no access to any"
      : `${counted(clusters.length, "cluster")}, of which ${silent.length} silent${names}`,
    gaps.items.length === 0
      ? `no gap ${sinceText(since)}`
      : `${more}${counted(gaps.items.length, "gap")} ${sinceText(since)}`,
  ];
}

function sinceText(since: string): string {
  if (/^\d+[smhd]$/.test(since)) return `in the last ${since}`;
  return `since ${plain(since) ?? "then"}`;
}
