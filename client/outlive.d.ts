import type { components, operations } from "./openapi.d.ts";

type Immutable<Value> = Value extends object ? { readonly [Key in keyof Value]: Immutable<Value[Key]> } : Value;

/** The answer about a Job: its verdict, counts, causes, findings and usage (docs/answers). */
export type JobAnswer = Immutable<components["schemas"]["OneJob"]>;
/** The answer about a run: a JobSet, a RayJob or another object that Jobs belong to. */
export type RunAnswer = Immutable<operations["getRun"]["responses"][200]["content"]["application/json"]>;

export interface FoldOptions {
  /** The name of the cluster in the answers. @default "recording" */
  readonly cluster?: string;
  /** The time of the answers. @default the latest in the recordings */
  readonly now?: Date;
  /** Whether answers have the Pods of each Job. @default false */
  readonly pods?: boolean;
}

export interface FoldedAnswers {
  /** Sorted by namespace, name and uid. */
  readonly jobs: readonly JobAnswer[];
  /** Sorted by namespace, kind and name. */
  readonly runs: readonly RunAnswer[];
  /** Lines that could not be read: the first 10,000 of them. */
  readonly rejected: readonly { readonly file: string; readonly line: number; readonly reason: string }[];
}

/**
 * Answers about all Jobs and runs in recordings of one cluster, without a database, as `outlive fold` prints them. The
 * recordings are files with one watch or audit event in each line, plain or compressed with gzip. Rejects if a file
 * cannot be read.
 */
export declare function fold(files: readonly string[], options?: FoldOptions): Promise<FoldedAnswers>;
