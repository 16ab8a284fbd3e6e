import * as v from "valibot";
import { text } from "../../explain/answer-parts.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { DAY_MILLIS, formatInstant, type Instant, parseInstant } from "../../job/model/instant.ts";
import { parseTimeSpan } from "../../job/text/time-span.ts";
import { mayAcknowledge, mayRead } from "../../query/access/scope.ts";
import { acknowledgedSchema } from "../../query/attention/attention.ts";
import { entryWithId } from "../../query/attention/read-attention.ts";
import { clusterParameter, entryIdParameter, nameParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";
import { defineRoute, type RouteContext } from "../contract/route.ts";

const TEMPLATE = "/v1/clusters/{cluster}/namespaces/{namespace}/acknowledgements/{id}";
const PATH = {
  cluster: clusterParameter,
  namespace: nameParameter("Namespace of the entry."),
  id: entryIdParameter,
};

const MAX_NOTE = 500;
const MAX_DAYS = 30;
/** Control characters, line separators, marks for the direction of text, and halves of characters. */
const CONTROLS = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
/** A note of zero-width characters says nothing. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** The longest name of a reader in a record. */
const MAX_BY = 200;
const UNTIL_FORM = `must be an RFC 3339 time or a duration from now, such as 8h, and at most ${MAX_DAYS} days from now`;

const bodySchema = v.strictObject(
  {
    note: v.pipe(
      v.string("must be text"),
      v.trim(),
      v.minLength(1, `must have 1 to ${MAX_NOTE} characters`),
      v.maxLength(MAX_NOTE, `must have 1 to ${MAX_NOTE} characters`),
      v.check((note) => !CONTROLS.test(note), "must not have control characters"),
      v.check((note) => VISIBLE.test(note), "must not be blank"),
      v.description(`Why, and who works on it: 1 to ${MAX_NOTE} characters without control characters.`),
    ),
    until: v.pipe(
      v.string(UNTIL_FORM),
      v.description(`When it expires: an RFC 3339 time, or a duration from now; at most ${MAX_DAYS} days.`),
    ),
  },
  ({ expected }) => (expected === "never" ? "is unknown" : expected === "Object" ? "must be an object" : "is required"),
);

export const acknowledgeRoute = defineRoute({
  method: "PUT",
  template: TEMPLATE,
  operationId: "acknowledge",
  summary: "Acknowledge an entry of the attention list, in place of an earlier acknowledgement of it",
  path: PATH,
  query: {},
  body: bodySchema,
  answer: v.object({ id: text, ...acknowledgedSchema.entries }),
  answerIs: "The acknowledgement.",
  statuses: [404, 405, 413, 415],
  handle: async (context, path, { note, until: given }) => {
    const { scope, now: at } = context;
    const refused = refusalOf(context, path);
    if (refused !== undefined) return { problem: refused };
    const until = untilOf(given, at);
    if (until === undefined) return { problem: BAD_UNTIL };
    const entry = await entryWithId(await context.ports(), scope, { ...path, now: at });
    if (entry === undefined) return { problem: noSuchEntry(path) };
    const { id, cluster, namespace, kind, severity, group } = entry;
    const about = { id, cluster, namespace, kind, severity, ...(group && { group }) };
    const by = nameOf(context);
    await context.acknowledgements?.write({ ...about, by, note, at, until });
    return { body: { id, by, note, at: formatInstant(at), until: formatInstant(until) } };
  },
});

export const withdrawRoute = defineRoute({
  method: "DELETE",
  template: TEMPLATE,
  operationId: "withdrawAcknowledgement",
  summary: "Withdraw an acknowledgement",
  path: PATH,
  query: {},
  answer: v.object({ id: text }),
  answerIs: "It was withdrawn.",
  statuses: [404, 405],
  handle: async (context, path) => {
    const refused = refusalOf(context, path);
    if (refused !== undefined) return { problem: refused };
    const outcome = await context.acknowledgements?.withdraw({ ...path, by: nameOf(context), at: context.now });
    return outcome === "withdrawn" ? { body: { id: path.id } } : { problem: noSuchEntry(path) };
  },
});

interface EntryPlace {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly id: string;
}

/** Who may not see the namespace gets the answer about an entry that does not exist. */
function refusalOf(
  context: Pick<RouteContext, "scope" | "acknowledges" | "acknowledgements">,
  place: EntryPlace,
): Problem | undefined {
  const { cluster, namespace } = place;
  if (!mayRead(context.scope, cluster, namespace)) return noSuchEntry(place);
  if (!mayAcknowledge(context, cluster, namespace)) {
    const grant = `acknowledge:${cluster}/${namespace}`;
    return problem("forbidden", `You may read this namespace. To acknowledge, you need the grant ${grant}.`);
  }
  return context.acknowledgements === undefined ? problem("read-only", READ_ONLY) : undefined;
}

const READ_ONLY = "This server is read-only: it cannot store acknowledgements.";

function noSuchEntry({ cluster, namespace, id }: EntryPlace): Problem {
  const where = `namespace ${JSON.stringify(namespace)} of cluster ${JSON.stringify(cluster)}`;
  return problem("no-such-entry", `No entry ${id} in ${where}. It may have changed: read /v1/attention again.`);
}

function untilOf(text: string, now: Instant): Instant | undefined {
  const span = parseTimeSpan(text);
  const until = span === undefined ? parseInstant(text) : Math.floor(now + span);
  return until !== undefined && until > now && until <= now + MAX_DAYS * DAY_MILLIS ? until : undefined;
}

const BAD_UNTIL = problem("bad-body", `Field "until" (body) ${UNTIL_FORM}.`, [
  { in: "body", name: "until", detail: UNTIL_FORM },
]);

/** An issuer chooses the names of its subjects. */
function nameOf({ name }: RouteContext): string {
  return name.slice(0, MAX_BY).replaceAll(new RegExp(CONTROLS, "gu"), "?");
}
