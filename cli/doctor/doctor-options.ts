import type { PrintOptions, SourceOptions } from "../options/query-options.ts";

/** What is checked: the stage if one is named, else the server, else the database file. */
export interface DoctorOptions extends SourceOptions, PrintOptions {
  readonly stage?: string;
  readonly endpointUrl?: string;
  readonly timeout: number;
}
