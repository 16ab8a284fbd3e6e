import type { Fact } from "../job/model/fact.ts";
import { isList, isRecord, isWhole } from "./check.ts";
import { fromCharacter, toCharacter } from "./cell.ts";
import { decodeJobUid, decodePodUid, type JobUid, type PodUid } from "../job/model/ids.ts";
import { ColumnReader } from "./column-reader.ts";
import { ColumnWriter } from "./column-writer.ts";
import { Damaged } from "./damaged.ts";
import { isEpoch, isFact, isResourceVersion } from "./fact-check.ts";
import { type FactGroups, groupFacts } from "./fact-order.ts";
import { type Fill, fillTemplate, isStandardUid, type Take, writeTemplate } from "./template.ts";

/*
 * A list of facts in schema 1 (docs/decisions/0003-segment-codec.md): `[templates, script, columns]` as JSON.
 *
 * Each character of the script is one step: a Job begins, a Pod begins, the facts of no Job begin, the stamp
 * changes,
 * or a fact follows whose template has that number. Each step takes its values from the front of the columns.
 */
const JOB = 0;
const POD = 1;
const CLUSTER = 2;
const STAMP = 3;
const FIRST_TEMPLATE = 4;

/** The stamp of the previous fact: most facts have the same one. */
interface Stamp {
  readonly epoch: number;
  readonly resourceVersion: number;
  readonly at: number;
}
/**
 * Schema 2 adds details of messages to facts, schema 3 the queue of a Job, schema 4 manual runs of CronJobs, schema 6
 * what a Job belongs to, schema 7 facts about runs, schema 8 what Pods reserve and hints about objects of runs,
 * schema 9 labels and annotations of CronJobs for Outlive, schema 10 labels and lifecycle of Nodes, the resources
 * of a Job's Pod template, facts about namespaces and evictions, heartbeats without dated writes, and fields of Pods of
 * Kubernetes 1.34 and later: restart rules, PodGroups, the health of devices, limits of the Pod. Schema 11 adds hashes
 * of images.
 */
export type SchemaVersion = 1 | 2 | 3 | 4 | 6 | 7 | 8 | 9 | 10 | 11;

