/** A violation of one limit. */
export interface Problem {
  readonly limit: "columns" | "cycle" | "folder" | "test";
  /** The file or folder, relative to the repository. */
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}

/** The problem as one line of output, in the form that editors recognise. */
export function problemLine({ path, line, limit, message }: Problem): string {
  return `${path}${line === undefined ? "" : `:${line}`}: ${message} [${limit}]`;
}
