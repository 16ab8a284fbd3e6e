/** Where a handler writes down what a person should know. Fields stand beside the message; an `error` keeps its causes. */
export interface FunctionLog {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}
