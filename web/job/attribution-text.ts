import type { Attribution } from "../../src/explain/answer-document.ts";
import { shownText } from "../text/shown-text.ts";

/** Who did it, and how certain that is. */
export function attributionText({ actor, confidence }: Attribution): string {
  const name = shownText(actor);
  switch (confidence) {
    case "certain":
      return name;
    case "likely":
      return `${name} (likely)`;
    case "possible":
      return `${name} (possibly)`;
  }
}
