import { terminalText } from "../text/terminal-text.ts";

/** One sentence on standard error; the stack only where it was asked for (OUTLIVE_DEBUG=1). */
export function reportFailure(error: unknown, { stack }: { readonly stack: boolean }): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${terminalText(message)}\n`);
  if (stack && error instanceof Error) process.stderr.write(stackOf(error));
}

function stackOf(error: Error): string {
  const own = `${error.stack ?? error.message}\n`;
  return error.cause instanceof Error ? `${own}caused by ${stackOf(error.cause)}` : own;
}
