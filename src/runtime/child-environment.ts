/** The environment of a child process: that of this one, with more variables. */
export function childEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}
