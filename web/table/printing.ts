import { signal } from "@preact/signals";

/** Whether the page is being printed. Tables then draw every row. */
export const printing = signal(false);

addEventListener("beforeprint", () => (printing.value = true));
addEventListener("afterprint", () => (printing.value = false));
