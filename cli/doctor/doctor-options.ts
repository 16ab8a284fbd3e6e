import type { PrintOptions, SourceOptions } from "../options/query-options.ts";

/** What is checked: the stack if one is named, else the server, else the database file. */
export interface DoctorOptions extends SourceOptions, PrintOptions {
  readonly stack?: string;
  readonly endpointUrl?: string;
  readonly timeout: number;
}
