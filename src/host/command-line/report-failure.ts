import { terminalText } from "../../job/text/terminal-text.ts";

/** Writes the message to standard error, and the stack if it was requested (OUTLIVE_DEBUG=1). */
export function reportFailure(error: unknown, { stack }: { readonly stack: boolean }): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${terminalText(message)}\n`);
  if (stack && error instanceof Error) process.stderr.write(stackOf(error));
}

function stackOf(error: Error): string {
  const stack = `${error.stack ?? error.message}\n`;
  return error.cause instanceof Error ? `${stack}caused by ${stackOf(error.cause)}` : stack;
}
