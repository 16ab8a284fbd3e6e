import * as v from "valibot";
import { isAddedId } from "../../parents/external-ids.ts";
import { type AddedKinds, addedKinds, isSeries, KINDS } from "../../parents/kinds.ts";
import { type FileProblem, MAX_PROBLEMS, type ReadContent } from "../../ports/files/file-content.ts";
import { knownKeys } from "../../ports/files/known-keys.ts";
import { readYaml } from "../../ports/files/yaml-file.ts";

const MAX_KINDS = 32;
const MAX_KEYS = 8;

/** As the API server takes them: so none is `__proto__`. */
const key = v.pipe(
  v.string("Expected a key of a label or annotation."),
  v.regex(
    /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/,
    "Expected a key of a label or annotation, such as example.com/experiment.",
  ),
);
const kindName = v.pipe(
  v.string("Expected the name of a kind."),
  v.regex(/^[A-Z][A-Za-z0-9]{0,62}$/, "Expected the name of a kind, such as Experiment."),
);
const word = v.pipe(v.string("Expected a word."), v.regex(/^[A-Za-z0-9_.-]{1,63}$/, "Expected a word."));
const always = v.literal(true, "Expected true, or no such field.");
const ID_NAME = "Expected SYSTEM/NAME, such as acme/experiment-id, of a system that Outlive does not know yet.";
const idName = v.pipe(v.string(), v.check(isAddedId, ID_NAME));
const byKey = knownKeys({ key });

const entrySchema = knownKeys({
  kind: v.pipe(
    kindName,
    v.check((kind) => !isSeries(kind) && !KINDS.some((known) => known.kind === kind), "This kind is built in."),
  ),
  resource: v.exactOptional(
    v.pipe(
      v.string("Expected PLURAL.GROUP."),
      v.regex(/^[a-z0-9]{1,63}(\.[a-z0-9-]{1,63}){1,8}$/, "Expected PLURAL.GROUP, such as experiments.example.com."),
    ),
  ),
  role: v.exactOptional(v.picklist(["run", "series"], "Expected run or series."), "run"),
  when: v.pipe(
    v.tupleWithRest([key], key, "Expected a list of keys."),
    v.maxLength(MAX_KEYS, `Expected at most ${MAX_KEYS} keys.`),
  ),
  is: v.exactOptional(v.string("Expected a text.")),
  name: v.exactOptional(key),
  uid: v.exactOptional(key),
  controls: v.exactOptional(always),
  part: v.exactOptional(v.union([byKey, knownKeys({ word })], "Expected { key: KEY } or { word: WORD }.")),
  attempt: v.exactOptional(key),
  ids: v.exactOptional(
    v.pipe(
      v.custom(hasNoSkippedName, ID_NAME),
      v.record(
        idName,
        v.union(
          [key, knownKeys({ key, before: v.pipe(v.string(), v.minLength(1)) })],
          "Expected a key, or { key: KEY, before: TEXT }.",
        ),
        "Expected ids with their keys.",
      ),
      v.maxEntries(MAX_KEYS, `Expected at most ${MAX_KEYS} ids.`),
    ),
  ),
  within: v.exactOptional(key),
  series: v.exactOptional(
    knownKeys({ kind: kindName, name: v.union([byKey, v.literal("job")], "Expected { key: KEY } or job.") }),
  ),
  alone: v.exactOptional(always),
});

const fileSchema = v.pipe(
  v.array(entrySchema, "Expected a list of kinds."),
  v.maxLength(MAX_KINDS, `Expected at most ${MAX_KINDS} kinds.`),
);
type Entry = v.InferOutput<typeof entrySchema>;

/** A record skips these names without a problem. */
const SKIPPED = ["__proto__", "prototype", "constructor"];

function hasNoSkippedName(ids: unknown): boolean {
  return typeof ids !== "object" || ids === null || SKIPPED.every((name) => !Object.hasOwn(ids, name));
}

/** Reads a file of kinds (YAML, or JSON). Every problem names the entry and the field. */
export function readKindFile(text: string): ReadContent<AddedKinds> {
  const read = readYaml(text, fileSchema);
  if (read.outcome === "rejected") return read;
  const problems = read.content.flatMap((entry, index) => problemsOf(entry, index, read.content));
  if (problems.length > 0) return { outcome: "rejected", problems: problems.slice(0, MAX_PROBLEMS) };
  return { outcome: "read", content: addedKinds(read.content) };
}

/** What the fields of an entry need of each other. */
const RULES: readonly (readonly [field: string, isBroken: (entry: Entry) => boolean, message: string])[] = [
  [
    "name",
    ({ resource, name }) => resource !== undefined && name === undefined,
    "Missing: a kind with a resource needs the key with the object's name.",
  ],
  [
    "resource",
    ({ resource, name, uid, part }) => resource === undefined && (name ?? uid ?? part) !== undefined,
    "Missing: name, uid and part are those of an object with a resource.",
  ],
  [
    "resource",
    ({ resource, role }) => resource === undefined && role === "series",
    "Missing: a series without an object is the field series of its runs.",
  ],
  [
    "ids",
    ({ resource, role, when, ids = {} }) => {
      const [first] = Object.values(ids);
      const needsId = resource === undefined && role === "run";
      return needsId && !when.some((key) => key === (typeof first === "object" ? first.key : first));
    },
    "Expected a first id whose key is in when: it is the name of the run.",
  ],
];

function problemsOf(entry: Entry, index: number, all: readonly Entry[]): readonly FileProblem[] {
  const isTwice = all.findIndex(({ kind }) => kind === entry.kind) < index;
  const twice = { path: `[${index}].kind`, message: `${entry.kind} is in the list twice.` };
  const broken = RULES.filter(([, isBroken]) => isBroken(entry));
  return [
    ...(isTwice ? [twice] : []),
    ...broken.map(([field, , message]) => ({ path: `[${index}].${field}`, message })),
  ];
}
