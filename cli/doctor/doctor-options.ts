import type { PrintOptions, SourceOptions } from "../options/query-options.ts";

/** What is looked at: the stack that is named, else the server, else the database file. */
export interface DoctorOptions extends SourceOptions, PrintOptions {
  readonly stack?: string;
  readonly endpointUrl?: string;
  readonly timeout: number;
}
