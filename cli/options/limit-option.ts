import { InvalidArgumentError, Option } from "commander";

const STANDARD_LIMIT = 500;

/** How many items of a list are printed. 0 means all. */
export function limitOption(description: string): Option {
  return new Option("--limit <number>", `${description}; 0 prints all`).argParser(readLimit).default(STANDARD_LIMIT);
}

function readLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Write a whole number; 0 prints all.");
  const limit = Number(text);
  return limit === 0 ? Number.POSITIVE_INFINITY : limit;
}
