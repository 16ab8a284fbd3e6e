import { requireDatabase } from "./database-file.ts";
import { type Embedded, type EmbeddedOptions, openEmbedded } from "./embedded-tracker.ts";

/** Works on a database file, which must exist unless `create` is set, and closes it. */
export async function withDatabase<Result>(
  file: string,
  { create, ...options }: EmbeddedOptions & { readonly create: boolean },
  work: (embedded: Embedded) => Promise<Result>,
): Promise<Result> {
  if (!create) requireDatabase(file);
  const embedded = openEmbedded(file, options);
  try {
    return await work(embedded);
  } finally {
    embedded.close();
  }
}
