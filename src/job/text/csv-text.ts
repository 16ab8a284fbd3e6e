import { replaceControls } from "./terminal-text.ts";

/**
 * One line of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe before it, and control
 * characters are replaced.
 */
export function csvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map((value) => quoted(cellText(value))).join(",")}\r\n`;
}

/** Spreadsheets evaluate cells that begin with these characters, including the full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function cellText(value: string | number | undefined): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = replaceControls(value);
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
