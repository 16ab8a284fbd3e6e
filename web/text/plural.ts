const GROUPED = new Intl.NumberFormat("en");

/** A number with its digits grouped: `10,000`. */
export function number(value: number): string {
  return GROUPED.format(value);
}

/** `1 Pod`, `2 Pods`. */
export function plural(value: number, noun: string, several = `${noun}s`): string {
  return `${number(value)} ${value === 1 ? noun : several}`;
}
