import { InvalidArgumentError } from "commander";
import { CommandFailure } from "./command-failure.ts";

/** `read` for an option: what it ends a command with is told with the option's name before it. */
export function asArgument<Value>(read: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return read(text);
    } catch (cause) {
      if (cause instanceof CommandFailure) throw new InvalidArgumentError(cause.message);
      throw cause;
    }
  };
}
