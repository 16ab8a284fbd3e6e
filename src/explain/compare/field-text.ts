import { durationText } from "../../job/text/duration-text.ts";
import { list } from "../../job/text/sentence.ts";
import { NANO, parseQuantity } from "../../job/usage/quantity.ts";
import { isBytes } from "../../job/usage/resource-unit.ts";
import {
  type ComparedField,
  type FieldKind,
  type FieldValue,
  groupOf,
  type SideValue,
  type UnknownReason,
} from "./compared-field.ts";

const TITLES: Readonly<Record<FieldKind, string>> = {
  state: "State",
  reason: "Reason",
  cause: "Cause",
  exitCode: "Exit code",
  category: "Category of failures",
  attempts: "Attempts",
  restarts: "Restarts in place",
  jobs: "Jobs",
  finding: "Finding",
  image: "Image",
  imageDigest: "Image digest",
  request: "Request",
  resources: "Requests and limits of the template",
  spec: "Spec",
  queue: "Queue",
  label: "Label",
  node: "Node",
  nodeLabel: "Node label",
  waiting: "Waiting for the first Pod to run",
  startUp: "Longest start of a Pod on its node",
  attempt: "Longest attempt",
  whole: "Whole time",
};

/** What a field is called: "Request memory", "spec.parallelism". */
export function fieldTitle({ kind, key }: Pick<ComparedField, "kind" | "key">): string {
  if (key === undefined) return TITLES[kind];
  if (kind === "image" || kind === "imageDigest") return `${TITLES[kind]} of container ${key}`;
  return kind === "spec" ? `spec.${key}` : `${TITLES[kind]} ${key}`;
}

const UNKNOWN_TEXTS: Readonly<Record<UnknownReason, string>> = {
  notRecorded: "not recorded",
  expired: "not recorded any more",
  notObserved: "not observed",
  noPods: "no Pod was observed",
  inProgress: "still in progress",
  truncated: "unknown: too many",
  ofItsJobs: "compare its Jobs",
};

export function sideText({ kind, key }: Pick<ComparedField, "kind" | "key">, side: SideValue): string {
  switch (side.is) {
    case "known":
      return side.text ?? valueText({ kind, key: key ?? "" }, side.value);
    case "none":
      return kind === "spec" || kind === "label" ? "not set" : "none";
    case "unknown":
      return UNKNOWN_TEXTS[side.why];
  }
}

/** The most values of a set that are named. */
const MOST_VALUES = 5;

function valueText(field: { readonly kind: FieldKind; readonly key: string }, value: FieldValue): string {
  if (typeof value === "number") return groupOf(field.kind) === "time" ? durationText(value * 1_000) : String(value);
  if (typeof value === "string") return field.kind === "resources" ? `hash ${value}` : value;
  return list(field.kind === "request" ? value.map((one) => quantityText(field.key, one)) : value, MOST_VALUES);
}

const BINARY_UNITS = ["", "Ki", "Mi", "Gi", "Ti"];

/** As people write it: bytes with the largest unit that keeps the amount whole. */
function quantityText(resource: string, quantity: string): string {
  const nano = parseQuantity(quantity);
  if (!isBytes(resource) || nano === undefined || nano === 0n || nano % NANO !== 0n) return quantity;
  let amount = nano / NANO;
  let unit = 0;
  while (amount % 1_024n === 0n && unit < BINARY_UNITS.length - 1) {
    amount /= 1_024n;
    unit += 1;
  }
  return `${amount}${BINARY_UNITS[unit] ?? ""}`;
}
