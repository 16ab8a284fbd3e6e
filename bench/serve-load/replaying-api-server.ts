// A process with an API server that sends a recording again and again at a fixed rate, each time with new names and
// uids and as of now. It posts its port, and later how much it has sent.
import type { ServerResponse } from "node:http";
import { fieldsOf } from "../../src/kubernetes/json/json-field.ts";
import { startEmptyApiServer } from "../measuring/empty-api-server.ts";
import { recordedEvents } from "../measuring/recorded.ts";

/** What the process sends to its parent when the last change has left. */
export interface Replayed {
  readonly changes: number;
  readonly jobs: number;
  readonly bytes: number;
}

const [, , rate = "5000", seconds = "60"] = process.argv;
const TICK_MILLIS = 20;
const SENT_KINDS = new Set(["Job", "Pod", "Event"]);
/** Higher than every resourceVersion of the recording. */
const VERSIONS_PER_ROUND = 1_000_000;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/gu;
const UID = /([0-9a-f]{4})([0-9a-f]{4}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gu;
const VERSION = /"resourceVersion":"(\d+)"/gu;
const NAMESPACE = /"namespace":"([^"]*)"/gu;

interface Line {
  readonly kind: string;
  readonly isNewJob: boolean;
  readonly text: string;
}

const lines = await linesOfRecording();
const watches = new Map<string, ServerResponse>();
const sent = { changes: 0, jobs: 0, bytes: 0 };

process.send?.(await startEmptyApiServer((kind, response) => watches.set(kind, response)));
process.once("message", () => void replay());

async function linesOfRecording(): Promise<readonly Line[]> {
  return (await recordedEvents()).flatMap((event) => {
    const { type, object } = fieldsOf(event);
    const kind = String(fieldsOf(object)["kind"]);
    if (!SENT_KINDS.has(kind) || type === "BOOKMARK") return [];
    return [{ kind, isNewJob: kind === "Job" && type === "ADDED", text: `${JSON.stringify(event)}\n` }];
  });
}

/** Sends what is due at each tick. A reader that is too slow is not waited for: what it lacks is its backlog. */
async function replay(): Promise<void> {
  const total = Number(rate) * Number(seconds);
  const beganAt = performance.now();
  const rename = renamer();
  while (sent.changes < total) {
    const due = Math.min(total, ((performance.now() - beganAt) / 1000) * Number(rate));
    while (sent.changes < due) send(rename);
    await new Promise((resolve) => setTimeout(resolve, TICK_MILLIS));
  }
  process.send?.(sent satisfies Replayed);
}

function send(rename: (text: string, round: number) => string): void {
  const round = Math.floor(sent.changes / lines.length);
  const line = lines[sent.changes % lines.length];
  if (line === undefined) throw new Error("The recording has no changes of Jobs or Pods.");
  const text = rename(line.text, round);
  watches.get(line.kind)?.write(text);
  sent.changes += 1;
  sent.bytes += text.length;
  if (line.isNewJob) sent.jobs += 1;
}

/** Gives the objects of a round uids and namespaces of their own, later versions, and instants that end now. */
function renamer(): (text: string, round: number) => string {
  const instants = lines.flatMap(({ text }) => text.match(INSTANT) ?? []);
  const latest = instants.reduce((known, instant) => (instant > known ? instant : known), "");
  const shift = Math.floor((Date.now() - Date.parse(latest)) / 1000) * 1000;
  const shifted = (instant: string) => `${new Date(Date.parse(instant) + shift).toISOString().slice(0, 19)}Z`;
  return (text, round) => {
    const offset = round * VERSIONS_PER_ROUND;
    return text
      .replace(INSTANT, shifted)
      .replace(UID, (_, head: string, tail: string) => `${uidHead(head, round)}${tail}`)
      .replace(VERSION, (_, version: string) => `"resourceVersion":"${Number(version) + offset}"`)
      .replace(NAMESPACE, (_, name: string) => `"namespace":"${name}-${round}"`);
  };
}

/** The first four characters of a uid in a round. */
function uidHead(head: string, round: number): string {
  return (Number.parseInt(head, 16) ^ round).toString(16).padStart(4, "0");
}
