import { styleText } from "node:util";

export type ColourChoice = "auto" | "always" | "never";
export type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

/** Colours for one stream. With `auto`, only a terminal gets them; NO_COLOR and FORCE_COLOR are respected. */
export function paintFor(choice: ColourChoice, stream: NodeJS.WritableStream): Paint {
  switch (choice) {
    case "always":
      return (format, text) => styleText(format, text, { validateStream: false });
    case "never":
      return (_format, text) => text;
    case "auto":
      return (format, text) => styleText(format, text, { stream });
  }
}