/** The fields of schema 2 within a template. Quotes within a string are escaped there, so only field names match. */
const DETAILS = /[,{]"(?:details":\{|unscheduled":\{|memoryLimit":)/;
/** The field of schema 3. */
const QUEUE = /[,{]"queueName":/;
/** The field of schema 4. */
const MANUAL = /[,{]"manual":/;
/** The fields of schema 6. */
const LINEAGE = /[,{]"(?:marks":\{|apiVersion":)/;
/** The field of the facts of schema 7. */
const RUN = /[,{]"runUid":/;
/** The fact of schema 8, and the fields that its answers need of others. */
const USAGE = /[,{]"(?:kind":"PodReserved"|accepted":true|acceptedAt":|waitingAgain":\[)/;
/** Hints of schema 8 are about another kind than those of the earlier ones. */
const HINT = /[,{]"target":\{"kind":"(?!(?:Job|Pod|Node|CronJob)")/;
/** The field of schema 9: Jobs have it since schema 6. */
const CRON_JOB_MARKS = /[,{]"kind":"CronJobObserved",.*"marks":\{/;
/** The fields of schema 10 in facts of Nodes: Jobs have both since schema 1. */
const NODE_LABELS = /^(?=.*[,{]"kind":"NodeObserved").*[,{]"(?:labels":\{|createdAt":)/;
/** The field of schema 10 in facts of Jobs. */
const TEMPLATE_RESOURCES = /[,{]"kind":"JobSpecified","spec":\{.*[,{]"resources":/;
/** The field of facts about namespaces. */
const NAMESPACE = /[,{]"namespaceUid":/;
/** The fields and words of schema 10 in facts of Pods. */
const PODS_OF_1_34 =
  /[,{]"(?:restartable":\[|podGroup":|unhealthy":\[|podMemoryLimit":|about":"preemptor"|cause":"podGroup)/;
/** Facts about evictions, and other fields of schema 10. */
const LIFECYCLE = /[,{]"(?:kind":"EvictionObserved"|lifecycle":\[|undated":true)/;
const SCHEMA_10 = [NODE_LABELS, TEMPLATE_RESOURCES, NAMESPACE, PODS_OF_1_34, LIFECYCLE];
/** The fields of schema 11. */
const IMAGES = /[,{]"(?:images":\[\{"container":|imageDigest":null.*[,{]"kind":"ContainerEnded")/;
const START: Stamp = { epoch: 0, resourceVersion: 0, at: 0 };

/** The text of a set of facts. Equal sets have equal texts, whatever the order and however often a fact occurs. */
export function writeFactList(facts: Iterable<Fact>): WrittenFacts {
  const writer = new FactListWriter();
  writer.groups(groupFacts(facts));
  return { text: writer.text(), factCount: writer.factCount, schema: writer.schema() };
}

interface WrittenFacts {
  readonly text: string;
  readonly factCount: number;
  /** The oldest schema that contains every field of the facts: earlier builds can read them. */
  readonly schema: SchemaVersion;
}

/** The inverse of {@link writeFactList}, in canonical order. Throws {@link Damaged} where `list` has another form. */
export function readFactList(list: unknown): readonly Fact[] {
  if (!isList(list) || list.length !== 3) throw new Damaged("A list of facts has three parts.");
  const [templates, script, columns] = list;
  if (!isList(templates) || typeof script !== "string" || !isList(columns)) {
    throw new Damaged("The parts of a list of facts must be an array, a string and an array.");
  }
  const reader = new FactListReader(templates, new ColumnReader(columns));
  for (let index = 0; index < script.length; index += 1) reader.step(fromCharacter(script.charCodeAt(index)));
  return reader.end();
}

class FactListWriter {
  factCount = 0;
  readonly #templates = new Map<string, number>();
  readonly #columns = new ColumnWriter();
  #script = "";
  #stamp = START;
  #jobName = "";

  groups({ jobs, cluster }: FactGroups): void {
    for (const job of jobs) {
      this.#begin(JOB, "job", job.uid);
      this.#jobName = "";
      for (const fact of job.own) this.#fact(fact);
      for (const pod of job.pods) {
        this.#begin(POD, "pod", pod.uid);
        for (const fact of pod.facts) this.#fact(fact);
      }
    }
    if (cluster.length > 0) this.#script += toCharacter(CLUSTER);
    for (const fact of cluster) this.#fact(fact);
  }

  text(): string {
    const templates = [...this.#templates.keys()].join(",");
    return `[[${templates}],${JSON.stringify(this.#script)},${JSON.stringify(this.#columns.encode())}]`;
  }

  schema(): SchemaVersion {
    const templates = [...this.#templates.keys()];
    if (templates.some((template) => IMAGES.test(template))) return 11;
    if (templates.some((template) => SCHEMA_10.some((added) => added.test(template)))) return 10;
    if (templates.some((template) => CRON_JOB_MARKS.test(template))) return 9;
    if (templates.some((template) => USAGE.test(template) || HINT.test(template))) return 8;
    if (templates.some((template) => RUN.test(template))) return 7;
    if (templates.some((template) => LINEAGE.test(template))) return 6;
    if (templates.some((template) => MANUAL.test(template))) return 4;
    if (templates.some((template) => QUEUE.test(template))) return 3;
    return templates.some((template) => DETAILS.test(template)) ? 2 : 1;
  }

  #begin(mark: typeof JOB | typeof POD, name: string, uid: string): void {
    this.#script += toCharacter(mark);
    this.#uid(name, uid);
  }

  #fact(fact: Fact): void {
    this.factCount += 1;
    this.#stampOf(fact);
    const template = writeTemplate(fact, this.#fill);
    const number = this.#templates.get(template) ?? this.#templates.size;
    this.#templates.set(template, number);
    this.#script += toCharacter(FIRST_TEMPLATE + number);
    if (fact.kind === "JobCreated") this.#jobName = fact.name;
  }

  #stampOf({ epoch, resourceVersion, at }: Stamp): void {
    const last = this.#stamp;
    if (epoch === last.epoch && resourceVersion === last.resourceVersion && at === last.at) return;
    this.#script += toCharacter(STAMP);
    this.#columns.number("epoch", epoch - last.epoch);
    this.#columns.number("resourceVersion", resourceVersion - last.resourceVersion);
    this.#columns.millis("at", at - last.at);
    this.#stamp = { epoch, resourceVersion, at };
  }

  readonly #fill: Fill = (hole, name, value) => {
    if (typeof value === "number") {
      if (hole === "instant") this.#columns.millis(name, value - this.#stamp.at);
      else this.#columns.number(name, value);
    } else if (hole === "uid") this.#columns.uid(name, value);
    else if (hole === "word") this.#columns.word(name, value);
    else this.#text(name, value);
  };

  #text(name: string, text: string): void {
    const uid = text.slice(0, UID_LENGTH);
    if (!isStandardUid(uid)) return this.#columns.text(name, shorten(text, this.#jobName));
    this.#columns.text(name, UID_FIRST + text.slice(UID_LENGTH));
    this.#columns.uid(`${name} uid`, uid);
  }

  /** The uid of a Job or Pod. Any text is allowed; one in another form than the standard is written as a word. */
  #uid(name: string, uid: string): void {
    const isStandard = isStandardUid(uid);
    this.#columns.number(`${name} form`, isStandard ? 0 : 1);
    if (isStandard) this.#columns.uid(name, uid);
    else this.#columns.word(`${name} word`, uid);
  }
}

class FactListReader {
  readonly #templates: readonly Readonly<Record<string, unknown>>[];
  /**
   * The templates already checked, per kind of group. The field determines the type of a filled value,
   * so one check covers all facts of a template.
   */
  readonly #checked = new Set<number>();
  readonly #columns: ColumnReader;
  readonly #facts: Fact[] = [];
  #group: { readonly jobUid?: JobUid; readonly podUid?: PodUid } = {};
  /** The number of uids of the group: 0 for facts of no Job, 1 for those of a Job, 2 for those of a Pod. */
  #depth = 0;
  #stamp = START;
  #jobName = "";

  constructor(templates: readonly unknown[], columns: ColumnReader) {
    this.#templates = templates.map((template) => {
      if (!isRecord(template)) throw new Damaged("A template is not an object.");
      return template;
    });
    this.#columns = columns;
  }

  step(mark: number): void {
    if (mark === JOB) this.#beginJob();
    else if (mark === POD) this.#beginPod();
    else if (mark === CLUSTER) this.#endJobs();
    else if (mark === STAMP) this.#stampNext();
    else this.#fact(mark - FIRST_TEMPLATE);
  }

  end(): readonly Fact[] {
    this.#columns.end();
    return this.#facts;
  }

  #beginJob(): void {
    const jobUid = decodeJobUid(this.#uid("job"));
    if (jobUid === undefined) throw new Damaged("The uid of a Job is invalid.");
    this.#group = { jobUid };
    this.#depth = 1;
    this.#jobName = "";
  }

  #endJobs(): void {
    this.#group = {};
    this.#depth = 0;
  }

  #beginPod(): void {
    const { jobUid } = this.#group;
    const podUid = decodePodUid(this.#uid("pod"));
    if (jobUid === undefined || podUid === undefined) {
      throw new Damaged("The uid of a Pod is invalid, or the Pod has no Job.");
    }
    this.#group = { jobUid, podUid };
    this.#depth = 2;
  }

  #fact(number: number): void {
    const template = this.#templates[number];
    if (template === undefined) throw new Damaged("The script names a template that does not exist.");
    const fact: unknown = Object.assign(fillTemplate(template, this.#take), this.#stamp, this.#group);
    if (!this.#isFact(number, fact)) throw new Damaged("A fact lacks a field or has an unknown field.");
    if (fact.kind === "JobCreated") this.#jobName = fact.name;
    this.#facts.push(fact);
  }

  #isFact(template: number, fact: unknown): fact is Fact {
    const checked = template * 3 + this.#depth;
    if (this.#checked.has(checked)) return true;
    if (!isFact(fact)) return false;
    this.#checked.add(checked);
    return true;
  }

  #stampNext(): void {
    const last = this.#stamp;
    const epoch = last.epoch + this.#columns.number("epoch");
    const resourceVersion = last.resourceVersion + this.#columns.number("resourceVersion");
    const at = last.at + this.#columns.millis("at");
    if (!isEpoch(epoch) || !isResourceVersion(resourceVersion) || !isWhole(at)) {
      throw new Damaged("A stamp is invalid.");
    }
    this.#stamp = { epoch, resourceVersion, at };
  }

  readonly #take: Take = (hole, name) => {
    switch (hole) {
      case "instant":
        return this.#stamp.at + this.#columns.millis(name);
      case "number":
        return this.#columns.number(name);
      case "uid":
        return this.#columns.uid(name);
      case "word":
        return this.#columns.word(name);
      case "text":
        return this.#text(name);
    }
  };

  #text(name: string): string {
    const text = this.#columns.text(name);
    if (!text.startsWith(UID_FIRST)) return lengthen(text, this.#jobName);
    return this.#columns.uid(`${name} uid`) + text.slice(UID_FIRST.length);
  }

  #uid(name: string): string {
    return this.#columns.number(`${name} form`) === 0 ? this.#columns.uid(name) : this.#columns.word(`${name} word`);
  }
}

/**
 * Removes the Job's name from the start of a Pod's name: "-x7k2p".
 * A text that already looks shortened gets the prefix "=".
 */
function shorten(text: string, jobName: string): string {
  if (jobName !== "" && text.startsWith(`${jobName}-`)) return text.slice(jobName.length);
  return text.startsWith("-") || text.startsWith(UID_FIRST) || text.startsWith("=") ? `=${text}` : text;
}

function lengthen(text: string, jobName: string): string {
  if (text.startsWith("-")) return jobName + text;
  return text.startsWith("=") ? text.slice(1) : text;
}

/** Replaces a uid at the start of a text: the id of an audit event is `auditID#stage`. */
const UID_FIRST = "!";
const UID_LENGTH = 36;
