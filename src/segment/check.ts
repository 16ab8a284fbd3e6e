/** Whether a value is a `T`. An object must have no other field: this build would lose a field of a newer build. */
export type Check<T> = (value: unknown) => value is T;

/** A check for each field of `T`, wrapped by {@link optional} where the field may be absent. */
export type FieldChecks<T> = {
  readonly [Field in keyof T]-?: object extends Pick<T, Field>
    ? OptionalCheck<Exclude<T[Field], undefined>>
    : Check<T[Field]>;
};

interface OptionalCheck<T> {
  readonly optional: Check<T>;
}

export function optional<T>(check: Check<T>): OptionalCheck<T> {
  return { optional: check };
}

export function object<T extends object>(fields: FieldChecks<T>): Check<T> {
  const checks = Object.entries<Check<unknown> | OptionalCheck<unknown>>(fields);
  const names = new Set(checks.map(([name]) => name));
  return (value): value is T => {
    if (!isRecord(value) || !Object.keys(value).every((name) => names.has(name))) return false;
    return checks.every(([name, check]) => {
      if (typeof check === "function") return check(value[name]);
      return !(name in value) || check.optional(value[name]);
    });
  };
}

export function list<T>(check: Check<T>): Check<readonly T[]> {
  return (value): value is readonly T[] => isList(value) && value.every(check);
}

export function oneOf<const T extends string | boolean>(...values: readonly T[]): Check<T> {
  const known = new Set<unknown>(values);
  return (value): value is T => known.has(value);
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** A finite number, for example a count, an exit code or a duration. */
export function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** A safe integer. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

export function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every(isText);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray` without `any` in its result. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
