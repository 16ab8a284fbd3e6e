import type { Registrations } from "../../src/ports/registrations/registrations.ts";

/** The registrations of this stage. The client is loaded with the first request: most ways of access need none. */
export function registrationsOnDemand(stage: string): Pick<Registrations, "list"> {
  let opened: Promise<Registrations> | undefined;
  return {
    list: async (kind) => {
      opened ??= Promise.all([
        import("../../src/adapters/ssm/ssm-client.ts"),
        import("../../src/adapters/ssm/ssm-registrations.ts"),
      ]).then(([{ createSsmClient }, { createSsmRegistrations }]) => createSsmRegistrations(createSsmClient(), stage));
      return (await opened).list(kind);
    },
  };
}
