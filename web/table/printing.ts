import { signal } from "@preact/signals";

/** While the page goes to paper: then every row is drawn, because nobody can scroll it. */
export const printing = signal(false);

addEventListener("beforeprint", () => (printing.value = true));
addEventListener("afterprint", () => (printing.value = false));
