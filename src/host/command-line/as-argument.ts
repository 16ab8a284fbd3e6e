import { InvalidArgumentError } from "commander";
import { CommandFailure } from "./command-failure.ts";

/** Adapts `read` to an option: commander prefixes the message of its CommandFailure with the option's name. */
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
