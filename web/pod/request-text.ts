import { isBytes } from "../../src/job/usage/resource-unit.ts";

const UNITS = ["Ki", "Mi", "Gi", "Ti"] as const;

/** A requested amount as a manifest would write it: bytes with the largest unit that divides them. */
export function requestText(resource: string, quantity: string): string {
  return `${resource} ${isBytes(resource) ? bytesText(quantity) : quantity}`;
}

function bytesText(quantity: string): string {
  if (!/^[1-9]\d{0,14}$/.test(quantity)) return quantity;
  let amount = Number(quantity);
  let unit = "";
  for (const next of UNITS) {
    if (amount % 1024 !== 0) break;
    amount /= 1024;
    unit = next;
  }
  return `${amount}${unit}`;
}
