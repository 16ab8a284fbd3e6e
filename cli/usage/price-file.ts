import * as v from "valibot";
import { unitHours } from "../../src/explain/usage/usage-text.ts";
import type { UsageAnswer, UsageByClass } from "../../src/explain/usage/usage-schema.ts";
import { USAGE_CLASSES } from "../../src/job/usage/usage.ts";
import { invalidFile, textOfFile } from "../options/settings-file.ts";

/** What a file of prices says: per core hour, GiB hour, or hour of a unit of an extended resource. */
export interface Prices {
  readonly currency: string;
  readonly perHour: Readonly<Record<string, number>>;
}

const CURRENCY = "Write a currency code, such as USD";
const PRICE = "Write a price per hour, 0 or more: of a core, of a GiB, or of one unit of an extended resource";

const KEYS = 'Write "currency" and "perHour", and no other key';

const prices = v.strictObject(
  {
    currency: v.pipe(v.string(CURRENCY), v.regex(/^[A-Z]{3}$/, CURRENCY)),
    perHour: v.record(v.string(), v.pipe(v.number(PRICE), v.finite(PRICE), v.minValue(0, PRICE))),
  },
  KEYS,
);

/** Reads a file of prices, YAML or JSON. Throws CommandFailure. */
export async function readPrices(file: string): Promise<Prices> {
  const text = await textOfFile(file, 'Write "currency: USD" and "perHour:" with a price for each resource.');
  const { parseDocument } = await import("yaml");
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

/** What usage costs, by class. Resources without a price cost nothing. */
export function costOf({ resources }: Pick<UsageAnswer, "resources">, prices: Prices): UsageByClass {
  const cost = (of: keyof UsageByClass): number =>
    Object.entries(resources).reduce(
      (sum, [resource, amounts]) => sum + (costOfAmount({ resource, amount: amounts[of] }, prices) ?? 0),
      0,
    );
  const byClass = USAGE_CLASSES.map((of) => [of, cost(of)] as const);
  return { total: cost("total"), ...(Object.fromEntries(byClass) as Omit<UsageByClass, "total">) };
}

/** What an amount of the answer costs; `undefined` if the resource has no price. */
export function costOfAmount(
  { resource, amount }: { readonly resource: string; readonly amount: number },
  { perHour }: Prices,
): number | undefined {
  const price = Object.hasOwn(perHour, resource) ? perHour[resource] : undefined;
  return price && unitHours(resource, amount) * price;
}

/** The resources of usage that a file has no price for. */
export function withoutPrice({ resources }: Pick<UsageAnswer, "resources">, { perHour }: Prices): readonly string[] {
  return Object.keys(resources).filter((resource) => perHour[resource] === undefined);
}
