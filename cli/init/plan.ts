/** What `outlive init` writes and advises. */
export interface Plan {
  readonly files: readonly PlannedFile[];
  /** The next commands, to be run in the order given, from the folder in which `outlive init` ran. */
  readonly commands: readonly string[];
}

export interface PlannedFile {
  /** Relative to the folder of the plan. */
  readonly path: string;
  readonly text: string;
  /** Whether it is a program. @default false */
  readonly isProgram?: boolean;
}

/** An argument for a shell, in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
