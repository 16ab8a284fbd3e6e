import * as v from "valibot";
import { knownKeys } from "../../src/ports/files/known-keys.ts";
import { unitHours } from "../../src/explain/usage/usage-text.ts";
import type { UsageAnswer, UsageByClass } from "../../src/explain/usage/usage-schema.ts";
import { isNodeLabel, NODE_LABELS, type NodeLabel } from "../../src/job/usage/node-labels.ts";
import { USAGE_CLASSES } from "../../src/job/usage/usage.ts";
import type { UsageOnNodes, UsageReportGroup } from "../../src/query/usage/usage-report.ts";
import { invalidFile, textOfFile } from "../options/settings-file.ts";

/** Prices by resource: per core hour, GiB hour, or hour of a unit of an extended resource. */
type PerHour = Readonly<Record<string, number>>;

/** The prices of Nodes that have all of these labels. */
interface NodePrices {
  readonly where: Readonly<Record<string, string>>;
  /** A resource without a price here has the usual one. */
  readonly perHour: PerHour;
}

/** What a file of prices says. */
export interface Prices {
  readonly currency: string;
  readonly perHour: PerHour;
  /** The first item whose labels a Node has applies to it. */
  readonly nodes?: readonly NodePrices[] | undefined;
}

const CURRENCY = "Write a currency code, such as USD";
const PRICE = "Write a price per hour, 0 or more: of a core, of a GiB, or of one unit of an extended resource";
const KEYS = 'Write "currency" and "perHour", optionally "nodes", and no other key';
const NODES = 'Write a list of items with "where" and "perHour"';
const NODE_KEYS = 'Write "where" and "perHour", and no other key';
const WHERE = `Write the labels of Nodes, at least one of: ${NODE_LABELS.join(", ")}`;
const LABEL_KEY = `This label is not recorded. Choose one of: ${NODE_LABELS.join(", ")}`;
const LABEL_VALUE = 'Write the value of the label as text: in quotes if it is a number, or "true" or "false"';

const perHour = v.record(v.string(), v.pipe(v.number(PRICE), v.finite(PRICE), v.minValue(0, PRICE)), PRICE);

const nodes = knownKeys(
  {
    where: v.pipe(
      v.record(v.pipe(v.string(), v.check(isNodeLabel, LABEL_KEY)), v.string(LABEL_VALUE), WHERE),
      v.check((labels) => Object.keys(labels).length > 0, WHERE),
    ),
    perHour,
  },
  NODE_KEYS,
);

const prices = knownKeys(
  {
    currency: v.pipe(v.string(CURRENCY), v.regex(/^[A-Z]{3}$/, CURRENCY)),
    perHour,
    nodes: v.exactOptional(v.array(nodes, NODES)),
  },
  KEYS,
);

/** Reads a file of prices, YAML or JSON. Throws CommandFailure. */
export async function readPrices(file: string): Promise<Prices> {
  const text = await textOfFile(file, 'Write "currency: USD" and "perHour:" with a price for each resource.');
  const { parseDocument } = await import("../output/yaml-library.ts");
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw invalidFile(file, [{ path: "", message: error.message }]);
  const read = v.safeParse(prices, document.toJS());
  if (read.success) return read.output;
  throw invalidFile(
    file,
    read.issues.map((issue) => ({ path: v.getDotPath(issue) ?? "", message: issue.message })),
  );
}

/** The labels of Nodes that set a price; `undefined` if none does. */
export function pricedLabels({ nodes: ofNodes = [] }: Prices): readonly NodeLabel[] | undefined {
  const labels = NODE_LABELS.filter((key) => ofNodes.some(({ where }) => where[key] !== undefined));
  return labels.length === 0 ? undefined : labels;
}

/** Usage, and its parts by the labels of Nodes if these set a price. */
export type PricedUsage = Pick<UsageReportGroup, "usage" | "nodes">;

/** What usage costs, by class. Resources without a price cost nothing. */
export function costOf(priced: PricedUsage, by: Prices): UsageByClass {
  const resources = Object.keys(priced.usage.resources);
  const cost = (of: keyof UsageByClass): number =>
    resources.reduce((sum, resource) => sum + (costOfAmount(priced, { resource, of }, by) ?? 0), 0);
  const byClass = USAGE_CLASSES.map((of) => [of, cost(of)] as const);
  return { total: cost("total"), ...(Object.fromEntries(byClass) as Omit<UsageByClass, "total">) };
}

/** An amount of an answer. */
interface Amount {
  readonly resource: string;
  readonly of: keyof UsageByClass;
}

/** What an amount of the answer costs; `undefined` if the resource has no price. */
export function costOfAmount(priced: PricedUsage, { resource, of }: Amount, by: Prices): number | undefined {
  let cost: number | undefined;
  for (const { usage, labels } of partsOf(priced)) {
    const price = priceOf(resource, labels, by);
    if (price !== undefined) cost = (cost ?? 0) + unitHours(resource, usage.resources[resource]?.[of] ?? 0) * price;
  }
  return cost;
}

/** The resources of usage that a file has no price for, on some Node at least. */
export function withoutPrice(priced: PricedUsage, by: Prices): readonly string[] {
  const unpriced = partsOf(priced).flatMap(({ usage, labels }) =>
    Object.keys(usage.resources).filter((resource) => priceOf(resource, labels, by) === undefined),
  );
  return [...new Set(unpriced)];
}

/** What ran on Nodes whose labels are not known: it has the usual prices. */
export function onUnknownNodes({ nodes: parts }: PricedUsage): UsageAnswer | undefined {
  return parts?.find(({ labels }) => labels === undefined)?.usage;
}

function partsOf({ usage, nodes: parts }: PricedUsage): readonly UsageOnNodes[] {
  return parts ?? [{ usage }];
}

function priceOf(resource: string, labels: UsageOnNodes["labels"], { perHour: usual, nodes: ofNodes }: Prices) {
  const ofNode = labels && ofNodes?.find(({ where }) => hasAll(labels, where))?.perHour;
  return ownPrice(ofNode, resource) ?? ownPrice(usual, resource);
}

function hasAll(labels: NonNullable<UsageOnNodes["labels"]>, where: NodePrices["where"]): boolean {
  return Object.entries(where).every(([key, value]) => labels[key] === value);
}

function ownPrice(of: PerHour | undefined, resource: string): number | undefined {
  return of !== undefined && Object.hasOwn(of, resource) ? of[resource] : undefined;
}
