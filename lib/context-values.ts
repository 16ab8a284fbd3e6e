import { existsSync, readFileSync } from "node:fs";
import { Token } from "aws-cdk-lib";

/** A setting is invalid, or contradicts another one. The message names it and says what to write instead. */
export class InvalidSettingsError extends Error {
  override readonly name = "InvalidSettingsError";
}

/** Reads a CDK context value: a string from `name=value`, any JSON value from cdk.json. */
export type Context = (name: string) => unknown;

export interface TextForm {
  readonly pattern: RegExp;
  /** What the pattern accepts, for the error message: "JSON such as ...". */
  readonly form: string;
  /** Whether a construct may give a text that is known only when it is deployed. @default false */
  readonly mayBeToken?: boolean;
}

/** A text value; `undefined` if it is absent or empty. */
export function textOf(
  context: Context,
  name: string,
  { pattern, form, mayBeToken = false }: TextForm,
): string | undefined {
  const value = context(name);
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string") throw invalidValue(name, form, value);
  if (Token.isUnresolved(value) ? mayBeToken : pattern.test(value)) return value;
  throw invalidValue(name, form, value);
}

/** `true` or `false`, also as text. @default false */
export function flagOf(context: Context, name: string, fallback = false): boolean {
  const value = context(name) ?? fallback;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  throw invalidValue(name, "true or false", value);
}

export interface WholeNumber {
  readonly least: number;
  readonly most: number;
  readonly default: number;
}

/** A whole number, also as text. */
export function numberOf(context: Context, name: string, { least, most, default: fallback }: WholeNumber): number {
  const value = context(name) ?? fallback;
  const number = numberFrom(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw invalidValue(name, `a whole number from ${least} to ${most}`, value);
}

function numberFrom(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
}

/** The content of the file at this path, of at most `maxBytes`; `undefined` where the path is absent or empty. */
export function fileOf(context: Context, name: string, maxBytes: number): string | undefined {
  const path = textOf(context, name, { pattern: /^[^\0]+$/, form: "the path of a file" });
  if (path === undefined) return undefined;
  if (!existsSync(path)) throw invalidValue(name, "the path of a file", path);
  const content = readFileSync(path, "utf8");
  if (Buffer.byteLength(content) <= maxBytes) return content;
  throw invalidValue(name, `a file of at most ${maxBytes} bytes`, path);
}

/** The problems of a file, each with its place in it. */
export function problemsText(problems: readonly { readonly path: string; readonly message: string }[]): string {
  return problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join(" ");
}

/** ARNs of IAM principals, separated by commas. */
export function arnsOf(context: Context, name: string): readonly string[] {
  const form = { pattern: /^\S+$/, form: "ARNs of IAM principals, separated by commas" };
  const arns = textOf(context, name, form)?.split(",") ?? [];
  const invalid = arns.find((arn) => !/^arn:aws[a-z-]*:iam::\d{12}:(root|role\/\S+|user\/\S+)$/.test(arn));
  if (invalid === undefined) return arns;
  throw invalidValue(name, "a list of ARNs such as arn:aws:iam::123456789012:role/exporter", invalid);
}

/** An address on this machine, for tests with an emulator, which runs the functions here as well. */
const LOCAL_ADDRESS = /^http:\/\/(localhost|127(\.\d{1,3}){3})(:\d{1,5})?(\/[^\s?#]*)?$/;

/** An https address. A disposable stage also accepts one on this machine. */
export function addressOf(context: Context, name: string, form: TextForm): string | undefined {
  const value = context(name);
  if (typeof value === "string" && LOCAL_ADDRESS.test(value) && flagOf(context, "disposable")) return value;
  return textOf(context, name, form);
}

export function invalidValue(name: string, form: string, value: unknown): InvalidSettingsError {
  return new InvalidSettingsError(`Invalid ${name} ${JSON.stringify(value)}. Expected ${form}.`);
}
