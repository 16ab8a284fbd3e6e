import { signal } from "@preact/signals";

/** The entry that was focused last: the keyboard continues there after a look at its Job. */
export const activeEntry = signal<string | undefined>(undefined);
