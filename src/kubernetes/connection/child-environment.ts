/** The environment of a child process: this process's variables and additional ones. */
export function childEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...variables };
}
