export const HEALTH_STATUSES = ['healthy', 'degraded', 'down'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];
