export { InvalidSettingsError } from "./context-values.ts";
export { Outlive, type OutliveAddresses, type OutliveTables } from "./outlive.ts";
export type { AuditLogGroup, OidcReaders, OutliveProps, PageClient, Readers } from "./outlive-props.ts";
export type { MonitoringFacade } from "./monitoring/monitor-stage.ts";
export type { RegisteredPrincipal } from "./access/registrations.ts";
